/**
 * Metadata files to changes of a catalog: what the neighbours' file sink writes (MCPs and MCEs as JSON or NDJSON, packed
 * or not), definitions of structured properties, datasets, lineage and tags in YAML. A record that cannot be used is
 * rejected with its place; a YAML document is read whole or refused, since a person wrote it and mends it in one go.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AspectChange } from '../../client/change.ts'
import { aspectId, type Sink } from '../../client/sink.ts'
import { openSource, readSourceText } from '../../client/source-file.ts'
import { DecodeError } from '../../model/errors.ts'
import type { Urn } from '../../model/urn.ts'
import { decodeUtf8 } from '../../model/utf8.ts'
import { maskUrls } from '../../observe/logger.ts'
import type { Progress } from '../../observe/progress.ts'
import type { AuditStamp } from '../aspects.ts'
import { definitionChanges, tagChanges } from '../definitions.ts'
import { RowError, type RowReject } from '../errors.ts'
import { readDefinition, typedValue, type PropertyDefinition } from '../property-values.ts'
import { rejectOf } from '../reject.ts'
import { readDatasets, type DatasetEntry, type ReadValue } from './datasets.ts'
import { jsonRecords } from './json-records.ts'
import { lineageFileChanges } from './lineage-file.ts'
import { metadataRules, type Ruled } from './rules.ts'
import { changesOfRecord } from './wire-records.ts'

export const METADATA_FORMATS = ['mcp', 'definitions', 'datasets', 'lineage', 'tags'] as const
export type MetadataFormat = (typeof METADATA_FORMATS)[number]

export interface MetadataSettings {
  readonly files: readonly string[]
  /** Found by the name and the keys of each file when absent. */
  readonly format?: MetadataFormat | undefined
  /** Of lineage files: upstreams that the catalog has besides stay. */
  readonly preserveUpstream: boolean
}

/** What an import needs of its surroundings, and whom it tells what became of the records. */
export interface MetadataContext {
  readonly sink: Sink
  readonly stamp: AuditStamp
  readonly signal: AbortSignal
  readonly progress: Progress
  records(add: { readonly read?: number; readonly used?: number; readonly noEffect?: number }): void
  /** Counts them, too. */
  reject(...rejects: readonly RowReject[]): Promise<void>
}

/** @throws DecodeError, SourceUnreadableError, WrongEncodingError; what reading the catalog throws */
export async function* metadataChanges(
  settings: MetadataSettings,
  context: MetadataContext,
): AsyncGenerator<AspectChange> {
  const known: Known = { ruled: metadataRules(context.stamp), definitions: new Map() }
  for (const file of await filesIn(settings.files)) {
    for await (const change of changesIn(file, settings, context, known)) {
      if (change.aspectName === 'propertyDefinition') learn(change, known)
      yield change
    }
  }
}

/** What later files of the import go by. */
interface Known {
  readonly ruled: Ruled
  /** Of properties that this import defines; the catalog may not have them yet. */
  readonly definitions: Map<Urn, PropertyDefinition>
}

function learn({ urn, intent }: AspectChange, { definitions }: Known): void {
  const definition = readDefinition(urn, intent)
  if (definition !== undefined) definitions.set(urn, definition)
}

async function* changesIn(
  file: string,
  settings: MetadataSettings,
  context: MetadataContext,
  known: Known,
): AsyncGenerator<AspectChange> {
  const format = settings.format ?? (isJsonName(file) ? 'mcp' : undefined)
  if (format === 'mcp') yield* recordsOf(file, context)
  else yield* documentOf(maskUrls(file), await readSourceText(file), { ...settings, format }, context, known)
}

/** A folder stands for the JSON files in it, by name. */
async function filesIn(locations: readonly string[]): Promise<readonly string[]> {
  const files = await Promise.all(
    locations.map(async (location) => {
      const found = await stat(location).catch(() => undefined)
      if (found?.isDirectory() !== true) return [location]
      const names = (await readdir(location)).filter(isJsonName).toSorted()
      return names.map((name) => join(location, name))
    }),
  )
  return files.flat()
}

