/**
 * Puts archived rows back. Rows are events: one of the same entity, time and key replaces the earlier, so a second
 * restore changes nothing. Afterwards the catalog's own stream is compared with the archive, window by window.
 */
import type { CatalogClient } from '../client/catalog-client.ts'
import { inBatches } from '../model/batches.ts'
import { canonicalJson, isJsonObject, textAt, type JsonValue } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { archivedRows, type Manifest } from './archive.ts'
import { ArchiveError } from './errors.ts'
import { readLines } from './lines.ts'

const ROWS_A_CALL = 1000
/** Rows that are compared at once; bounds memory. */
const WINDOW = 20_000

export interface RestoreContext {
  readonly client: CatalogClient
  readonly stop: AbortSignal
  readonly signal: AbortSignal
  readonly onProgress: (phase: 'restore' | 'verify', rows: number) => void
}

/** Writes all rows of an archive. @returns how many */
export async function restoreRows(path: string, context: RestoreContext): Promise<number> {
  const { client, stop, signal, onProgress } = context
  let rows = 0
  for await (const batch of inBatches(archivedRows(path, signal), ROWS_A_CALL)) {
    stop.throwIfAborted()
    await client.write(batch, signal)
    onProgress('restore', (rows += batch.length))
  }
  return rows
}

/**
 * Looks for each row of the archive in the catalog.
 * @throws ArchiveError where one is not there as it was
 */
export async function verifyRestored(path: string, manifest: Manifest, context: RestoreContext): Promise<number> {
  const { client, stop, signal, onProgress } = context
  let rows = 0
  for await (const window of windows(archivedRows(path, signal))) {
    stop.throwIfAborted()
    const range = { fromMs: timeOf(window[0]), beforeMs: timeOf(window.at(-1)) + 1 }
    const wanted = new Set(window.map((row) => canonicalJson([row.entityUrn, row.aspect ?? null])))
    for await (const row of readLines(client.timeseries.stream(manifest, range, signal))) wanted.delete(keyOf(row))
    const [missing] = wanted
    if (missing !== undefined) {
      throw new ArchiveError(path, `${wanted.size} rows are not in the catalog as they were, for example ${missing}`)
    }
    onProgress('verify', (rows += window.length))
  }
  return rows
}

function keyOf(row: JsonValue): string {
  return canonicalJson([textAt(row, 'urn') ?? '', isJsonObject(row) ? (row['aspect'] ?? null) : null])
}

function timeOf(row: Proposal | undefined): number {
  const time = row?.aspect?.['timestampMillis']
  return typeof time === 'number' ? time : 0
}

/** Batches that end between two times, so that no time stands in two of them. */
async function* windows(rows: AsyncIterable<Proposal>): AsyncGenerator<readonly Proposal[]> {
  let window: Proposal[] = []
  for await (const row of rows) {
    if (window.length >= WINDOW && timeOf(row) !== timeOf(window.at(-1))) {
      yield window
      window = []
    }
    window.push(row)
  }
  if (window.length > 0) yield window
}
