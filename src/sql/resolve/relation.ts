/** FROM: each relation becomes its columns; joins decide which of them merge or stay hidden. */

import { assertNever } from '../../model/errors.ts'
import type { Expression } from '../ir/expression.ts'
import type { DerivedRelation, Relation, TableRelation } from '../ir/query.ts'
import { findCte } from './cte.ts'
import {
  KIND,
  NO_COLUMNS,
  NO_SOURCES,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type ReadRelation,
} from './model.ts'
import { applyPivot } from './pivot.ts'
import { elementFields } from './element-columns.ts'
import { starColumns } from './star-columns.ts'
import { newScope } from './scope.ts'
import { openColumn, outColumn } from './sources.ts'
import { renamed } from './renamed.ts'
import { mergeJoined } from './joined-columns.ts'
import { readFunction } from './table-function.ts'

/** Adds a relation to the scope. */
export function resolveRelation(r: Resolving, relation: Relation, scope: Scope): void {
  if (relation.kind === 'group' && relation.alias === undefined && relation.pivots.length === 0) {
    const before = scope.relations.length
    for (const inner of relation.relations) resolveRelation(r, inner, scope)
    r.rules.uses(r, relation.uses, scope)
    if (relation.join.kind === 'semi' || relation.join.kind === 'anti') hide(scope, before)
    mergeJoined(r, scope, relation.join, before)
    return
  }
  const before = scope.relations.length
  scope.relations.push(scopeRelation(r, relation, scope))
  mergeJoined(r, scope, relation.join, before)
}

function hide(scope: Scope, from: number): void {
  for (let i = from; i < scope.relations.length; i++)
    scope.relations[i] = { ...scope.relations[i]!, hidden: true, beside: true }
}

function scopeRelation(r: Resolving, relation: Relation, scope: Scope): ScopeRelation {
  const base = readRelation(r, relation, scope)
  let columns = base.columns
  let alias = relation.alias
  let path = base.path
  let any = base.any
  if (relation.pivots.length === 0) {
    if (relation.columnAliases && relation.kind !== 'function') columns = renamed(columns, relation.columnAliases)
  } else {
    if (relation.columnAliases && relation.kind !== 'function') columns = renamed(columns, relation.columnAliases)
    for (const pivot of relation.pivots) {
      const pivoted = applyPivot(
        r,
        pivot,
        { alias: (alias ?? '').toLowerCase(), path, columns, any, hidden: false, index: undefined },
        scope,
      )
      columns = pivoted.columns
      any = pivoted.any ?? any
      if (pivot.alias !== undefined) alias = pivot.alias
    }
  }
  if (alias !== undefined && relation.kind === 'table' && base.isCte) path = []
  const overlay = relation.kind === 'function' && relation.name === 'arrayjoin'
  const beside = relation.join.kind === 'semi' || relation.join.kind === 'anti'
  const hidden = overlay || beside
  return { alias: (alias ?? base.alias).toLowerCase(), path, columns, any, hidden, overlay, beside, index: undefined }
}

function readRelation(r: Resolving, relation: Relation, scope: Scope): ReadRelation {
  switch (relation.kind) {
    case 'table':
      return readTable(r, relation, scope)
    case 'query': {
      const columns = r.rules.query(r, relation.query, scope.env, relation.lateral ? scope : scope.parent)
      return { columns, alias: '', path: [], any: undefined, isCte: false }
    }
    case 'function':
      return readFunction(r, relation, scope)
    case 'group': {
      const inner = newScope(scope.parent, scope.env)
      for (const one of relation.relations) resolveRelation(r, one, inner)
      r.rules.uses(r, relation.uses, inner)
      return { columns: starColumns(r, inner), alias: '', path: [], any: undefined, isCte: false }
    }
    case 'derived':
      return readDerived(r, relation, scope)
    default:
      return assertNever(relation)
  }
}

