/**
 * What a name means at a place.
 *
 *   column        the only relation with a known column of that name; else an output's alias where the dialect lets one
 *                 be used; else the only relation whose columns are not known; else the scope around
 *   alias.column  the relation of that alias, or of that table name; else a field of a struct column
 */

import type { Reference } from '../ir/expression.ts'
import {
  type CteEnv,
  KIND,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Sources,
} from './model.ts'
import { openColumnNamed } from './open.ts'
import { starColumns } from './star-columns.ts'
import { catalogHas } from './catalog-owner.ts'
import { isSystemColumn } from './system-columns.ts'
import { allSources, outColumn, raised, union } from './sources.ts'
import { columnBehindAlias, knownColumn } from './known-column.ts'
import { elementPart, findQualified, onlyTable, positional, spreadColumn } from './qualified.ts'

export function newScope(parent: Scope | undefined, env: CteEnv | undefined): Scope {
  return { relations: [], parent, env, merged: undefined, aliases: undefined }
}

/** Columns under an alias ('' for none), that are no table's. */
export function relationOf(columns: readonly OutColumn[], alias: string): ScopeRelation {
  return { alias: alias.toLowerCase(), path: [], columns, any: undefined, hidden: false, index: undefined }
}

/** Aliases of outputs are looked up: never, or before or after columns. */
export type AliasRule = 'none' | 'after' | 'before'

/** The column that a reference means, or undefined (with a doubt noted) when it cannot be told. */
export function findReference(
  r: Resolving,
  reference: Reference,
  scope: Scope,
  aliases: AliasRule,
): OutColumn | undefined {
  const parts = reference.parts
  if (parts.length > 1) return findQualified(r, reference, scope)
  const name = parts[0]!
  const key = name.toLowerCase()
  if (name.charCodeAt(0) === 36) {
    // Snowflake: $2 is the second column of the only relation.
    const only = scope.relations.length === 1 ? positional(scope.relations[0]!, name) : undefined
    if (only) return only
  } else if (name.charCodeAt(0) === 35) {
    // DuckDB: #2 is the second column of all that FROM gives.
    const column = starColumns(r, scope)[Number(name.slice(1)) - 1]
    if (column && !column.open) return column
  }
  const isClickhouse = r.dialect.name === 'clickhouse'
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    if (at === scope && aliases === 'before') {
      const aliased = at.aliases?.get(key) ?? at.laterAlias?.(key)
      if (aliased) return aliased
    }
    const found = findInScope(r, at, name, key, reference)
    if (found) return found === AMBIGUOUS ? undefined : found
    if (at === scope && aliases === 'after') {
      const aliased = at.aliases?.get(key)
      if (aliased) return aliased
    }
    const variable = r.variables.get(key)
    if (variable) return variable.value
    const behind = isClickhouse ? columnBehindAlias(at.relations, key) : undefined
    if (behind) return behind
    const assumed = findAssumed(r, at, name, key, reference) ?? findBeside(r, at, name, key, reference)
    if (assumed) return assumed === AMBIGUOUS ? undefined : assumed
  }
  const outer = r.variables.get(key)
  if (outer) return outer.value
  if (aliases === 'none' && scope.aliases?.has(key) && r.lateral === 'none') {
    const aliased = scope.aliases.get(key)
    if (aliased) return aliased
  }
  if (isSystemColumn(r.dialect.name, key)) return systemColumn(r, scope, name)
  const hidden = hiddenColumn(r, scope, name, key)
  if (hidden) return hidden
  r.gathered.doubts.push({ code: 'UNRESOLVED_COLUMN', text: name, start: reference.start })
  return undefined
}

/** A column that every table has belongs to the only table there is. */
function systemColumn(r: Resolving, scope: Scope, name: string): OutColumn {
  const tables = scope.relations.map(onlyTable).filter((table) => table !== null)
  const [table] = tables
  if (tables.length !== 1 || table === undefined) return outColumn(name, NO_SOURCES)
  return outColumn(name, [{ column: r.tables.columnOf(table, name), kind: KIND.identity }])
}

/** A column that only its name brings to light. */
function hiddenColumn(r: Resolving, scope: Scope, name: string, key: string): OutColumn | undefined {
  for (let at: Scope | undefined = scope; at; at = at.parent)
    for (const table of at.relations.map(onlyTable))
      if (table?.hidden?.has(key))
        return outColumn(name, [{ column: r.tables.columnOf(table, name), kind: KIND.identity }])
  return undefined
}

const AMBIGUOUS: OutColumn = outColumn('', NO_SOURCES)

/** A known column of one of the scope's relations. */
function findInScope(
  r: Resolving,
  scope: Scope,
  name: string,
  key: string,
  reference: Reference,
): OutColumn | undefined {
  const merged = scope.merged?.get(key)
  if (merged) return mergedColumn(r, merged, name, key)
  let found: OutColumn | undefined
  let count = 0
  for (const relation of scope.relations) {
    if (relation.silent || relation.beside) continue
    const column = knownColumn(r, relation, name, key, reference)
    if (!column) continue
    if (relation.overlay) return column
    count++
    found ??= column
  }
  if (count < 2) return found
  r.gathered.doubts.push({ code: 'AMBIGUOUS_COLUMN', text: name, start: reference.start })
  return AMBIGUOUS
}

