/** `*` and `t.*` with EXCEPT, REPLACE, RENAME and patterns. */

import { assertNever } from '../../model/errors.ts'
import type { Star, StarPattern } from '../ir/expression.ts'
import { isPlaceholder } from '../template/marks.ts'
import { clickhouseColumns } from './clickhouse-name.ts'
import { KIND, NO_SOURCES, type OutColumn, type Resolving, type Scope, type ScopeRelation } from './model.ts'
import { findReference } from './scope.ts'
import { starColumns } from './star-columns.ts'
import { allSources, openColumn, outColumn, raised, union } from './sources.ts'
import { structFields, structRows } from './struct-fields.ts'

/** The columns that a star stands for. */
export function expandStar(r: Resolving, star: Star, scope: Scope): readonly OutColumn[] {
  const columns = star.of
    ? structColumns(r, star, scope)
    : star.qualifier
      ? qualified(r, star.qualifier, scope)
      : starColumns(r, scope)
  if (star.except.length === 0 && star.replace.length === 0 && !star.rename && !star.matching)
    return star.applied ? applied(columns, star.applied) : columns
  const kept = modified(r, star, columns, scope)
  return star.applied ? applied(kept, star.applied) : kept
}

/** ClickHouse: `* APPLY (toString) APPLY (length)` gives `length(toString(x))` for each column x. */
function applied(columns: readonly OutColumn[], functions: readonly string[]): readonly OutColumn[] {
  return columns.map((column) => {
    const open = column.open?.map((one) => ({ ...one, kind: KIND.transformed }))
    if (open) return { ...column, open }
    const name = functions.reduce((inner, text) => (text === '' ? inner : `${text}(${inner})`), column.name)
    return { ...column, name, key: name.toLowerCase(), sources: raised(column.sources, KIND.transformed) }
  })
}

/** `(expression).*`: fields of a struct; a whole row is its relation's columns. */
function structColumns(r: Resolving, star: Star, scope: Scope): readonly OutColumn[] {
  const expression = star.of!
  const fields = structFields(r, expression, scope) ?? structRows(r, expression, scope)
  if (fields) return fields
  const relations = expression.references
    .filter((reference) => reference.parts.length === 1)
    .map((reference) => scope.relations.find((relation) => relation.alias === reference.parts[0]!.toLowerCase()))
    .filter((relation) => relation !== undefined)
  if (relations.length > 0) return oneOf(relations.map((relation) => relation.columns))
  const [row] = expression.references
  if (row && expression.form === 'column') {
    const column = findReference(r, row, scope, r.lateral)
    if (column?.fields) return column.fields
  }
  return [{ ...outColumn('*', r.rules.expression(r, expression, scope)), spread: true }]
}

/** `IF(x, a, b).*`: one row of the two, whose fields come from both by name. */
function oneOf(rows: readonly (readonly OutColumn[])[]): readonly OutColumn[] {
  if (rows.length === 1) return rows[0]!
  const fields = new Map<string, OutColumn>()
  for (const field of rows.flat()) {
    const before = fields.get(field.key)
    fields.set(field.key, before ? joinedField(before, field) : field)
  }
  return [...fields.values()]
}

function joinedField(one: OutColumn, other: OutColumn): OutColumn {
  const sources = union(raised(one.sources, KIND.transformed), raised(other.sources, KIND.transformed))
  return { ...one, sources, open: one.open && other.open ? [...one.open, ...other.open] : undefined }
}

function qualified(r: Resolving, qualifier: readonly string[], scope: Scope): readonly OutColumn[] {
  // A template's macro stands here: any number of columns, of no table (template/marks.ts).
  if (isPlaceholder(qualifier)) {
    const table = r.tables.find({ parts: qualifier, start: 0, end: 0, sort: 'table', quoted: 0 })
    return [openColumn([{ table, except: undefined, kind: KIND.transformed }])]
  }
  const relation = findRelation(qualifier, scope)
  if (relation) {
    if (relation.any && relation.columns.length === 0) return [{ ...outColumn('*', relation.any), spread: true }]
    if (relation.any && relation.columns.every((column) => isElement(relation, column)))
      return relation.any.length === 0
        ? relation.columns
        : [{ ...outColumn(relation.alias, relation.any), spread: true }]
    return r.dialect.name === 'clickhouse' ? clickhouseColumns([relation], scope) : relation.columns
  }
  // A record's fields, or in a trigger the row's: NEW.*, OLD.*.
  const row = qualifier.length === 1 ? r.variables.get(qualifier[0]!.toLowerCase())?.row : undefined
  if (row) return row
  // Not a relation: a struct column's fields.
  const column = findReference(r, { parts: qualifier, quoted: false, start: 0, end: 0, role: 0 }, scope, r.lateral)
  if (column?.fields && r.dialect.name === 'clickhouse') return dotted(qualifier, column.fields)
  if (column?.fields) return column.fields
  const sources = column?.sources ?? NO_SOURCES
  return sources.length === 0 ? [] : [{ ...outColumn(`${qualifier.join('.')}.*`, sources), spread: true }]
}

