/** `alias.column` and longer: the relation of that alias or table name, and what follows as a path into its column. */
import {
  KIND,
  NO_SOURCES,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Table,
} from './model.ts'
import type { Reference } from '../ir/expression.ts'
import { variableNamed } from './variable.ts'
import { columnBehindAlias, knownColumn } from './known-column.ts'
import { openColumnNamed } from './open.ts'
import { outColumn, raised } from './sources.ts'
import { isSystemColumn } from './system-columns.ts'

export function findQualified(r: Resolving, reference: Reference, scope: Scope): OutColumn | undefined {
  const parts = reference.parts
  const first = parts[0]!.toLowerCase()
  // Exasol: LOCAL.x is the output called x.
  const local =
    first === 'local' && r.dialect.name === 'exasol' ? scope.aliases?.get(parts[1]!.toLowerCase()) : undefined
  if (local) return local
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    for (const relation of at.relations) {
      if (relation.alias !== first) continue
      // PostgreSQL: (r).id may mean the column r of the relation r.
      const field = lacks(relation, parts[1]!) ? structField(r, reference, at) : undefined
      return field ?? columnWithPath(r, relation, parts, namedBySchema(r, relation, parts) ? 2 : 1, reference)
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

/** Whether it has no column of that name for certain, but one of its own that has fields. */
function lacks({ alias, columns, any }: ScopeRelation, name: string): boolean {
  const key = name.toLowerCase()
  return (
    !any &&
    columns.some((column) => column.key === alias && column.fields) &&
    !columns.some((column) => column.key === key || column.open || column.spread)
  )
}

/** A field of what a star of unknown names stands for. */
export function spreadColumn(r: Resolving, relation: ScopeRelation, path: readonly string[]): OutColumn | undefined {
  const column = relation.columns.find((one) => one.spread)
  return column && { ...withPath(r, column, path), name: path[0]!, key: path[0]!.toLowerCase(), spread: undefined }
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
  const open = openColumnNamed(r, relation, name, key) ?? spreadColumn(r, relation, parts.slice(at))
  if (open) return open
  const behind = r.dialect.name === 'clickhouse' ? columnBehindAlias([relation], key) : undefined
  if (behind) return behind
  if (relation.any) return elementPart(r, relation, name)
  return missingColumn(r, relation, name, reference)
}

/** A part of an element; Impala's `pos` is its place. */
export function elementPart(r: Resolving, { any }: ScopeRelation, name: string): OutColumn {
  const isPlace = r.dialect.name === 'impala' && name.toLowerCase() === 'pos'
  return outColumn(name, isPlace || !any ? NO_SOURCES : raised(any, KIND.transformed))
}

/** Snowflake: t.$2 is the second column. */
export function positional(relation: ScopeRelation, name: string): OutColumn | undefined {
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
export function onlyTable(relation: ScopeRelation): Table | null {
  if (relation.path.length === 0) return null
  const source = relation.columns[0]?.sources[0]
  const table = source?.column.table ?? null
  return table && table.columns === relation.columns ? table : null
}

/** A field of a struct column: one column with its path (profile datahub), or the column. */
export function withPath(r: Resolving, column: OutColumn, path: readonly string[]): OutColumn {
  const field = column.fields && path.length > 0 ? fieldNamed(r, column.fields, path[0]!) : undefined
  if (field) return path.length > 1 ? withPath(r, field, path.slice(1)) : field
  if (r.profile !== 'datahub' || column.sources.length !== 1) return column
  const source = column.sources[0]!
  if (source.kind !== KIND.identity || !source.column.table) return column
  const name = [source.column.name, ...path].join('.')
  return { ...column, sources: [{ column: r.tables.columnOf(source.column.table, name), kind: KIND.identity }] }
}

/** ClickHouse: `t.1` is the first field. */
const PLACE = /^\d{1,3}$/

function fieldNamed(r: Resolving, fields: readonly OutColumn[], name: string): OutColumn | undefined {
  const key = name.toLowerCase()
  const placed = PLACE.test(name) && fields.every((field) => !field.open) ? fields[Number(name) - 1] : undefined
  return (
    fields.find((field) => field.key === key && !field.open) ??
    placed ??
    openColumnNamed(r, { columns: fields }, name, key)
  )
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
    if (aliased && r.lateral !== 'none') return withPath(r, aliased, parts.slice(1))
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
