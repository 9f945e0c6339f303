/**
 * A project as dbt itself wrote it down: `target/manifest.json` has the names and, once compiled, the SQL of every node;
 * `target/catalog.json` has the columns that the warehouse reported.
 */
import { isJsonObject, type JsonObject, objectsOf, textAt, textOf } from '../../model/json.ts'
import type { RelationName } from '../../sql/template/options.ts'
import type { ProjectFiles } from './files.ts'
import { type DbtNode, nodeKey } from './node.ts'
import { inOrder } from './order.ts'
import type { DbtProfile } from './profile.ts'
import { objectAt } from './project-file.ts'
import type { DbtProject } from './project.ts'

const KINDS: Readonly<Record<string, DbtNode['kind']>> = { model: 'model', seed: 'seed', snapshot: 'snapshot' }

/** The project of the artefacts in `target/`; undefined where there are none, or not of a shape that can be used. */
export async function readManifest(
  files: ProjectFiles,
  given: DbtProfile | undefined,
): Promise<DbtProject | undefined> {
  const beside = await files.json('manifest.json')
  // Artefacts that were copied elsewhere lie without their folder.
  const folder = Object.keys(beside).length > 0 ? '' : 'target/'
  const manifest = folder === '' ? beside : await files.json('target/manifest.json')
  const all = Object.entries(objectAt(manifest, 'nodes')).filter(([, node]) => isJsonObject(node)) as [
    string,
    JsonObject,
  ][]
  const built = all.filter(([, node]) => isBuilt(node))
  if (built.length === 0) return undefined
  const catalog = await files.json(`${folder}catalog.json`)
  const keys = new Map(built.map(([id, node]) => [id, nodeKey(identityOf(node))]))
  const nodes = built.map(([id, node]) => nodeOf(node, columnsIn(objectAt(catalog, 'nodes')[id]), keys))
  const metadata = objectAt(manifest, 'metadata')
  const name = textAt(metadata, 'project_name') ?? built[0]![1]['package_name']
  const project = typeof name === 'string' ? name : 'project'
  const sources = sourcesOf(manifest, catalog)
  for (const node of nodes) {
    if (node.file.endsWith('.py'))
      files.problems.push({ code: 'NOT_SQL', message: 'a model in Python has no SQL to read', file: node.file })
  }
  return {
    name: project,
    profile: { type: textAt(metadata, 'adapter_type'), ...given },
    facts: {
      name: project,
      refs: refsOf(built.map(([, node]) => node)),
      sources: Object.fromEntries(sources.map(({ source, name: table, relation }) => [`${source}.${table}`, relation])),
      macros: macrosOf(manifest),
    },
    nodes: inOrder(nodes, files.problems),
    sources,
    around: { start: [], end: [] },
    problems: files.problems,
  }
}

function isBuilt(node: JsonObject): boolean {
  return Object.hasOwn(KINDS, textAt(node, 'resource_type') ?? '') && objectAt(node, 'config')['enabled'] !== false
}

function identityOf(node: JsonObject): Pick<DbtNode, 'package' | 'name' | 'version'> {
  const version = node['version']
  return {
    package: textAt(node, 'package_name') ?? '',
    name: textAt(node, 'name') ?? '',
    version: version === undefined || version === null ? undefined : textOf(version),
  }
}

function nodeOf(node: JsonObject, columns: readonly string[], keys: ReadonlyMap<string, string>): DbtNode {
  const texts = ['compiled_code', 'compiled_sql', 'raw_code', 'raw_sql'].map((key) => textAt(node, key))
  const depends = objectAt(node, 'depends_on')['nodes']
  const declared = Object.values(objectAt(node, 'columns')).flatMap((column) => textAt(column, 'name') ?? [])
  return {
    ...identityOf(node),
    kind: KINDS[textAt(node, 'resource_type') ?? ''] ?? 'model',
    file: textAt(node, 'original_file_path') ?? '',
    text: texts.find((text) => text !== undefined && text !== '') ?? '',
    config: objectAt(node, 'config'),
    relation: relationOf(node, textAt(node, 'alias')),
    columns: columns.length > 0 ? columns : declared,
    reads: (Array.isArray(depends) ? depends : []).flatMap((id) => keys.get(String(id)) ?? []),
  }
}

function relationOf(node: JsonObject, identifier: string | undefined): RelationName {
  return {
    database: textAt(node, 'database'),
    schema: textAt(node, 'schema'),
    identifier: identifier ?? textAt(node, 'name') ?? '',
  }
}

function indexOf(column: JsonObject): number {
  return typeof column['index'] === 'number' ? column['index'] : 0
}

/** Columns of a catalog's entry, in the table's order. */
function columnsIn(entry: unknown): readonly string[] {
  const columns = objectsOf(Object.values(objectAt(entry, 'columns')))
  return columns.toSorted((a, b) => indexOf(a) - indexOf(b)).flatMap((column) => textAt(column, 'name') ?? [])
}

function sourcesOf(manifest: JsonObject, catalog: JsonObject): DbtProject['sources'] {
  return Object.entries(objectAt(manifest, 'sources')).flatMap(([id, source]) => {
    if (!isJsonObject(source)) return []
    const relation = relationOf(source, textAt(source, 'identifier'))
    const columns = columnsIn(objectAt(catalog, 'sources')[id])
    return [
      {
        source: textAt(source, 'source_name') ?? '',
        name: textAt(source, 'name') ?? '',
        database: relation.database,
        schema: relation.schema,
        identifier: relation.identifier,
        columns,
        certain: columns.length > 0,
        relation,
      },
    ]
  })
}

/** Tables by what `ref` calls them; the latest version has the plain name. */
function refsOf(nodes: readonly JsonObject[]): Readonly<Record<string, RelationName>> {
  const refs = nodes.flatMap((node): [string, RelationName][] => {
    const { package: package_, name, version } = identityOf(node)
    const relation = relationOf(node, textAt(node, 'alias'))
    const latest = node['latest_version']
    const plain = version === undefined || (latest !== undefined && latest !== null && textOf(latest) === version)
    const names = [...(plain ? [name] : []), ...(version === undefined ? [] : [`${name}.v${version}`])]
    return names.flatMap((one): [string, RelationName][] => [
      [one, relation],
      [`${package_}.${one}`, relation],
    ])
  })
  return Object.fromEntries(refs)
}

/** Macros of the project and its packages; dbt's own have their meaning in the reader. */
function macrosOf(manifest: JsonObject): DbtProject['facts']['macros'] {
  return objectsOf(Object.values(objectAt(manifest, 'macros'))).flatMap((macro) => {
    const [package_, text] = [textAt(macro, 'package_name'), textAt(macro, 'macro_sql')]
    if (
      package_ === undefined ||
      text === undefined ||
      /^dbt(_utils|_snowflake|_bigquery|_postgres|_redshift|_databricks|_spark|_duckdb|_trino|_athena|_sqlserver|_fabric)?$/.test(
        package_,
      )
    )
      return []
    return [{ package: package_, text }]
  })
}
