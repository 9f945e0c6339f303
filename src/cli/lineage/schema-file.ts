/** Columns known beforehand, from a file: DDL, JSON, or what dbt writes into `target/`. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject } from '../../model/json.ts'
import { decodeYaml } from '../../model/yaml.ts'
import { parseLineage } from '../../sql/index.ts'
import { listedNames } from '../../sql/session/typed-columns.ts'
import { readDialect } from './names.ts'
import { readText } from './sources.ts'

export type Tables = Readonly<Record<string, readonly string[]>>

/**
 * Columns by table, in the table's order. A folder means the dbt artefacts in it.
 * @throws DecodeError with file and place where the file has none of the known shapes
 */
export function readSchemaFile(file: string, dialect: string | undefined): Tables {
  if (existsSync(file) && statSync(file).isDirectory()) return readDbtFolder(file)
  const text = readText(file)
  if (/^\s*\{/.test(text)) return readJsonSchema(file, text)
  return readDdl(file, text, dialect)
}

function readDdl(file: string, text: string, dialect: string | undefined): Tables {
  const lineage = parseLineage(text, { dialect: readDialect(dialect ?? 'ansi'), file })
  const learnt = lineage.statements.flatMap((statement) => statement.schemas)
  if (learnt.length === 0) {
    throw new DecodeError('no table definition was found', { file }, { remedy: SHAPES })
  }
  return Object.fromEntries(
    learnt.map((table) => [
      table.table,
      table.columns.filter(({ hidden }) => !hidden).flatMap(({ name, type }) => withFields(name, type)),
    ]),
  )
}

/** The column, and behind it the fields that its type names: `addr`, `addr.city`. */
function withFields(name: string, type: unknown): string[] {
  return [name, ...(typeof type === 'string' ? listedNames(name, type) : [])]
}

const SHAPES =
  'a schema is SQL with CREATE TABLE statements, JSON such as {"shop.orders": ["id", "amount"]}, or dbt\'s manifest.json or catalog.json'

const TABLES = Type.Record(
  Type.String(),
  Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), Type.Any())]),
)

/** dbt's files are large and machine-made: plain JSON. What people write is read as YAML, which tells places. */
function readJsonSchema(file: string, text: string): Tables {
  const json = tryJson(text)
  if (isJsonObject(json) && isJsonObject(json['nodes'])) return readDbtArtefact(json)
  const tables = decodeYaml(TABLES, text, file)
  return Object.fromEntries(
    Object.entries(tables).map(([table, columns]) => [
      table,
      Array.isArray(columns) ? columns : Object.entries(columns).flatMap(([name, type]) => withFields(name, type)),
    ]),
  )
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readDbtFolder(folder: string): Tables {
  const files = ['manifest.json', 'catalog.json'].map((name) => join(folder, name)).filter((file) => existsSync(file))
  if (files.length === 0) {
    const remedy = 'run `dbt docs generate`, which writes both into target/'
    throw new DecodeError('the folder has no manifest.json and no catalog.json', { file: folder }, { remedy })
  }
  return Object.assign({}, ...files.map((file) => readJsonSchema(file, readText(file))))
}

/** `nodes` and `sources` of a manifest (declared columns) or a catalog (the database's, with their order). */
function readDbtArtefact(artefact: Readonly<Record<string, unknown>>): Tables {
  const nodes = ['nodes', 'sources'].flatMap((key) => (isJsonObject(artefact[key]) ? Object.values(artefact[key]) : []))
  return Object.fromEntries(nodes.flatMap(readDbtNode))
}

function readDbtNode(node: unknown): [string, string[]][] {
  if (!isJsonObject(node)) return []
  const raw: Readonly<Record<string, unknown>> = node
  const named: Readonly<Record<string, unknown>> = isJsonObject(raw['metadata']) ? raw['metadata'] : raw
  const name = [named['database'], named['schema'], raw['identifier'] ?? raw['alias'] ?? named['name']]
  const columns = isJsonObject(raw['columns']) ? Object.entries(raw['columns']) : []
  if (columns.length === 0 || typeof name[2] !== 'string') return []
  const ordered = columns
    .toSorted(([, a], [, b]) => indexOf(a) - indexOf(b))
    .flatMap(([key, column]) => withFields(key, typeOf(column)))
  return [[name.filter((part) => typeof part === 'string' && part !== '').join('.'), ordered]]
}

/** A manifest says `data_type`, a catalog `type`. */
function typeOf(column: unknown): unknown {
  const raw: Readonly<Record<string, unknown>> = isJsonObject(column) ? column : {}
  return raw['data_type'] ?? raw['type']
}

function indexOf(column: unknown): number {
  const raw: Readonly<Record<string, unknown>> = isJsonObject(column) ? column : {}
  return typeof raw['index'] === 'number' ? raw['index'] : 0
}
