/** What the YAML files beside models say: sources with their columns, and properties of models, seeds and snapshots. */
import { isJsonObject, type JsonObject, objectsAt, textAt, textOf } from '../../model/json.ts'
import type { ProjectFiles } from './files.ts'
import { objectAt } from './project-file.ts'

export interface SourceTable {
  readonly source: string
  readonly name: string
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly identifier: string
  readonly columns: readonly string[]
  /** The columns are all that the table has: the warehouse said so. People declare those that they care for. */
  readonly certain: boolean
}

export interface NodeProperties {
  readonly kind: 'models' | 'seeds' | 'snapshots'
  readonly name: string
  readonly properties: JsonObject
  readonly columns: readonly string[]
  readonly file: string
}

export interface Properties {
  readonly sources: readonly SourceTable[]
  readonly nodes: readonly NodeProperties[]
}

/** Reads all YAML files below the folders. */
export async function readProperties(files: ProjectFiles, folders: readonly string[]): Promise<Properties> {
  const sources: SourceTable[] = []
  const nodes: NodeProperties[] = []
  for (const file of await files.list(folders, ['.yml', '.yaml'])) {
    const document = await files.yaml(file)
    sources.push(...objectsAt(document, 'sources').flatMap(sourceTables))
    for (const kind of ['models', 'seeds', 'snapshots'] as const) {
      for (const properties of objectsAt(document, kind)) {
        const name = textAt(properties, 'name')
        if (name !== undefined) nodes.push({ kind, name, properties, columns: columnNames(properties), file })
      }
    }
  }
  return { sources, nodes }
}

function sourceTables(source: JsonObject): readonly SourceTable[] {
  const name = textAt(source, 'name')
  if (name === undefined) return []
  return objectsAt(source, 'tables').flatMap((table) => {
    const of = textAt(table, 'name')
    if (of === undefined) return []
    const settings = { ...source, ...objectAt(source, 'config'), ...table, ...objectAt(table, 'config') }
    return {
      source: name,
      name: of,
      database: textAt(settings, 'database') ?? textAt(settings, 'catalog') ?? textAt(settings, 'project'),
      schema: textAt(settings, 'schema') ?? textAt(settings, 'dataset') ?? name,
      identifier: textAt(table, 'identifier') ?? of,
      columns: columnNames(table),
      certain: false,
    }
  })
}

function columnNames(properties: JsonObject): readonly string[] {
  return objectsAt(properties, 'columns').flatMap((column) => textAt(column, 'name') ?? [])
}

export interface ModelVersion {
  readonly version: string
  /** Name of the file without its ending. */
  readonly definedIn: string
  readonly properties: JsonObject
}

/** Versions of a model; empty where it has none. */
export function versionsOf({ name, properties }: NodeProperties): readonly ModelVersion[] {
  return objectsAt(properties, 'versions').map((version) => {
    const v = textOf(version['v'])
    return { version: v, definedIn: textAt(version, 'defined_in') ?? `${name}_v${v}`, properties: version }
  })
}

/** The version that a `ref` without one means. */
export function latestVersion(node: NodeProperties): string | undefined {
  const latest = node.properties['latest_version']
  if (latest !== undefined && !isJsonObject(latest)) return textOf(latest)
  const versions = versionsOf(node).map(({ version }) => version)
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}
