/** `headwater logs RUN`: what a run wrote into its log, on the machine that it ran on. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import { RUN_LOG } from '../../runner/attempt.ts'
import { RunLogNotFoundError, RunNotFoundError } from '../../runner/errors.ts'
import type { Database } from '../../store/database.ts'
import { readRun } from '../../store/ledger/runs.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { lookAt } from './open.ts'

/** How often a log that is followed is looked at. */
const LOOK_MS = 250

export function logsCommand(): Command {
  const logs = addCommonFlags(new Command('logs'))
    .description('print the log of a run')
    .argument('<run>', 'id of the run')
    .option('--follow', 'go on until the run ends')
    .action((id: string, flags: CommonFlags & { readonly follow?: boolean }) =>
      endWith(flags, (context) =>
        lookAt(flags, context, (database, { dataFolder }) => {
          const file = join(dataFolder, 'runs', id, RUN_LOG)
          return printLog({ database, id, file, follow: flags.follow ?? false }, context.terminal)
        }),
      ),
    )
  return withExamples(logs, ['headwater logs run-20261121T020000-a1b2c3 --follow', 'until its end'])
}

interface LogRequest {
  readonly database: Database
  readonly id: string
  readonly file: string
  readonly follow: boolean
}

async function printLog({ database, id, file, follow }: LogRequest, terminal: Terminal): Promise<void> {
  let offset = 0
  for (;;) {
    // Asked before the file is read: what a run wrote before its end is in the file by then.
    const run = await readRun(database, id)
    if (run === undefined) throw new RunNotFoundError(id)
    const goesOn = follow && run.finishedMs === null
    if (!existsSync(file) && !goesOn) throw new RunLogNotFoundError(id, run.worker)
    if (existsSync(file)) offset += await printFrom(file, offset, terminal)
    if (!goesOn) return
    await sleep(LOOK_MS)
  }
}

/** Prints the whole lines from an offset on. @returns how many bytes they take */
async function printFrom(file: string, offset: number, terminal: Terminal): Promise<number> {
  let printed = 0
  for await (const line of createInterface({ input: createReadStream(file, { start: offset, encoding: 'utf8' }) })) {
    const event = parsed(line)
    // The last line may be half written; it comes whole with the next look.
    if (event === undefined) break
    printed += Buffer.byteLength(line) + 1
    terminal.print(terminal.json ? line : readable(event, terminal))
  }
  return printed
}

const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' }

/** `02:00:01 info  batch emitted  written=200 durationMs=35` */
function readable(event: JsonObject, terminal: Terminal): string {
  const { level, time, msg, run: _run, job: _job, attempt: _attempt, err, ...fields } = event
  const name = LEVELS[Number(level)] ?? text(level)
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${text(value)}`)
  const error = isJsonObject(err) ? [`${text(err['code'] ?? err['type'])}: ${text(err['message'])}`] : []
  const line = [`${text(time).slice(11, 19)} ${name.padEnd(5)} ${text(msg)}`, ...shown, ...error].join('  ')
  return Number(level) >= 40 ? terminal.style('yellow', line) : line
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
