/** The table that a statement writes, and the edges into its columns. */

import type { Item } from '../ir/expression.ts'
import type { Relation, TableName } from '../ir/query.ts'
import type { Assignment } from '../ir/statement.ts'
import { type Edge, type Landing, edge } from './edges.ts'
import { expressionSources, valueOf } from './expression.ts'
import {
  type CteEnv,
  KIND,
  type OutColumn,
  type Resolving,
  type Scope,
  type ScopeRelation,
  type Table,
} from './model.ts'
import { resolveQuery } from './query.ts'
import { newScope } from './scope.ts'
import { namedBySchema } from './qualified.ts'
import { openColumn, outColumn, raised, union } from './sources.ts'

export const NOT_FIXED: ReadonlySet<string> = new Set()

export const BY_NAME: Landing = { names: undefined, byName: true, fixed: NOT_FIXED, defines: false }

/** A statement's effect, as the session takes it. */
export interface Effect {
  readonly edges: Edge[]
  /** Tables that the statement defines, with their columns. */
  readonly defined: Defined[]
  /** Variables that an UPDATE sets, with their values. */
  readonly assigned?: (readonly [string, OutColumn])[]
}

export interface Defined {
  readonly table: Table
  readonly columns: readonly OutColumn[]
  /** Names of columns that `*` leaves out. */
  readonly hidden?: readonly string[]
  readonly temporary: boolean
  /** Replaces what was known (CREATE), or adds to it (INSERT). */
  readonly replaces: boolean
}

/** Resolving with the place where edges gather. */
export interface StatementResolving extends Resolving {
  readonly effect: Effect
}

export function write(r: StatementResolving, written: TableName): Table | undefined {
  const name = written.sort === 'hole' ? r.tables.known(written) : written
  const table = r.tables.find(name)
  if (name.sort === 'hole' && !r.tables.folded(table)) {
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: name.parts.join('.'), start: name.start })
    return undefined
  }
  r.gathered.outputs.add(table)
  return table
}

/** The target as a relation of its own; reading it there makes it no input. */
export function targetRelation(target: Table, alias: string | undefined): ScopeRelation {
  const path = target.parts.map((part) => part.toLowerCase())
  const columns = target.columns ?? [openColumn([{ table: target, except: undefined, kind: KIND.identity }])]
  return {
    alias: (alias ?? target.parts.at(-1) ?? '').toLowerCase(),
    path,
    columns,
    any: undefined,
    hidden: false,
    index: undefined,
  }
}

export function targetScope(target: Table, alias: string | undefined, env: CteEnv | undefined): Scope {
  const scope = newScope(undefined, env)
  scope.relations.push(targetRelation(target, alias))
  return scope
}

export function assign(
  r: StatementResolving,
  assignments: readonly Assignment[],
  target: Table,
  scope: Scope,
  branch?: Edge['branch'],
): void {
  for (const assignment of assignments) {
    const values = assignedColumns(r, assignment, scope)
    if (assignment.variable !== undefined && values[0]) r.effect.assigned?.push([assignment.variable, values[0]])
    for (const [index, parts] of assignment.targets.entries()) {
      const column = values[index] ?? values[0]
      if (!column || parts.length === 0) continue
      const name = targetColumnName(target, columnPath(r, parts, scope))
      const landed = assignment.compound ? withHeld(r, target, name, column) : column
      r.effect.edges.push(edge(target, name, landed, branch))
    }
  }
}

/** What is assigned together with what the column held before. */
function withHeld(r: StatementResolving, target: Table, name: string, column: OutColumn): OutColumn {
  const held = { column: r.tables.columnOf(target, name), kind: KIND.transformed }
  return { ...column, sources: union([held], raised(column.sources, KIND.transformed)) }
}

/** Values of an assignment: one, or one a target for `(a, b) = (SELECT …)`. */
function assignedColumns(r: StatementResolving, assignment: Assignment, scope: Scope): readonly OutColumn[] {
  const item: Item = { expression: assignment.expression, start: assignment.start, end: assignment.end }
  if (assignment.targets.length > 1) {
    const query = assignment.expression.queries[0]?.query
    if (query && assignment.expression.references.length === 0)
      return resolveQuery(r, query, scope.env, scope).map((column) => ({ ...column, item: column.item ?? item }))
    const { references } = assignment.expression
    if (references.length === assignment.targets.length) {
      return references.map((reference) => ({
        ...outColumn(
          '',
          expressionSources(r, { ...assignment.expression, references: [reference], form: 'column' }, scope),
        ),
        item,
      }))
    }
  }
  const value = valueOf(r, assignment.expression, scope, 'none', undefined)
  return [{ name: '', key: '', sources: value.sources, open: undefined, item, doubt: value.doubt }]
}