function readTable(r: Resolving, relation: TableRelation, scope: Scope): ReadRelation {
  const name = relation.name.sort === 'hole' ? r.tables.known(relation.name) : relation.name
  const last = name.parts.at(-1) ?? ''
  if (isDual(name.parts)) return { columns: NO_COLUMNS, alias: last, path: [], any: undefined, isCte: false }
  if (name.parts.length === 1 && name.sort !== 'path') {
    const cte = findCte(r, scope.env, last.toLowerCase())
    if (cte) return { columns: cte, alias: last, path: [], any: undefined, isCte: true }
  } else if (name.sort === 'table') {
    const view = findCte(r, scope.env, name.parts.join('.').toLowerCase())
    if (view)
      return {
        columns: view,
        alias: last,
        path: name.parts.map((part) => part.toLowerCase()),
        any: undefined,
        isCte: false,
      }
    if (isCollection(r, relation, scope)) return readCollection(r, relation, scope)
  }
  if (name.sort === 'hole') {
    const known = r.tables.find(name)
    const folded = r.tables.folded(known)
    if (folded) return { columns: folded, alias: last, path: [last.toLowerCase()], any: undefined, isCte: false }
    if (r.variables.has(last.toLowerCase()))
      return { columns: NO_COLUMNS, alias: last, path: [], any: NO_SOURCES, isCte: false }
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: last, start: name.start })
    return { columns: NO_COLUMNS, alias: last, path: [], any: NO_SOURCES, isCte: false }
  }
  const table = r.tables.find(name)
  const folded = r.tables.folded(table)
  const path = table.parts.map((part) => part.toLowerCase())
  if (folded) {
    for (const source of r.tables.behind(table)) r.gathered.inputs.add(source)
    return { columns: folded, alias: last, path, any: undefined, isCte: false }
  }
  r.gathered.inputs.add(table)
  if (table.columns) return { columns: table.columns, alias: last, path, any: undefined, isCte: false }
  return {
    columns: [openColumn([{ table, except: undefined, kind: KIND.identity }])],
    alias: last,
    path,
    any: undefined,
    isCte: false,
  }
}

/** DUAL and its kin hold one row and nothing. */
function isDual(parts: readonly string[]): boolean {
  const lower = (parts.at(-1) ?? '').toLowerCase()
  return (lower === 'dual' && (parts.length === 1 || parts[0]!.toLowerCase() === 'sys')) || lower === 'sysdummy1'
}

/** BigQuery, Redshift, Impala: FROM t, t.items reads a field of the table before. */
function isCollection(r: Resolving, relation: TableRelation, scope: Scope): boolean {
  if (!r.dialect.nestedCollections) return false
  const first = relation.name.parts[0]!.toLowerCase()
  const owner = relation.name.parts.slice(0, -1).map((part) => part.toLowerCase())
  for (let at: Scope | undefined = scope; at; at = at.parent)
    if (at.relations.some((one) => one.alias === first || (owner.length > 1 && endsWith(one.path, owner)))) return true
  return false
}

function endsWith(path: readonly string[], tail: readonly string[]): boolean {
  return path.length >= tail.length && tail.every((part, i) => part === path[path.length - tail.length + i])
}

function readCollection(r: Resolving, relation: TableRelation, scope: Scope): ReadRelation {
  const { parts, start, end } = relation.name
  const reference = { parts, quoted: false, start, end, role: 0 }
  const expression: Expression = {
    start,
    end,
    references: [reference],
    queries: [],
    stars: [],
    windows: [],
    form: 'column',
  }
  const any = r.rules.expression(r, expression, scope)
  const alias = relation.alias ?? parts.at(-1)!
  const position = relation.position === undefined ? [] : [outColumn(relation.position, NO_SOURCES)]
  const fields = elementFields(r, expression, scope)
  return { columns: [...(fields ?? [outColumn(alias, any)]), ...position], alias, path: [], any, isCte: false }
}

/** MATCH_RECOGNIZE: partition columns and measures, or all rows and measures. */
function readDerived(r: Resolving, relation: DerivedRelation, scope: Scope): ReadRelation {
  const inner = newScope(scope.parent, scope.env)
  resolveRelation(r, relation.source, inner)
  const source = inner.relations[0]!
  for (const variable of relation.variables)
    inner.relations.push({ ...source, alias: variable, path: [], hidden: true, silent: true })
  // Unqualified names are the source's alone; the variables are found by qualifier.
  const plain = { ...inner, relations: [source] }
  const measured = relation.measures.map((item) => {
    const qualified =
      item.expression.references.some((reference) => reference.parts.length > 1) ||
      item.expression.stars.some(({ star }) => star.qualifier !== undefined)
    return outColumn(
      item.alias ?? item.expression.name ?? 'measure',
      r.rules.expression(r, item.expression, qualified ? inner : plain),
    )
  })
  const partition = relation.partition.map((expression) =>
    outColumn(expression.references[0]?.parts.at(-1) ?? '', r.rules.expression(r, expression, plain)),
  )
  r.rules.uses(r, relation.uses, inner)
  const columns = relation.keepsAll ? [...source.columns, ...measured] : [...partition, ...measured]
  return { columns, alias: relation.alias ?? '', path: [], any: undefined, isCte: false }
}
