/** What a person calls a table or a column, found in the catalog. */
import type { CatalogClient } from '../../client/catalog-client.ts'
import { aspectId } from '../../client/sink.ts'
import { didYouMean, nearest } from '../../model/near.ts'
import { asDatasetUrn, datasetParts, datasetUrn, schemaFieldParts, type DatasetUrn } from '../../model/urn.ts'
import { DIALECTS } from '../../sql/index.ts'
import { UsageError } from '../exit-codes.ts'

export interface FoundPlace {
  readonly dataset: DatasetUrn
  readonly column?: string
}

export interface NameHints {
  /** Tried alone when given; else every platform whose SQL we read. */
  readonly platform?: string
  readonly env?: string
}

/** Parts at the end of a name that may be a column: nested ones have several. */
const DEEPEST_COLUMN = 3

/** Datasets that are looked through for a name that leaves leading parts out, or is misspelt. */
const MOST_SEARCHED = 20_000

/**
 * Finds `TABLE` or `TABLE.COLUMN`; URNs are taken as they are. A name that stands for no table as it is written may leave
 * leading parts out.
 * @throws UsageError where nothing is found, or more than one
 */
export async function findPlace(
  client: CatalogClient,
  text: string,
  hints: NameHints,
  signal?: AbortSignal,
): Promise<FoundPlace> {
  if (text.startsWith('urn:li:schemaField:')) {
    const { parent, fieldPath } = schemaFieldParts(text)
    return { dataset: asDatasetUrn(parent), column: fieldPath }
  }
  if (text.startsWith('urn:li:')) return { dataset: asDatasetUrn(text) }
  const candidates = candidatesOf(text, hints)
  const keys = candidates.map(({ dataset }) => ({ urn: dataset, aspectName: 'datasetKey' }))
  const stored = await client.read(keys, signal)
  const found = candidates.filter(({ dataset }) => stored.has(aspectId({ urn: dataset, aspectName: 'datasetKey' })))
  const longest = Math.max(...found.map((place) => datasetParts(place.dataset).name.length))
  const best = found.filter((place) => datasetParts(place.dataset).name.length === longest)
  if (best.length > 0) return theOne(text, best)
  const names = await namesIn(client, platformsOf(hints), signal)
  const shortened = [...names].flatMap(([dataset, name]) => endsOf(text, name).map((end) => ({ dataset, ...end })))
  if (shortened.length === 0) throw notFound(text, hints, names.values())
  const most = Math.max(...shortened.map((place) => place.matched))
  const fullest = shortened.filter((place) => place.matched === most)
  return theOne(
    text,
    fullest.map(({ dataset, column }) => ({ dataset, ...(column === undefined ? {} : { column }) })),
  )
}

function theOne(text: string, places: readonly FoundPlace[]): FoundPlace {
  const [first, second] = places
  if (first !== undefined && second === undefined) return first
  throw new UsageError(
    `${JSON.stringify(text)} is more than one table: ${places.map((one) => one.dataset).join(', ')}`,
    {
      remedy: 'choose one with --platform, or give its URN',
    },
  )
}

function notFound(text: string, hints: NameHints, names: Iterable<string>): UsageError {
  const platforms = platformsOf({})
  if (
    hints.platform !== undefined &&
    !platforms.includes(hints.platform) &&
    nearest(hints.platform, platforms).length > 0
  )
    return new UsageError(`unknown platform ${JSON.stringify(hints.platform)}${didYouMean(hints.platform, platforms)}`)
  const known = [...names]
  const candidates = new Set(splitsOf(text).flatMap(({ table }) => nearest(table, endings(known, table), 3)))
  const near = candidates.size === 0 ? '' : `did you mean ${[...candidates].slice(0, 3).join(' or ')}? Else `
  return new UsageError(`the catalog has no table ${JSON.stringify(text)}`, {
    remedy: `${near}write it with database and schema, as in its URN, or give the URN itself; --platform and --env help`,
  })
}

/** The ends of names that have as many parts as the table that is looked for. */
function endings(names: readonly string[], table: string): ReadonlySet<string> {
  const parts = table.split('.').length
  return new Set(names.map((name) => name.split('.').slice(-parts).join('.')))
}

async function namesIn(
  client: CatalogClient,
  platforms: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<DatasetUrn, string>> {
  const names = new Map<DatasetUrn, string>()
  for await (const urns of client.scrollDatasets(platforms, signal)) {
    for (const urn of urns.map(asDatasetUrn)) names.set(urn, datasetParts(urn).name)
    if (names.size >= MOST_SEARCHED) break
  }
  return names
}

/** Whether a dataset's name ends in the table that the text names: with all of it, or with all but a column. */
function endsOf(text: string, name: string): readonly { readonly matched: number; readonly column?: string }[] {
  const best = splitsOf(text).find(
    ({ table }) => table !== '' && `.${name}`.toLowerCase().endsWith(`.${table}`.toLowerCase()),
  )
  if (best === undefined) return []
  return [{ matched: best.table.length, ...(best.column === '' ? {} : { column: best.column }) }]
}

function platformsOf({ platform }: NameHints): readonly string[] {
  return platform === undefined ? DIALECTS.filter((name) => name !== 'ansi') : [platform]
}

/** The whole text as a table, and with one to a few last parts as a column. */
function splitsOf(text: string): readonly { readonly table: string; readonly column: string }[] {
  const parts = text.split('.')
  return Array.from({ length: Math.min(DEEPEST_COLUMN + 1, parts.length) }, (_, taken) => ({
    table: parts.slice(0, parts.length - taken).join('.'),
    column: parts.slice(parts.length - taken).join('.'),
  }))
}

/** As written and in lower case, as a table and with the last parts as a column, on each platform. */
function candidatesOf(text: string, hints: NameHints): readonly FoundPlace[] {
  const platforms = platformsOf(hints)
  const env = hints.env === undefined ? {} : { env: hints.env }
  return splitsOf(text).flatMap(({ table, column }) =>
    [...new Set([table, table.toLowerCase()])].flatMap((name) =>
      platforms.map((platform) => ({
        dataset: datasetUrn({ platform, name, ...env }),
        ...(column === '' ? {} : { column }),
      })),
    ),
  )
}