async function* recordsOf(location: string, context: MetadataContext): AsyncGenerator<AspectChange> {
  const file = maskUrls(location)
  let done = 0
  for await (const { text, line } of jsonRecords(decodeUtf8(openSource(location, context.signal), file))) {
    context.records({ read: 1 })
    context.progress.report({ phase: 'read', done: ++done, unit: 'records' })
    try {
      const changes = changesOfRecord(parse(text))
      context.records(changes.length === 0 ? { noEffect: 1 } : { used: 1 })
      yield* changes
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      await context.reject(rejectOf({ file, line, text }, error.problem, undefined))
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new RowError('RECORD_INVALID', `it is not JSON: ${(error as Error).message}`)
  }
}

async function* documentOf(
  file: string,
  text: string,
  settings: Omit<MetadataSettings, 'format'> & { readonly format: Exclude<MetadataFormat, 'mcp'> | undefined },
  context: MetadataContext,
  known: Known,
): AsyncGenerator<AspectChange> {
  const format = settings.format ?? formatOf(text, file)
  if (format === 'datasets') {
    yield* datasetsOf(file, text, context, known)
    return
  }
  const changes = DOCUMENTS[format](text, file, { preserve: settings.preserveUpstream, ruled: known.ruled })
  context.records({ read: changes.length, used: changes.length })
  yield* changes
}

type ReadDocument = (
  text: string,
  file: string,
  options: Parameters<typeof lineageFileChanges>[2],
) => readonly AspectChange[]

/** Formats of which a whole document is read at once. */
const DOCUMENTS: Readonly<Record<'definitions' | 'tags' | 'lineage', ReadDocument>> = {
  definitions: (text, file, { ruled }) => definitionChanges(text, file).map((change) => ruled('keep', change)),
  tags: (text, file, { ruled }) => tagChanges(text, file).map((change) => ruled('keep', change)),
  lineage: lineageFileChanges,
}

async function* datasetsOf(
  file: string,
  text: string,
  context: MetadataContext,
  known: Known,
): AsyncGenerator<AspectChange> {
  const entries = await readDatasets(text, file)
  context.records({ read: entries.length })
  const read = valueReader(await definitionsOf(entries, context, known))
  for (const [index, entry] of entries.entries()) {
    try {
      const changes = entry.changes(read, known.ruled)
      context.records(changes.length === 0 ? { noEffect: 1 } : { used: 1 })
      yield* changes
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      const { code, message } = error.problem
      await context.reject({ code, message, place: { file, path: String(index) }, record: entry.urn })
    }
  }
}

/** Those of this import count before those that the catalog has. */
async function definitionsOf(
  entries: readonly DatasetEntry[],
  { sink, signal }: MetadataContext,
  { definitions }: Known,
): Promise<ReadonlyMap<Urn, PropertyDefinition>> {
  const urns = [...new Set(entries.flatMap((entry) => entry.properties))].filter((urn) => !definitions.has(urn))
  const keys = urns.map((urn) => ({ urn, aspectName: 'propertyDefinition' }))
  const stored = keys.length === 0 ? undefined : await sink.read(keys, signal)
  const held = keys.flatMap((key) => {
    const aspect = stored?.get(aspectId(key))
    const definition = aspect && readDefinition(key.urn, aspect.value)
    return definition === undefined ? [] : [[key.urn, definition] as const]
  })
  return new Map([...held, ...definitions])
}

function valueReader(definitions: ReadonlyMap<Urn, PropertyDefinition>): ReadValue {
  return (property, value) => {
    const definition = definitions.get(property)
    if (definition === undefined) throw new RowError('INVALID_VALUE', `the catalog has no definition of ${property}`)
    return typedValue(definition, String(value), property)
  }
}

function isJsonName(file: string): boolean {
  return /\.(json|ndjson|jsonl)(\.gz)?($|\?)/i.test(file)
}

/** By the keys of the first entry. @throws DecodeError where they say nothing */
function formatOf(text: string, file: string): Exclude<MetadataFormat, 'mcp'> {
  const has = (key: string): boolean =>
    new RegExp(`^[\\s{-]*["']?${key}["']?\\s*:|[{,]\\s*["']?${key}["']?\\s*:`, 'm').test(text)
  if (has('lineage') && has('version')) return 'lineage'
  if (has('entity_types')) return 'definitions'
  if (has('platform') || /urn:li:dataset:/.test(text)) return 'datasets'
  if (has('color') || (has('id') && has('name'))) return 'tags'
  throw new DecodeError(
    'cannot tell what this file holds',
    { file },
    {
      remedy: `say it: --format ${METADATA_FORMATS.join(', ')}`,
    },
  )
}
