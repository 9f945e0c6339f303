/**
 * What a name means at a place.
 *
 *   column        the only relation with a known column of that name; else an output's alias where the dialect lets one
 *                 be used; else the only relation whose columns are not known; else the scope around
 *   alias.column  the relation of that alias, or of that table name; else a field of a struct column
 */

import type { Reference } from '../ir/expression.ts'
import {
  KIND,
  NO_SOURCES,
  type CteEnv,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Sources,
  type Table,
} from './model.ts'
import { openColumnNamed } from './open.ts'
import { variableNamed } from './variable.ts'
import { starColumns } from './star-columns.ts'
import { isSystemColumn } from './system-columns.ts'
import { allSources, outColumn, raised, union } from './sources.ts'

export function newScope(parent: Scope | undefined, env: CteEnv | undefined): Scope {
  return { relations: [], parent, env, merged: undefined, aliases: undefined }
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

/** ClickHouse: a derived table's column that a join made `r.id` is found by `id`, as older servers call it. */
function columnBehindAlias(relations: readonly ScopeRelation[], key: string): OutColumn | undefined {
  const found = relations
    .filter(({ path }) => path.length === 0)
    .flatMap(({ columns }) => columns.filter((column) => column.key.endsWith(`.${key}`) && !column.open))
  return found.length === 1 ? found[0] : undefined
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

/** The column of a relation by name: exactly, else the only one that matches without case. */
export function knownColumn(
  r: Resolving,
  relation: ScopeRelation,
  name: string,
  key: string,
  reference: Reference | undefined,
): OutColumn | undefined {
  const columns = relation.columns
  if (columns.length <= 6 && relation.index === undefined) {
    let loose: OutColumn | undefined
    let count = 0
    for (const column of columns) {
      if (column.key !== key || column.open) continue
      if (column.name === name) return column
      loose = column
      count++
    }
    if (count > 1 && reference) r.gathered.doubts.push({ code: 'AMBIGUOUS_CASE', text: name, start: reference.start })
    return count === 1 ? loose : count > 1 ? loose : undefined
  }
  relation.index ??= indexOf(columns)
  const found = relation.index.get(key)
  if (found === undefined) return undefined
  if (!Array.isArray(found)) return found as OutColumn
  const several = found as readonly OutColumn[]
  const exact = several.find((column) => column.name === name)
  if (exact) return exact
  if (reference) r.gathered.doubts.push({ code: 'AMBIGUOUS_CASE', text: name, start: reference.start })
  return several[0]
}

function indexOf(columns: readonly OutColumn[]): Map<string, OutColumn | readonly OutColumn[]> {
  const index = new Map<string, OutColumn | readonly OutColumn[]>()
  for (const column of columns) {
    if (column.open) continue
    const before = index.get(column.key)
    if (before === undefined) index.set(column.key, column)
    else
      index.set(
        column.key,
        Array.isArray(before) ? [...(before as readonly OutColumn[]), column] : [before as OutColumn, column],
      )
  }
  return index
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
  if (count === 1) {
    return found
  }
  if (count > 1) {
    r.gathered.doubts.push({ code: 'AMBIGUOUS_COLUMN', text: name, start: reference.start })
    return AMBIGUOUS
  }
  for (const relation of scope.relations)
    if (relation.any && (relation.any.length > 0 || !isKnownOutside(r, scope, name, key)))
      return outColumn(name, raised(relation.any, KIND.transformed))
  return undefined
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
])

const ROW_FUNCTION = /\b(?:to_jsonb?|row_to_json|jsonb?_agg|array_agg|to_json_string|hstore|any_value)\s*\(\s*$/i

/**
 * An alias as a value is the whole row: to_json(t), count(t). `SELECT status FROM status` means the column of that name
 * all the same, which only known columns could rule out.
 */
function wholeRow(r: Resolving, scope: Scope, name: string, key: string, reference: Reference): OutColumn | undefined {
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

function findQualified(r: Resolving, reference: Reference, scope: Scope): OutColumn | undefined {
  const parts = reference.parts
  const first = parts[0]!.toLowerCase()
  // Exasol: LOCAL.x is the output called x.
  const local =
    first === 'local' && r.dialect.name === 'exasol' ? scope.aliases?.get(parts[1]!.toLowerCase()) : undefined
  if (local) return local
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    for (const relation of at.relations) {
      if (relation.alias === first)
        return columnWithPath(r, relation, parts, namedBySchema(r, relation, parts) ? 2 : 1, reference)
    }
    for (const relation of at.relations) {
      const taken = qualifierLength(relation, parts)
      if (taken > 0) return columnWithPath(r, relation, parts, taken, reference)
    }
  }
  const longer = findLongerQualified(r, reference, scope)
  if (longer) return longer
  const variable = variableNamed(r, parts)
  if (variable) return variable
  // Nothing has that name: a struct column's field, where one relation may own the column.
  const field = structField(r, reference, scope)
  if (field) return field
  r.gathered.doubts.push({ code: 'UNKNOWN_QUALIFIER', text: parts.join('.'), start: reference.start })
  return undefined
}

/** `catalog.schema.table.column` of a table that FROM names without its catalog. */
function findLongerQualified(r: Resolving, reference: Reference, scope: Scope): OutColumn | undefined {
  const parts = reference.parts
  if (parts.length < 3) return undefined
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    for (const relation of at.relations) {
      const { path } = relation
      // One part could be a table, or a column with a path of fields behind it.
      for (let taken = parts.length - 1; path.length > 0 && taken > path.length; taken--) {
        const named = parts.slice(taken - path.length, taken)
        if (named.every((part, i) => part.toLowerCase() === path[i]))
          return columnWithPath(r, relation, parts, taken, reference)
      }
    }
  }
  return undefined
}

/** `person.person.id` of person.person: schema and table. BigQuery has no such names, there it is a field. */
export function namedBySchema(r: Resolving, relation: ScopeRelation, parts: readonly string[]): boolean {
  if (parts.length < 3 || relation.path.at(-1) !== relation.alias || r.dialect.name === 'bigquery') return false
  if (qualifierLength(relation, parts) !== 2) return false
  const has = (name: string | undefined) => relation.columns.some(({ key }) => key === name?.toLowerCase())
  return !has(parts[1]) || (parts.length > 3 && has(parts[2]))
}

/** How many leading parts name the relation's table: 1 for `table.column`, 3 for `db.schema.table.column`; 0 for none. */
function qualifierLength(relation: ScopeRelation, parts: readonly string[]): number {
  const path = relation.path
  for (let length = Math.min(parts.length - 1, path.length); length > 0; length--) {
    let same = true
    for (let i = 0; i < length; i++) {
      if (path[path.length - length + i] !== parts[i]!.toLowerCase()) {
        same = false
        break
      }
    }
    if (same) return length
  }
  return 0
}

/** Column `parts[at]` of a relation; what follows is a path into it. */
function columnWithPath(
  r: Resolving,
  relation: ScopeRelation,
  parts: readonly string[],
  at: number,
  reference: Reference,
): OutColumn | undefined {
  const name = parts[at]!
  const key = name.toLowerCase()
  const known = knownColumn(r, relation, name, key, reference) ?? positional(relation, name)
  if (parts.length > at + 1) {
    // A catalog may list the fields of a struct as columns of their own.
    const dotted = parts.slice(at).join('.')
    const listed = knownColumn(r, relation, dotted, dotted.toLowerCase(), undefined)
    if (listed) return listed
    if (known) return withPath(r, known, parts.slice(at + 1))
    const open = openColumnNamed(r, relation, r.profile === 'datahub' ? dotted : name, key)
    if (open) return open
  }
  if (known) return known
  const open = openColumnNamed(r, relation, name, key)
  if (open) return open
  const behind = r.dialect.name === 'clickhouse' ? columnBehindAlias([relation], key) : undefined
  if (behind) return behind
  if (relation.any) return outColumn(name, raised(relation.any, KIND.transformed))
  return missingColumn(r, relation, name, reference)
}

/** Snowflake: t.$2 is the second column. */
function positional(relation: ScopeRelation, name: string): OutColumn | undefined {
  if (name.charCodeAt(0) !== 36 || !/^\$\d+$/.test(name) || relation.columns.some((column) => column.open))
    return undefined
  return relation.columns[Number(name.slice(1)) - 1]
}

/** Qualified, but not among the table's known columns: the schema may be old, so the reference is believed. */
function missingColumn(
  r: Resolving,
  relation: ScopeRelation,
  name: string,
  reference: Reference,
): OutColumn | undefined {
  const table = onlyTable(relation)
  const key = name.toLowerCase()
  const system = isSystemColumn(r.dialect.name, key) || table?.hidden?.has(key)
  if (system && table) return outColumn(name, [{ column: r.tables.columnOf(table, name), kind: KIND.identity }])
  r.gathered.doubts.push({
    code: 'UNRESOLVED_COLUMN',
    text: `${relation.alias || relation.path.at(-1) || ''}.${name}`,
    start: reference.start,
  })
  if (!table) return undefined
  return {
    name,
    key: name.toLowerCase(),
    sources: [{ column: r.tables.columnOf(table, name), kind: KIND.identity }],
    open: undefined,
    item: undefined,
    doubt: 'UNRESOLVED_COLUMN',
  }
}

/** The base table that a relation is, if it is one. */
function onlyTable(relation: ScopeRelation): Table | null {
  if (relation.path.length === 0) return null
  const source = relation.columns[0]?.sources[0]
  const table = source?.column.table ?? null
  return table && table.columns === relation.columns ? table : null
}

/** A field of a struct column: one column with its path (profile datahub), or the column. */
function withPath(r: Resolving, column: OutColumn, path: readonly string[]): OutColumn {
  const field = column.fields && path.length > 0 ? fieldNamed(r, column.fields, path[0]!) : undefined
  if (field) return path.length > 1 ? withPath(r, field, path.slice(1)) : field
  if (r.profile !== 'datahub' || column.sources.length !== 1) return column
  const source = column.sources[0]!
  if (source.kind !== KIND.identity || !source.column.table) return column
  const name = [source.column.name, ...path].join('.')
  return { ...column, sources: [{ column: r.tables.columnOf(source.column.table, name), kind: KIND.identity }] }
}

function fieldNamed(r: Resolving, fields: readonly OutColumn[], name: string): OutColumn | undefined {
  const key = name.toLowerCase()
  return fields.find((field) => field.key === key && !field.open) ?? openColumnNamed(r, { columns: fields }, name, key)
}

const STRUCTLESS: ReadonlySet<string> = new Set(['mysql', 'mariadb', 'tsql', 'sqlite'])

function structField(r: Resolving, reference: Reference, scope: Scope): OutColumn | undefined {
  const parts = reference.parts
  const name = parts[0]!
  const key = name.toLowerCase()
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const dotted = parts.join('.')
    for (const relation of at.relations) {
      const listed = knownColumn(r, relation, dotted, dotted.toLowerCase(), undefined)
      if (listed) return listed
    }
    for (const relation of at.relations) {
      const known = knownColumn(r, relation, name, key, undefined)
      if (known) return withPath(r, known, parts.slice(1))
    }
    if (STRUCTLESS.has(r.dialect.name)) continue
    const aliased = at === scope ? at.aliases?.get(key) : undefined
    if (aliased && r.lateral !== 'none') return aliased
    let found: OutColumn | undefined
    let count = 0
    for (const relation of at.relations) {
      const column = openColumnNamed(r, relation, r.profile === 'datahub' ? dotted : name, key)
      if (!column) continue
      count++
      found ??= column
    }
    if (count === 1 && at.relations.length === 1) return found
    // A field of UNNEST's elements: SELECT value.int_value FROM UNNEST(params).
    const rows = count === 0 ? at.relations.find((one) => one.any && one.any.length > 0) : undefined
    if (rows) return outColumn(name, raised(rows.any!, KIND.transformed))
  }
  return undefined
}