/** Without the table's name in front: a column, or a struct's field as one name. */
function columnPath(r: StatementResolving, parts: readonly string[], scope: Scope): readonly string[] {
  if (parts.length === 1) return parts
  const first = parts[0]!.toLowerCase()
  const relations = scope.parent ? [...scope.relations, ...scope.parent.relations] : scope.relations
  const target = relations.find((one) => (one.alias || one.path.at(-1)) === first)
  if (parts.length > 2 && target && !namedBySchema(r, target, parts))
    return r.profile === 'datahub' ? [parts.slice(1).join('.')] : [parts[1]!]
  if (relations.some((one) => one.alias === first || one.path.includes(first))) return parts
  return r.profile === 'datahub' ? [parts.join('.')] : [parts[0]!]
}

export function targetColumnName(target: Table, parts: readonly string[]): string {
  const name = parts.at(-1)!
  const key = name.toLowerCase()
  return target.columns?.find((column) => column.key === key)?.name ?? name
}

/** T-SQL: UPDATE a SET … FROM t AS a; the relation that the alias names. */
export function aliasedTarget(target: TableName, relations: readonly Relation[]): Relation | undefined {
  const key = target.parts.join('.').toLowerCase()
  const flat = relations.flatMap((relation) => (relation.kind === 'group' ? relation.relations : [relation]))
  if (target.parts.length === 1) {
    const aliased = flat.find((relation) => relation.alias?.toLowerCase() === key)
    if (aliased) return aliased
  }
  return flat.find(
    (relation) =>
      relation.kind === 'table' && relation.alias === undefined && relation.name.parts.join('.').toLowerCase() === key,
  )
}

/** A name that the text tells, or a table variable. */
export function isKnownTarget(r: StatementResolving, name: TableName): boolean {
  return name.sort !== 'hole' || r.tables.folded(r.tables.find(name)) !== undefined
}

/** Not the name of a CTE (T-SQL updates through those). */
export function isBaseTarget(r: StatementResolving, name: TableName, env: CteEnv | undefined): boolean {
  void r
  if (name.parts.length > 1) return true
  for (let at = env; at; at = at.parent) if (at.key === name.parts[0]!.toLowerCase()) return false
  return true
}

/** The one table that a relation's columns come from: where an UPDATE of a CTE or derived table writes. */
export function tableBehind(relation: ScopeRelation | undefined): Table | undefined {
  for (const column of relation?.columns ?? []) {
    const table = column.open?.[0]?.table ?? column.sources[0]?.column.table
    if (table) return table
  }
  return undefined
}

/** The column that an alias of a query stands for, where the query is written through: UPDATE (SELECT a.x AS y …) SET y = 1. */
function writtenThrough(
  relation: ScopeRelation | undefined,
  name: string | undefined,
): { readonly table: Table; readonly name: string } | undefined {
  if (!relation || relation.path.length > 0 || name === undefined) return undefined
  const key = name.toLowerCase()
  const sources = relation.columns.find((column) => column.key === key)?.sources ?? []
  const [source] = sources
  if (sources.length !== 1 || source?.kind !== KIND.identity || !source.column.table) return undefined
  return { table: source.column.table, name: source.column.name }
}

/** Assignments may name their table (MySQL's UPDATE a JOIN b SET a.x = …, b.y = …). */
export function assignTo(
  r: StatementResolving,
  assignments: readonly Assignment[],
  target: Table | undefined,
  scope: Scope,
): void {
  const written = new Set<Table>()
  for (const assignment of assignments) {
    const parts = assignment.targets[0] ?? []
    // `t.s.field` is a field of t's column s, also where another relation is called s.
    const own = parts.length > 2 && scope.relations[0]?.alias === parts[0]!.toLowerCase()
    const qualifier = own ? undefined : parts.length > 1 ? parts.at(-2)!.toLowerCase() : undefined
    const relation =
      qualifier === undefined
        ? undefined
        : scope.relations.find((one) => one.alias === qualifier || one.path.at(-1) === qualifier)
    const through = writtenThrough(relation ?? scope.relations[0], parts.at(-1))
    const table = through?.table ?? (relation && tableBehind(relation)) ?? target
    if (!table) continue
    written.add(table)
    r.gathered.outputs.add(table)
    if (r.profile === 'datahub' && !r.tables.folded(table)) countUpdated(r, table)
    assign(
      r,
      [through && assignment.targets.length === 1 ? { ...assignment, targets: [[through.name]] } : assignment],
      table,
      scope,
    )
  }
  for (const table of written) if (table !== target && r.profile !== 'datahub') r.gathered.inputs.delete(table)
  if (target && (written.size === 0 || written.has(target))) {
    r.gathered.outputs.add(target)
    if (r.profile === 'datahub' && !r.tables.folded(target)) countUpdated(r, target)
  } else if (target && written.size > 0 && !written.has(target) && !r.tables.folded(target))
    r.gathered.inputs.add(target)
}

function countUpdated(r: StatementResolving, table: Table): void {
  r.gathered.inputs.add(table)
  r.gathered.updated.add(table)
}
