/** `headwater dead`: what was rejected, refused or given up, and sending again what can be sent. */
import { Command } from 'commander'
import replay from '../../jobs/replay.ts'
import { formatPlace } from '../model/errors.ts'
import { RunNotFoundError } from '../runner/errors.ts'
import { countDeadLetters, findDeadLetters, type DeadLetterFilter } from '../store/ledger/journal.ts'
import { lettersOfRun, planningRunOf } from '../store/ledger/run-letters.ts'
import { readRun } from '../store/ledger/runs.ts'
import type { DeadLetterRow } from '../store/ledger/types.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from './command.ts'
import { UsageError } from './exit-codes.ts'
import { countOf } from './flags.ts'
import { grouped } from './ledger/format.ts'
import { lookAt } from './ledger/open.ts'
import { runAndWait } from './run/at-hand.ts'
import { textTable } from './show/text-table.ts'
import type { Terminal } from './terminal.ts'

interface ListFlags extends CommonFlags {
  readonly code?: string
  readonly all?: boolean
  readonly limit: number
}

export function deadCommand(): Command {
  return new Command('dead')
    .description('what was rejected, refused or given up, kept with its reason')
    .enablePositionalOptions()
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(replayCommand())
}

function listCommand(): Command {
  const list = addCommonFlags(new Command('list'))
    .description('how many dead letters runs have, by reason; those of one run one by one')
    .argument('[run]', 'id of a run')
    .option('--code <code>', 'only those with this reason')
    .option('--all', 'also those that were sent again with success')
    .option('--limit <count>', 'at most so many lines', countOf, 50)
    .action((run: string | undefined, flags: ListFlags) =>
      endWith(flags, (context) => (run === undefined ? listRuns(flags, context) : listLetters(run, flags, context))),
    )
  return withExamples(
    list,
    ['headwater dead list', 'which runs have some'],
    ['headwater dead list run-20261121T020000-a1b2c3 --code PROPOSAL_REFUSED', 'one by one'],
  )
}

async function listRuns(flags: ListFlags, context: CommandContext): Promise<void> {
  const filter: DeadLetterFilter = { code: flags.code, open: flags.all !== true }
  const counts = await lookAt(flags, context, (database) => countDeadLetters(database, filter))
  const { terminal } = context
  if (terminal.json) return terminal.printJson({ counts })
  if (counts.length === 0) return terminal.print('no dead letters')
  printTable(
    terminal,
    [{ title: 'run' }, { title: 'outcome' }, { title: 'code' }, RIGHT('letters'), RIGHT('can be sent')],
    counts
      .slice(0, flags.limit)
      .map((row) => [row.runId, row.outcome, row.code, grouped(row.count), grouped(row.sendable)]),
  )
}

async function listLetters(id: string, flags: ListFlags, context: CommandContext): Promise<void> {
  const letters = await lookAt(flags, context, async (database) => {
    const run = await readRun(database, id)
    if (run === undefined) throw new RunNotFoundError(id)
    return lettersOfRun(database, run, flags.limit, { code: flags.code, open: flags.all !== true })
  })
  const { terminal } = context
  if (terminal.json) return terminal.printJson({ letters })
  if (letters.length === 0) return terminal.print('no dead letters')
  printTable(
    terminal,
    [
      RIGHT('id'),
      { title: 'outcome' },
      { title: 'code' },
      { title: 'what', shorten: 'start' as const },
      { title: 'why', shorten: 'end' as const },
    ],
    letters.map((letter) => [String(letter.id), letter.outcome, letter.code, whatOf(letter), oneLine(letter.reason)]),
  )
}

