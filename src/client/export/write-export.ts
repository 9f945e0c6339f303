/**
 * A catalog's export into a file, gzip by the name. The file grows as `FILE.partial` and gets its name when it is whole;
 * beside it `FILE.partial.json` says up to where it can be relied on, so that an export that is broken off goes on there:
 *
 *   lines ─► FILE.partial (in gzip: many members, one after the other) ─ at each position ─► synced ─► FILE.partial.json
 */
import { existsSync, readFileSync } from 'node:fs'
import { open, rename, rm, truncate, writeFile, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { numberAt, textAt } from '../../model/json.ts'
import { linesOf } from '../../model/lines.ts'
import { noProgress, type Progress } from '../../observe/progress.ts'
import type { CatalogClient } from '../catalog-client.ts'
import { FileExistsError } from '../text-file.ts'

export interface ExportReport {
  readonly proposals: number
  readonly bytes: number
  /** Proposals that an earlier, broken off export had written. */
  readonly resumedAfter: number
}

interface ExportOptions {
  readonly history: boolean
  /** Whether a file of that name is replaced, once the new one is whole. */
  readonly replaces?: boolean
  readonly signal: AbortSignal
  readonly progress?: Progress
}

interface Checkpoint {
  readonly position: string
  readonly proposals: number
  readonly bytes: number
}

const pack = promisify(gzip)
const FLUSH_CHARACTERS = 1_000_000
const NOTHING: Checkpoint = { position: '', proposals: 0, bytes: 0 }

/** @throws FileExistsError; what the catalog throws, and then the next call goes on */
export async function writeExport(client: CatalogClient, file: string, options: ExportOptions): Promise<ExportReport> {
  if (options.replaces !== true && existsSync(file)) throw new FileExistsError(file)
  const partial = `${file}.partial`
  const from = checkpointOf(partial)
  const handle = await open(partial, from === NOTHING ? 'w' : 'r+', 0o600)
  let last: Checkpoint
  try {
    await truncate(partial, from.bytes)
    last = await append(client, { handle, partial, from, packed: file.endsWith('.gz') }, options)
  } finally {
    await handle.close()
  }
  await rename(partial, file)
  await rm(`${partial}.json`, { force: true })
  return { proposals: last.proposals, bytes: last.bytes, resumedAfter: from.proposals }
}

async function append(
  client: CatalogClient,
  to: { readonly handle: FileHandle; readonly partial: string; readonly from: Checkpoint; readonly packed: boolean },
  { history, signal, progress = noProgress }: ExportOptions,
): Promise<Checkpoint> {
  let { position, proposals, bytes } = to.from
  let waiting: string[] = []
  let characters = 0
  let ended = false

  async function flush(): Promise<void> {
    const emptyPack = to.packed && ended && bytes === 0
    if (waiting.length === 0 && !emptyPack) return
    const text = Buffer.from(waiting.map((line) => `${line}\n`).join(''))
    const chunk = to.packed ? await pack(text) : text
    await to.handle.write(chunk, 0, chunk.length, bytes)
    bytes += chunk.length
    waiting = []
    characters = 0
  }

  for await (const line of linesOf(decoded(client.streamExport({ after: position, history }, signal)))) {
    if (line.startsWith('{"position":')) {
      await flush()
      position = textAt(JSON.parse(line), 'position') ?? position
      await to.handle.datasync()
      await writeCheckpoint(to.partial, { position, proposals, bytes })
      progress.report({ phase: 'export', done: proposals, unit: 'proposals' })
      signal.throwIfAborted()
      continue
    }
    waiting.push(line)
    characters += line.length
    proposals++
    if (characters >= FLUSH_CHARACTERS) await flush()
  }
  ended = true
  await flush()
  await to.handle.datasync()
  return { position, proposals, bytes }
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

/** Whole or not at all, also when the process is killed. */
async function writeCheckpoint(partial: string, checkpoint: Checkpoint): Promise<void> {
  await writeFile(`${partial}.json.new`, JSON.stringify(checkpoint), { mode: 0o600 })
  await rename(`${partial}.json.new`, `${partial}.json`)
}

/** Where a broken off export stands; nothing, where there is none or it cannot be read. */
function checkpointOf(partial: string): Checkpoint {
  if (!existsSync(partial) || !existsSync(`${partial}.json`)) return NOTHING
  try {
    const value: unknown = JSON.parse(readFileSync(`${partial}.json`, 'utf8'))
    const position = textAt(value, 'position')
    const [proposals, bytes] = [numberAt(value, 'proposals'), numberAt(value, 'bytes')]
    if (position === undefined || proposals === undefined || bytes === undefined) return NOTHING
    return { position, proposals, bytes }
  } catch {
    return NOTHING
  }
}
