/** `headwater backup`, `restore-backup`: ledger, schedules, plans and tokens as a file; the catalog has its own export. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
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
import { UsageError } from './exit-codes.ts'

export function backupCommand(): Command {
  const command = addCommonFlags(new Command('backup'))
    .description('write ledger, schedules, plans and tokens into a file, of one moment, while everything goes on')
    .argument('<file>', 'NDJSON; compressed where it ends in .gz; holds digests of tokens, so its mode is 0600')
    .action((file: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
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

/** A file that broke off is not left under the name of a whole one. @returns how many rows */
async function writeBackup(database: Database, file: string): Promise<number> {
  const unfinished = `${file}.unfinished`
  let lines = 0
  async function* counted() {
    for await (const line of takeBackup(database, systemClock.now())) {
      lines++
      yield line
    }
  }
  const target = createWriteStream(unfinished, { mode: 0o600 })
  try {
    const source = Readable.from(counted())
    await (file.endsWith('.gz') ? pipeline(source, createGzip(), target) : pipeline(source, target))
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw fileTrouble(error, file)
  }
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

function fileTrouble(error: unknown, file: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!['ENOENT', 'EACCES', 'EISDIR', 'ENOSPC', 'ENOTDIR'].includes(code)) return error
  return new UsageError(`${file} cannot be written: ${code}`, { cause: error, remedy: 'check its path and rights' })
}