/** Columns of one name that a join made one. */
function mergedColumn(r: Resolving, relations: readonly ScopeRelation[], name: string, key: string): OutColumn {
  let sources: Sources = NO_SOURCES
  for (const relation of relations) {
    const column = knownColumn(r, relation, name, key, undefined) ?? openColumnNamed(r, relation, name, key)
    if (column) sources = union(sources, column.sources)
  }
  return outColumn(name, sources)
}

/** A column named over relations whose columns are not known: it is of the only one that may have it. */
function findAssumed(
  r: Resolving,
  scope: Scope,
  name: string,
  key: string,
  reference: Reference,
): OutColumn | undefined {
  const whole = wholeRow(r, scope, name, key, reference)
  if (whole) return whole
  let found: OutColumn | undefined
  let count = 0
  for (const relation of scope.relations) {
    if (relation.silent || relation.beside) continue
    const column = openColumnNamed(r, relation, name, key)
    if (!column) continue
    count++
    found ??= column
  }
  if (count === 1) return found
  if (count === 0)
    for (const relation of scope.relations) {
      const field = spreadColumn(r, relation, [name])
      if (field) return field
    }
  if (count > 1) {
    const owned = ownedByCatalog(r, scope, name, key)
    if (owned) return owned
    r.gathered.doubts.push({ code: 'AMBIGUOUS_COLUMN', text: name, start: reference.start })
    return AMBIGUOUS
  }
  for (const relation of scope.relations)
    if (relation.any && (relation.any.length > 0 || !isKnownOutside(r, scope, name, key)))
      return elementPart(r, relation, name)
  return undefined
}

/** The column of the only relation that the database's own catalog lets have it. */
function ownedByCatalog(r: Resolving, scope: Scope, name: string, key: string): OutColumn | undefined {
  if (!scope.relations.some((relation) => catalogHas(relation.path, key) !== undefined)) return undefined
  let found: OutColumn | undefined
  let isOwned = false
  let count = 0
  for (const relation of scope.relations) {
    if (relation.silent || relation.beside) continue
    const has = catalogHas(relation.path, key)
    if (has === false || (isOwned && has !== true)) continue
    const column = openColumnNamed(r, relation, name, key)
    if (!column) continue
    if (has === true && !isOwned) [isOwned, count] = [true, 0]
    if (count++ === 0) found = column
  }
  return count === 1 ? found : undefined
}

/** A name that only the other side of a semi join can mean, as its condition may. */
function findBeside(
  r: Resolving,
  scope: Scope,
  name: string,
  key: string,
  reference: Reference,
): OutColumn | undefined {
  let found: OutColumn | undefined
  for (const relation of scope.relations)
    if (relation.beside)
      found ??= knownColumn(r, relation, name, key, reference) ?? openColumnNamed(r, relation, name, key)
  return found
}

/** Whether a query around this one has a column of that name for certain. */
function isKnownOutside(r: Resolving, scope: Scope, name: string, key: string): boolean {
  for (let at = scope.parent; at; at = at.parent)
    if (at.relations.some((relation) => knownColumn(r, relation, name, key, undefined))) return true
  return false
}

const ROW_DIALECTS: ReadonlySet<string> = new Set([
  'postgres',
  'greenplum',
  'materialize',
  'duckdb',
  'bigquery',
  'redshift',
  'vertica',
  'sqlite',
])

const ROW_FUNCTION =
  /\b(?:snippet|highlight|bm25|offsets|matchinfo|to_jsonb?|row_to_json|jsonb?_agg|array_agg|to_json_string|hstore|any_value)\s*\(\s*$/i

/**
 * An alias as a value is the whole row: to_json(t), count(t). `SELECT status FROM status` means the column of that name
 * all the same, which only known columns could rule out.
 */
function wholeRow(r: Resolving, scope: Scope, name: string, key: string, reference: Reference): OutColumn | undefined {
  // Oracle: VALUE(e) of rows that a function makes.
  if (r.dialect.name === 'oracle') {
    const rows = scope.relations.find(
      (relation) => relation.alias === key && relation.any && relation.path.length === 0,
    )
    return rows && outColumn(key, raised(rows.any!, KIND.transformed))
  }
  if (!ROW_DIALECTS.has(r.dialect.name)) return undefined
  for (const relation of scope.relations) {
    if (relation.alias === key && relation.path.length === 0 && relation.columns.length > 0 && !relation.any)
      return { ...outColumn(key, allSources(relation.columns, KIND.transformed)), fields: relation.columns }
    if (relation.alias !== key || relation.path.length === 0) continue
    if (
      relation.path.at(-1) === key &&
      !ROW_FUNCTION.test(r.text.slice(Math.max(0, reference.start - 40), reference.start))
    ) {
      const column = openColumnNamed(r, relation, name, key)
      if (column) return column
    }
    return { ...outColumn(key, allSources(relation.columns, KIND.transformed)), fields: relation.columns }
  }
  return undefined
}
