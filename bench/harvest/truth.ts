/** What a log's statements say by construction, and what a catalog holds after a harvest: the same, or where not. */
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { aspectId } from '../../src/client/sink.ts'
import { objectsAt, stringsAt, textAt, type JsonObject } from '../../src/model/json.ts'
import { asUrn, datasetUrn, type Urn } from '../../src/model/urn.ts'
import { distinctStatements, type LogOptions } from './log.ts'
import { statementAt } from './statements.ts'
import { filledTables, type WarehouseTable } from './warehouse.ts'

/** `downstream <- upstream`, tables and columns, by the downstream table. */
type Edges = ReadonlyMap<string, ReadonlySet<string>>

export interface Verdict {
  readonly known: number
  readonly found: number
  /** Known and not in the catalog; in the catalog and not known. The first of them. */
  readonly missing: readonly string[]
  readonly foreign: readonly string[]
  readonly missed: number
  readonly invented: number
}

export const PLATFORM = 'postgres'
export const DATABASE = 'dwh'
/** Tables that are written or read in one call. */
const PAGE = 50
const SHOWN = 10

export function tableUrn({ name }: Pick<WarehouseTable, 'name'>): Urn {
  return asUrn(datasetUrn({ platform: PLATFORM, name: `${DATABASE}.${name}` }))
}

/** Tells a catalog the tables and their columns. */
export async function writeSchemas(catalogUrl: string, tables: readonly WarehouseTable[]): Promise<void> {
  await using client = closing(catalogUrl)
  for (let from = 0; from < tables.length; from += PAGE) {
    const page = tables.slice(from, from + PAGE)
    await client.write(
      page.map((table) => ({
        entityType: 'dataset',
        entityUrn: tableUrn(table),
        changeType: 'UPSERT' as const,
        aspectName: 'schemaMetadata',
        aspect: schemaOf(table),
      })),
    )
  }
}

function schemaOf({ name, columns }: WarehouseTable): JsonObject {
  const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' }
  return {
    schemaName: `${DATABASE}.${name}`,
    platform: `urn:li:dataPlatform:${PLATFORM}`,
    version: 0,
    hash: '',
    created: stamp,
    lastModified: stamp,
    platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
    fields: columns.map((fieldPath) => ({
      fieldPath,
      nullable: true,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'text',
      recursive: false,
      isPartOfKey: false,
    })),
  }
}

/** What the log's statements say. */
function knownEdges(log: LogOptions): Edges {
  const edges = new Map<string, Set<string>>()
  for (let number = 0; number < distinctStatements(log); number++) {
    const { target, sources, columns } = statementAt(number, log.tables, log.seed)
    if (target === undefined) continue
    const own = edges.get(target.name) ?? new Set()
    edges.set(target.name, own)
    for (const source of sources) own.add(`${target.name} <- ${source}`)
    for (const [column, from] of columns) for (const one of from) own.add(`${target.name}.${column} <- ${one}`)
  }
  return edges
}

export async function verdictOf(catalogUrl: string, log: LogOptions): Promise<Verdict> {
  await using client = closing(catalogUrl)
  const known = knownEdges(log)
  const verdict = { known: 0, found: 0, missed: 0, invented: 0, missing: [] as string[], foreign: [] as string[] }
  const tables = filledTables(log.tables)
  for (let from = 0; from < tables.length; from += PAGE) {
    const keys = tables.slice(from, from + PAGE).map((table) => ({
      table,
      key: { urn: tableUrn(table), aspectName: 'upstreamLineage' },
    }))
    const stored = await client.read(keys.map(({ key }) => key))
    for (const { table, key } of keys) {
      const wanted = known.get(table.name) ?? new Set<string>()
      const found = heldEdges(table, stored.get(aspectId(key))?.value)
      const [missing, foreign] = [wanted.difference(found), found.difference(wanted)]
      verdict.known += wanted.size
      verdict.found += wanted.size - missing.size
      verdict.missed += missing.size
      verdict.invented += foreign.size
      verdict.missing.push(...[...missing].slice(0, SHOWN - verdict.missing.length))
      verdict.foreign.push(...[...foreign].slice(0, SHOWN - verdict.foreign.length))
    }
  }
  return verdict
}

function heldEdges({ name }: WarehouseTable, aspect: JsonObject | undefined): ReadonlySet<string> {
  const edges = new Set<string>()
  for (const upstream of objectsAt(aspect, 'upstreams')) {
    edges.add(`${name} <- ${shortOf(textAt(upstream, 'dataset') ?? '')}`)
  }
  for (const edge of objectsAt(aspect, 'fineGrainedLineages')) {
    for (const to of stringsAt(edge, 'downstreams'))
      for (const from of stringsAt(edge, 'upstreams')) edges.add(`${shortOf(to)} <- ${shortOf(from)}`)
  }
  return edges
}

/** `schema.table`, or `schema.table.column`. */
function shortOf(urn: string): string {
  const parts = new RegExp(`${DATABASE}\\.([^,]+),PROD\\)(?:,([^)]+)\\))?$`).exec(urn)
  return parts === null ? urn : [parts[1], parts[2]].filter((part) => part !== undefined).join('.')
}

function closing(url: string): CatalogClient & AsyncDisposable {
  const client = new CatalogClient({ url })
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}
