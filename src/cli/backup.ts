/** `headwater backup`, `restore-backup`: ledger, schedules, plans and tokens as a file; the catalog has its own export. */
import { Command } from 'commander'
import { openSource } from '../client/source-file.ts'
import { openLedger } from '../main/open-ledger.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import { systemClock } from '../observe/clock.ts'
import { createLogger } from '../observe/logger.ts'
import { restoreBackup } from '../store/backup/restore.ts'
import { takeBackup } from '../store/backup/take.ts'
import type { Database } from '../store/database.ts'
import {
  addCommonFlags,
  endWith,
  levelForResults,
  withExamples,
  type CommandContext,
  type CommonFlags,
} from './command.ts'
import { addForceFlag, refuseExisting, writeWholeFile, type ForceFlag } from './whole-file.ts'

export function backupCommand(): Command {
  const command = addForceFlag(addCommonFlags(new Command('backup')))
    .description('write ledger, schedules, plans and tokens into a file, of one moment, while everything goes on')
    .argument('<file>', 'NDJSON; compressed where it ends in .gz; holds digests of tokens, so its mode is 0600')
    .action((file: string, flags: CommonFlags & ForceFlag) =>
      endWith(flags, async (context) => {
        refuseExisting(file, flags)
        const rows = await withLedger(context, (database) => writeBackup(database, file))
        if (context.terminal.json) return context.terminal.printJson({ file, rows })
        context.terminal.print(`${file}: ${rows} rows`)
      }),
    )
  return withExamples(
    command,
    ['headwater backup ledger.ndjson.gz', 'the runner; the run logs stay in the data folder'],
    ['headwater catalog export catalog.ndjson.gz', 'the catalog'],
  )
}

export function restoreBackupCommand(): Command {
  const command = addCommonFlags(new Command('restore-backup'))
    .description('put a backup into an empty database, all of it or nothing')
    .argument('<file>', 'written by headwater backup')
    .action((file: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const rows = await withLedger(context, (database) => readBackup(database, file))
        if (context.terminal.json) return context.terminal.printJson({ file, rows })
        for (const [table, count] of Object.entries(rows)) context.terminal.print(`${table.padEnd(22)} ${count}`)
      }),
    )
  return withExamples(command, [
    'headwater restore-backup ledger.ndjson.gz --data /srv/headwater',
    'nothing runs there yet',
  ])
}

async function withLedger<T>({ loadConfig }: CommandContext, work: (database: Database) => Promise<T>): Promise<T> {
  const config = loadConfig()
  await using ledger = await openLedger(config, createLogger({ level: levelForResults(config) }))
  return await work(ledger.database)
}

/** @returns how many rows */
async function writeBackup(database: Database, file: string): Promise<number> {
  let lines = 0
  async function* counted() {
    for await (const line of takeBackup(database, systemClock.now())) {
      lines++
      yield line
    }
  }
  await writeWholeFile(file, counted(), { mode: 0o600 })
  return lines - 2
}

function readBackup(database: Database, file: string) {
  return restoreBackup(database, linesOf(decodeUtf8(openSource(file), file)))
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