function showCommand(): Command {
  const show = addCommonFlags(new Command('show'))
    .description('show one dead letter: the reason in full, and the record or proposal')
    .argument('<id>', 'number of the dead letter, as dead list shows it', countOf)
    .action((id: number, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const find = { ids: [id], open: false }
        const [letter] = await lookAt(flags, context, (database) => {
          return findDeadLetters(database, find, { after: 0, limit: 1 })
        })
        if (letter === undefined) throw new UsageError(`there is no dead letter ${id}`, { remedy: LISTED })
        if (context.terminal.json) return context.terminal.printJson({ letter })
        for (const line of details(letter)) context.terminal.print(line)
      }),
    )
  return withExamples(show, ['headwater dead show 17', 'as headwater dead list RUN shows it'])
}

function details(letter: DeadLetterRow): readonly string[] {
  const { id, outcome, code, reason, runId, attempt, record, proposal, base, settledBy } = letter
  const sending = base === null ? 'no: it holds no aspect' : 'yes, where its aspect has not changed since'
  return [
    `${id}  ${outcome}  ${code}`,
    `  ${whatOf(letter)}`,
    `  why          ${reason}`,
    `  run          ${runId}, attempt ${attempt}`,
    ...(outcome === 'rejected' ? [] : [`  can be sent  ${settledBy === null ? sending : `was, by ${settledBy}`}`]),
    ...(record === null ? [] : ['', ...record.split('\n')]),
    ...(proposal === null ? [] : ['', ...JSON.stringify(proposal, undefined, 2).split('\n')]),
  ]
}

function replayCommand(): Command {
  const command = addCommonFlags(new Command('replay'))
    .description('send dead letters again, each where its aspect has not changed since')
    .argument('<run-or-ids...>', 'id of a run, or numbers of its dead letters')
    .action((what: readonly string[], flags: CommonFlags) =>
      endWith(flags, (context) => sendAgain(what, flags, context)),
    )
  return withExamples(
    command,
    ['headwater dead replay run-20261121T020000-a1b2c3', 'all that can be sent of one run'],
    ['headwater dead replay 17 18', 'these two'],
  )
}

/** Goes to the catalog that the letters were meant for. */
async function sendAgain(what: readonly string[], flags: CommonFlags, context: CommandContext): Promise<number> {
  const input = whichOf(what)
  const { target, rejected } = await lookAt(flags, context, async (database) => {
    const [first] = await findDeadLetters(database, { ids: input.ids, open: false }, { after: 0, limit: 1 })
    const runId = input.run ?? first?.runId
    if (runId === undefined) throw new UsageError(`there is no dead letter ${what[0]}`, { remedy: LISTED })
    const run = await readRun(database, runId)
    if (run === undefined) throw new RunNotFoundError(runId)
    const runWithRecords = input.run === undefined ? undefined : await planningRunOf(database, run)
    const counts = await countDeadLetters(database, { runId: runWithRecords, ids: input.ids, open: true })
    return {
      target: run.target ?? undefined,
      rejected: counts.reduce((sum, row) => sum + (row.outcome === 'rejected' ? row.count : 0), 0),
    }
  })
  if (rejected > 0) {
    context.terminal.note(`${grouped(rejected)} are rejected records, not proposals: mend them and import them again`)
  }
  return runAndWait(replay, { input, mode: 'apply', target }, context)
}

function whichOf(what: readonly string[]): { readonly run?: string; readonly ids?: readonly number[] } {
  const ids = what.filter((word) => /^[1-9]\d*$/.test(word)).map(Number)
  if (ids.length === what.length) return { ids }
  const [run, ...rest] = what
  if (run !== undefined && rest.length === 0) return { run }
  throw new UsageError('name one run, or numbers of dead letters', { remedy: LISTED })
}

const LISTED = 'headwater dead list RUN shows them'
const RIGHT = (title: string) => ({ title, align: 'right' as const })

function printTable(terminal: Terminal, columns: Parameters<typeof textTable>[0], rows: readonly string[][]): void {
  const [head = '', ...lines] = textTable(columns, rows, terminal.tableWidth)
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
}

function whatOf({ place, entityUrn, aspect }: DeadLetterRow): string {
  return place === null ? `${aspect} of ${entityUrn}` : formatPlace(place)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
