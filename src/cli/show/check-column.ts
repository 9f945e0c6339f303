import type { CatalogClient } from '../../client/catalog-client.ts'
import { aspectId } from '../../client/sink.ts'
import { simpleFieldPath } from '../../model/field-path.ts'
import { objectsAt, textAt } from '../../model/json.ts'
import { didYouMean } from '../../model/near.ts'
import { datasetParts, type DatasetUrn } from '../../model/urn.ts'
import { UsageError } from '../exit-codes.ts'
import type { LineageGraph, Stop } from './lineage-graph.ts'

const MOST_NAMED = 20

/**
 * The place with its column as the catalog spells it: by the lineage that was read, else by the table's schema.
 * @throws UsageError where the catalog knows columns of the table, and not this one
 */
export async function checkColumn<Place extends Stop>(
  client: CatalogClient,
  place: Place,
  graph: LineageGraph,
  signal?: AbortSignal,
): Promise<Place> {
  const { dataset, column } = place
  if (column === undefined) return place
  const ends = graph.columnEdges.flatMap(({ from, to }) => [from, to])
  const known = new Set(ends.filter((end) => end.dataset === dataset).map((end) => end.column))
  if (known.has(column)) return place
  for (const field of await fieldsOf(client, dataset, signal)) known.add(field)
  if (known.size === 0 || known.has(column)) return place
  const [other, ...others] = [...known].filter((name) => name.toLowerCase() === column.toLowerCase())
  if (other !== undefined && others.length === 0) return { ...place, column: other }
  const { name } = datasetParts(dataset)
  throw new UsageError(`${name} has no column ${JSON.stringify(column)}${didYouMean(column, known)}`, {
    remedy: `its columns: ${[...known].toSorted().slice(0, MOST_NAMED).join(', ')}${known.size > MOST_NAMED ? ', …' : ''}`,
  })
}

async function fieldsOf(
  client: CatalogClient,
  urn: DatasetUrn,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const key = { urn, aspectName: 'schemaMetadata' }
  const stored = await client.read([key], signal)
  const fields = objectsAt(stored.get(aspectId(key))?.value, 'fields')
  return fields.flatMap((field) => {
    const path = textAt(field, 'fieldPath')
    return path === undefined ? [] : [simpleFieldPath(path)]
  })
}
