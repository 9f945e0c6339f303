/** What a person calls a table or a column, found in the catalog. */
import type { CatalogClient } from '../../client/catalog-client.ts'
import { aspectId } from '../../client/sink.ts'
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

/**
 * Finds `TABLE` or `TABLE.COLUMN`; URNs are taken as they are.
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
  const [first, second] = best
  if (first === undefined) {
    throw new UsageError(`the catalog has no table ${JSON.stringify(text)}`, {
      remedy: 'write it with database and schema, as in its URN, or give the URN itself; --platform and --env help',
    })
  }
  if (second === undefined) return first
  throw new UsageError(`${JSON.stringify(text)} is more than one table: ${best.map((one) => one.dataset).join(', ')}`, {
    remedy: 'choose one with --platform, or give its URN',
  })
}

/** As written and in lower case, as a table and with the last parts as a column, on each platform. */
function candidatesOf(text: string, hints: NameHints): readonly FoundPlace[] {
  const platforms = hints.platform === undefined ? DIALECTS.filter((name) => name !== 'ansi') : [hints.platform]
  const parts = text.split('.')
  const splits = Array.from({ length: Math.min(DEEPEST_COLUMN + 1, parts.length) }, (_, taken) => ({
    table: parts.slice(0, parts.length - taken).join('.'),
    column: parts.slice(parts.length - taken).join('.'),
  }))
  const env = hints.env === undefined ? {} : { env: hints.env }
  const places = splits.flatMap(({ table, column }) =>
    [...new Set([table, table.toLowerCase()])].flatMap((name) =>
      platforms.map((platform) => ({
        dataset: datasetUrn({ platform, name, ...env }),
        ...(column === '' ? {} : { column }),
      })),
    ),
  )
  return places
}
