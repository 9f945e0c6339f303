import { CommanderError } from 'commander'
import { diskFull, HeadwaterError } from '../model/errors.ts'
import type { Terminal } from './terminal.ts'

/**
 * Says what went wrong on stderr: code, sentence, what to do, and the causes below it. Stacks only for errors that are
 * ours to mend. With `--json` the same as one object on stdout.
 */
export function complain(terminal: Terminal, failure: unknown): void {
  // Commander has said it already.
  if (failure instanceof CommanderError) return
  const error = diskFull(failure) ?? failure
  const code = error instanceof HeadwaterError ? error.code : 'UNEXPECTED'
  const message = messageOf(error)
  const remedy = error instanceof HeadwaterError ? error.remedy : undefined
  if (terminal.json) terminal.printJson({ error: { code, message, ...(remedy === undefined ? {} : { remedy }) } })
  terminal.complain(`${terminal.style('red', code)} ${message}`)
  for (const cause of causesOf(error)) terminal.complain(`  because: ${messageOf(cause)}`)
  if (remedy !== undefined) terminal.complain(`  what to do: ${remedy}`)
  if (!(error instanceof HeadwaterError) && error instanceof Error && error.stack !== undefined) {
    terminal.complain(error.stack.split('\n').slice(1).join('\n'))
  }
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The causes below an error, without those whose message the one above repeats. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  let said = messageOf(error)
  let at = error instanceof Error ? error.cause : undefined
  while (at !== undefined && causes.length < 5) {
    if (!said.includes(messageOf(at))) causes.push(at)
    said = messageOf(at)
    at = at instanceof Error ? at.cause : undefined
  }
  return causes
}