/** ClickHouse: `t.*` of a tuple gives t.a and t.b. */
function dotted(qualifier: readonly string[], fields: readonly OutColumn[]): readonly OutColumn[] {
  return fields.map((field) => {
    const name = [...qualifier, field.name].join('.')
    return { ...field, name, key: name.toLowerCase() }
  })
}

/** The column that stands for an element whose fields are not known. */
function isElement({ alias }: ScopeRelation, { key, fields }: OutColumn): boolean {
  return key === alias && fields === undefined
}

function findRelation(qualifier: readonly string[], scope: Scope): ScopeRelation | undefined {
  const last = qualifier.at(-1)!.toLowerCase()
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    if (qualifier.length === 1) {
      const aliased = at.relations.find((relation) => relation.alias === last)
      if (aliased) return aliased
    }
    const named = at.relations.find((relation) => {
      const path = relation.path
      return (
        path.length >= qualifier.length &&
        qualifier.every((part, index) => path[path.length - qualifier.length + index] === part.toLowerCase())
      )
    })
    if (named) return named
  }
  return undefined
}

function modified(r: Resolving, star: Star, columns: readonly OutColumn[], scope: Scope): readonly OutColumn[] {
  const except = new Set(star.except)
  const replaced = new Map(
    star.replace.map((item) => [
      (item.alias ?? '').toLowerCase(),
      outColumn(item.alias ?? '', r.rules.expression(r, item.expression, scope)),
    ]),
  )
  const result: OutColumn[] = []
  const opened = columns.some((column) => column.open)
  for (const column of columns) {
    if (column.open) {
      const hidden = new Set([...except, ...replaced.keys(), ...(star.rename?.keys() ?? [])])
      if (!star.matching)
        result.push(
          openColumn(column.open.map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...hidden]) }))),
        )
      else result.push(column)
      continue
    }
    if (except.has(column.key) || (star.matching && !matches(star.matching, column.name))) continue
    const other = replaced.get(column.key)
    const name = star.rename?.get(column.key)
    if (other) result.push({ ...other, name: name ?? column.name, key: name?.toLowerCase() ?? column.key })
    else if (name !== undefined) result.push({ ...column, name, key: name.toLowerCase() })
    else result.push(column)
  }
  if (opened) {
    for (const [key, column] of replaced) if (!result.some((one) => one.key === key)) result.push(column)
    for (const [from, to] of star.rename ?? []) result.push(renamedFromOpen(r, columns, from, to))
  }
  return result
}

/** RENAME over a table not known: the column of the old name. */
function renamedFromOpen(r: Resolving, columns: readonly OutColumn[], from: string, to: string): OutColumn {
  for (const column of columns) {
    const open = column.open?.find((one) => !one.except?.has(from))
    if (open) return outColumn(to, [{ column: r.tables.columnOf(open.table, from), kind: open.kind }])
  }
  return outColumn(to, NO_SOURCES)
}

function matches(pattern: StarPattern, name: string): boolean {
  const found = test(pattern, name)
  return pattern.negated ? !found : found
}

function test(pattern: StarPattern, name: string): boolean {
  switch (pattern.kind) {
    case 'names':
      return pattern.pattern.split('\n').includes(name.toLowerCase())
    case 'regex':
      try {
        return new RegExp(pattern.pattern).test(name)
      } catch {
        return true
      }
    case 'glob':
      return likeMatch(pattern.pattern.replaceAll('*', '%').replaceAll('?', '_'), name)
    case 'ilike':
      return likeMatch(pattern.pattern.toLowerCase(), name.toLowerCase())
    case 'like':
      return likeMatch(pattern.pattern, name)
    default:
      return assertNever(pattern.kind)
  }
}

/** SQL LIKE, in time linear in both lengths for one `%` after the other. */
function likeMatch(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '_' || (pattern[p] === text[t] && pattern[p] !== '%'))) {
      p++
      t++
    } else if (p < pattern.length && pattern[p] === '%') {
      star = p++
      mark = t
    } else if (star >= 0) {
      p = star + 1
      t = ++mark
    } else return false
  }
  while (p < pattern.length && pattern[p] === '%') p++
  return p === pattern.length
}

/** Sources of all columns of a star, for a function over it. */
export function starSources(r: Resolving, star: Star, scope: Scope) {
  return allSources(expandStar(r, star, scope), KIND.transformed)
}
