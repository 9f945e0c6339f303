/**
 * Rows that are about to go, kept in a file: one proposal a line (as DataHub's own file source reads them), gzipped, and
 * beside it a manifest that says what it holds and its checksum.
 *
 *   FILE.ndjson.gz        {"entityType":…,"entityUrn":…,"changeType":"UPSERT","aspectName":…,"aspect":{"json":{…}}}
 *   FILE.ndjson.gz.json   rows, bytes, SHA-256 of FILE.ndjson.gz, index, cut-off, catalog
 *
 * A file appears under its name when it is whole and on disk; the manifest comes last.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Type, type Static } from 'typebox'
import type { CatalogClient } from '../client/catalog-client.ts'
import { openSource } from '../client/source-file.ts'
import { decode } from '../model/decode.ts'
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import { asUrn, entityTypeOf } from '../model/urn.ts'
import { ArchiveError } from './errors.ts'
import { rowsOf } from './index-parts.ts'
import { readLines } from './lines.ts'
import type { Step } from './plan.ts'

const Manifest = Type.Object({
  headwater: Type.Literal('archive/1'),
  file: Type.String(),
  rows: Type.Integer(),
  bytes: Type.Integer(),
  sha256: Type.String(),
  entityType: Type.String(),
  aspectName: Type.String(),
  indexName: Type.String(),
  /** All rows are older than this. */
  cutoffMs: Type.Integer(),
  catalog: Type.String(),
  plan: Type.String(),
  createdAt: Type.String(),
})
export type Manifest = Static<typeof Manifest>

export interface ArchiveTarget {
  readonly folder: string
  /** Id of the plan; part of the name. */
  readonly plan: string
  readonly createdAt: string
}

/** Writes the rows that a step would delete. A second call writes the file anew. @returns what the file holds */
export async function writeArchive(
  step: Step,
  { folder, plan, createdAt }: ArchiveTarget,
  context: { readonly client: CatalogClient; readonly signal: AbortSignal; readonly onRows: (rows: number) => void },
): Promise<Manifest & { readonly path: string }> {
  const { client, signal, onRows } = context
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const cutoff = new Date(step.cutoffMs).toISOString().replaceAll(/[-:]/g, '').replace(/\..*/, 'Z')
  const path = join(folder, `${step.indexName}-before-${cutoff}-${plan}.ndjson.gz`)
  const part = `${path}.part`
  let rows = 0
  const range = { fromMs: 0, beforeMs: step.cutoffMs, ...rowsOf(step) }
  const lines = archiveLines(readLines(client.timeseries.stream(step, range, signal)), (count) =>
    onRows((rows += count)),
  )
  const digest = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(Readable.from(lines), createGzip(), hashing, createWriteStream(part, { mode: 0o600 }), { signal })
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await syncFile(part)
  await rename(part, path)
  const manifest: Manifest = {
    headwater: 'archive/1',
    file: basename(path),
    rows,
    bytes: (await stat(path)).size,
    sha256: digest.digest('hex'),
    entityType: step.entityType,
    aspectName: step.aspectName,
    indexName: step.indexName,
    cutoffMs: step.cutoffMs,
    catalog: client.address,
    plan,
    createdAt,
  }
  await writeFile(`${path}.json.part`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  await syncFile(`${path}.json.part`)
  await rename(`${path}.json.part`, `${path}.json`)
  await syncFile(dirname(path))
  return { ...manifest, path }
}

/**
 * The manifest of an archive whose checksum was compared with the file.
 * @throws ArchiveError where there is no manifest, or the file is not the one that was written
 */
export async function checkedManifest(path: string): Promise<Manifest> {
  const manifest = await readManifest(path)
  const digest = createHash('sha256')
  try {
    await pipeline(createReadStream(path), digest)
  } catch (cause) {
    throw new ArchiveError(path, 'it cannot be read', { badInput: true, cause })
  }
  if (digest.digest('hex') === manifest.sha256) return manifest
  throw new ArchiveError(path, 'its checksum is not the one in its manifest: the file is damaged or was changed', {
    badInput: true,
  })
}

/** The rows of an archive, as proposals, in the order of their time. @throws SourceUnreadableError, ArchiveError */
export async function* archivedRows(path: string, signal?: AbortSignal): AsyncGenerator<Proposal> {
  for await (const row of readLines(openSource(path, signal), path)) yield proposalOf(row, path)
}

async function readManifest(path: string): Promise<Manifest> {
  try {
    return decode(Manifest, JSON.parse(await readFile(`${path}.json`, 'utf8')))
  } catch (cause) {
    const gone = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = gone ? `there is no manifest ${basename(path)}.json beside it` : 'its manifest cannot be read'
    throw new ArchiveError(path, reason, { badInput: true, cause })
  }
}

const LINES_A_CHUNK = 500

async function* archiveLines(rows: AsyncIterable<JsonValue>, onRows: (count: number) => void): AsyncGenerator<string> {
  let chunk: string[] = []
  for await (const row of rows) {
    chunk.push(JSON.stringify(archivedForm(row)))
    if (chunk.length < LINES_A_CHUNK) continue
    onRows(chunk.length)
    yield `${chunk.join('\n')}\n`
    chunk = []
  }
  if (chunk.length === 0) return
  onRows(chunk.length)
  yield `${chunk.join('\n')}\n`
}

function archivedForm(row: JsonValue): JsonObject {
  const urn = asUrn(textAt(row, 'urn') ?? '')
  const { aspectName, aspect, systemMetadata } = row as { [key: string]: JsonValue }
  return {
    entityType: entityTypeOf(urn),
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName: aspectName ?? '',
    aspect: { json: aspect ?? null },
    ...(systemMetadata === undefined ? {} : { systemMetadata }),
  }
}

function proposalOf(row: JsonValue, path: string): Proposal {
  const aspect = isJsonObject(row) && isJsonObject(row['aspect']) ? row['aspect']['json'] : undefined
  const aspectName = textAt(row, 'aspectName')
  if (!isJsonObject(row) || !isJsonObject(aspect) || aspectName === undefined) {
    throw new ArchiveError(path, 'a line of it is no row', { badInput: true })
  }
  const urn = asUrn(textAt(row, 'entityUrn') ?? '')
  const metadata = row['systemMetadata']
  return {
    entityType: entityTypeOf(urn),
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName,
    aspect,
    ...(isJsonObject(metadata) ? { systemMetadata: metadata } : {}),
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
