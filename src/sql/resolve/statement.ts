/** Statements: what each reads, writes, and which columns it feeds from where. */

import type { Expression, Item } from '../ir/expression.ts'
import type { Query, Relation, TableName } from '../ir/query.ts'
import type {
  Assignment,
  CallStatement,
  CopyStatement,
  CreateStatement,
  DeleteStatement,
  InsertAllStatement,
  InsertStatement,
  MergeAction,
  MergeStatement,
  Statement,
  UpdateStatement,
} from '../ir/statement.ts'
import { extendEnv, resolveUnused } from './cte.ts'
import { columnOf, edge, land, type Edge, type Landing } from './edges.ts'
import { expressionSources, resolveUses, valueOf } from './expression.ts'
import {
  KIND,
  NO_COLUMNS,
  NO_SOURCES,
  type CteEnv,
  type OutColumn,
  type Resolving,
  type ResolverRules,
  type Scope,
  type ScopeRelation,
  type Sources,
  type Table,
} from './model.ts'
import { resolveQuery } from './query.ts'
import { renamed, resolveRelation } from './relation.ts'
import { newScope } from './scope.ts'
import { openColumn, outColumn } from './sources.ts'
import { expandStar } from './star.ts'

const NOT_FIXED: ReadonlySet<string> = new Set()
const BY_NAME: Landing = { names: undefined, byName: true, fixed: NOT_FIXED, defines: false }

/** A statement's effect, as the session takes it. */
export interface Effect {
  readonly edges: Edge[]
  /** Tables that the statement defines, with their columns. */
  readonly defined: Defined[]
}

export interface Defined {
  readonly table: Table
  readonly columns: readonly OutColumn[]
  readonly temporary: boolean
  /** Replaces what was known (CREATE), or adds to it (INSERT). */
  readonly replaces: boolean
}

/** Resolving with the place where edges gather. */
export interface StatementResolving extends Resolving {
  readonly effect: Effect
}

/** Rules for `Resolving.rules`. */
export function resolverRules(
  resolveInner: (r: Resolving, statement: Statement, env: CteEnv | undefined) => readonly OutColumn[],
): ResolverRules {
  return {
    query: resolveQuery,
    relation: resolveRelation,
    expression: expressionSources,
    uses: resolveUses,
    statement: (r, statement, env) => rowsRead(r, statement, resolveInner(r, statement, env)),
  }
}

/** Db2: FINAL, NEW and OLD TABLE (INSERT …) read whole rows of the target, also columns that the statement leaves alone. */
function rowsRead(r: Resolving, statement: Statement, columns: readonly OutColumn[]): readonly OutColumn[] {
  if (!('returning' in statement) || statement.returning.length > 0) return columns
  const name = statement.kind === 'delete' ? statement.targets[0] : statement.target
  if (!name || name.sort === 'hole') return columns
  const written = new Set(columns.map(({ key }) => key))
  const rows = targetRelation(r.tables.find(name), undefined).columns.filter(
    ({ key, open }) => open || !written.has(key),
  )
  const others = rows.map((row) =>
    row.open ? { ...row, open: row.open.map((one) => ({ ...one, except: written })) } : row,
  )
  return [...columns, ...others]
}

/** Resolves a statement: edges and tables go to `r`; returned are the columns it gives as rows (RETURNING, a query). */
export function resolveStatement(
  r: StatementResolving,
  statement: Statement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  switch (statement.kind) {
    case 'query':
      return resolveQueryStatement(r, statement.query, env)
    case 'insert':
      return resolveInsert(r, statement, env)
    case 'multiInsert':
      for (const insert of statement.inserts) resolveInsert(r, insert, env)
      return NO_COLUMNS
    case 'insertAll':
      return resolveInsertAll(r, statement, env)
    case 'ctas':
    case 'view':
    case 'materializedView':
    case 'table':
      return resolveCreate(r, statement, env)
    case 'update':
      return resolveUpdate(r, statement, env)
    case 'delete':
      return resolveDelete(r, statement, env)
    case 'merge':
      return resolveMerge(r, statement, env)
    case 'copy':
      return resolveCopy(r, statement, env)
    case 'explain':
      return NO_COLUMNS
    case 'declare':
    case 'set':
      if (statement.query) return resolveQuery(r, statement.query, env, undefined)
      return assignedValues(r, statement.expressions, env)
    case 'call':
      return resolveCall(r, statement, env)
    case 'command':
    case 'other':
      for (const expression of statement.expressions)
        if (expression.queries.length > 0) expressionSources(r, expression, newScope(undefined, env))
      return NO_COLUMNS
    default:
      return NO_COLUMNS
  }
}

/** A value an expression; all columns of the query where it is nothing but one. */
function assignedValues(
  r: StatementResolving,
  expressions: readonly Expression[],
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const only = expressions.length === 1 ? expressions[0]! : undefined
  if (only?.queries.length === 1 && only.references.length === 0)
    return resolveQuery(r, only.queries[0]!.query, env, undefined)
  return expressions.map((expression) => outColumn('', assignedSources(r, expression, env)))
}

/** A variable's new value; names in it that are no variables are none of ours to doubt. */
function assignedSources(r: StatementResolving, expression: Expression, env: CteEnv | undefined): Sources {
  const known = expression.references.filter((reference) => r.variables.has(reference.parts[0]!.toLowerCase()))
  if (known.length === 0 && expression.queries.length === 0) return NO_SOURCES
  return expressionSources(r, { ...expression, references: known }, newScope(undefined, env))
}

function resolveCall(r: StatementResolving, statement: CallStatement, env: CteEnv | undefined): readonly OutColumn[] {
  for (const expression of statement.args)
    if (expression.queries.length > 0) expressionSources(r, expression, newScope(undefined, env))
  const target = statement.into && write(r, statement.into)
  if (target)
    for (const name of statement.columns ?? []) r.effect.edges.push(edge(target, name, outColumn(name, NO_SOURCES)))
  return NO_COLUMNS
}

function write(r: StatementResolving, written: TableName): Table | undefined {
  const name = written.sort === 'hole' ? r.tables.known(written) : written
  const table = r.tables.find(name)
  if (name.sort === 'hole' && !r.tables.folded(table)) {
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: name.parts.join('.'), start: name.start })
    return undefined
  }
  r.gathered.outputs.add(table)
  return table
}

function resolveQueryStatement(r: StatementResolving, query: Query, env: CteEnv | undefined): readonly OutColumn[] {
  // PL/SQL: PIPE ROW (record).
  const columns = recordColumns(r, query) ?? resolveQuery(r, query, env, undefined)
  const into = intoOf(query)
  if (!into) {
    // SELECT … INTO variables gives no rows.
    if (query.kind === 'select' && query.variables.length > 0 && !query.givesRows) return columns
    for (const column of columns) r.effect.edges.push(edge(null, column.name, column))
    return columns
  }
  const target = write(r, into.name)
  if (!target) return columns
  for (const column of columns) r.effect.edges.push(edge(target, column.name, column))
  r.effect.defined.push({
    table: target,
    columns,
    temporary: into.temporary || into.name.parts.at(-1)!.startsWith('#'),
    replaces: true,
  })
  return columns
}

/** SELECT … INTO, perhaps in the first branch of a UNION. */
function intoOf(query: Query): { name: TableName; temporary: boolean } | undefined {
  let at: Query = query
  while (at.kind === 'set') at = at.left
  return at.kind === 'select' && at.into ? { name: at.into, temporary: at.intoTemporary } : undefined
}

function resolveInsert(
  r: StatementResolving,
  statement: InsertStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const target = write(r, statement.target)
  const columns = statement.query ? resolveQuery(r, statement.query, env, undefined) : NO_COLUMNS
  if (!target) return NO_COLUMNS
  // Rows of VALUES have no names: into a table that is not known they meet no column.
  const nameless = statement.query?.kind === 'values' && !statement.columns && !target.columns
  const fed = (nameless ? recordColumns(r, statement.query) : columns) ?? NO_COLUMNS
  const names = statement.columns ?? partitionedNames(statement, fed, target)
  const fixed =
    statement.partition.length > 0 ? new Set(statement.partition.map((name) => name.toLowerCase())) : NOT_FIXED
  const landed = land(
    r,
    fed,
    target,
    { names: insertNames(statement, names, target, fixed), byName: statement.byName, fixed, defines: false },
    statement.start,
  )
  r.effect.edges.push(...landed)
  r.effect.defined.push({
    table: target,
    columns: landed.map((one) => columnOf(one)),
    temporary: false,
    replaces: false,
  })
  const scope = targetScope(target, statement.alias, env)
  assign(r, statement.assignments, target, scope)
  if (statement.onConflict.length > 0) {
    const conflicting = conflictScope(scope, landed, statement.rows)
    // MySQL: the rows' own tables may be named as well.
    const { query } = statement
    const read = newScope(undefined, env)
    if (query?.kind === 'select') for (const relation of query.from) resolveRelation(r, relation, read)
    conflicting.relations.push(...read.relations.map((relation) => ({ ...relation, silent: true })))
    assign(r, statement.onConflict, target, conflicting)
  }
  // Db2's FINAL TABLE reads the rows as they were written.
  return statement.returning.length === 0 ? landed.map(columnOf) : returned(r, statement, scope)
}

/** PL/SQL: VALUES record, without parentheses or with an element of a collection. */
function recordColumns(r: StatementResolving, query: Query | undefined): readonly OutColumn[] | undefined {
  const only =
    query?.kind === 'values' && query.rows.length === 1 && query.rows[0]!.length === 1 ? query.rows[0]![0] : undefined
  const reference = only?.references[0]
  return reference?.parts.length === 1 ? r.variables.get(reference.parts[0]!.toLowerCase())?.row : undefined
}

/** Into a table not known, the last columns are those of PARTITION (a, b) all the same. */
function partitionedNames(
  statement: InsertStatement,
  columns: readonly OutColumn[],
  target: Table,
): readonly string[] | undefined {
  const width = statement.dynamicPartition.length
  if (width === 0 || target.columns || columns.length < width || columns.some((column) => column.open)) return undefined
  return columns.slice(0, columns.length - width).map((column) => column.name)
}

/** Dynamic partition columns come last, whether a list is written or the target is known. */
function insertNames(
  statement: InsertStatement,
  names: readonly string[] | undefined,
  target: Table,
  fixed: ReadonlySet<string>,
): readonly string[] | undefined {
  const dynamic = statement.dynamicPartition
  if (dynamic.length === 0) return names
  if (names) return [...names, ...dynamic]
  if (!target.columns) return undefined
  const last = new Set(dynamic.map((name) => name.toLowerCase()))
  return [
    ...target.columns.filter((column) => !fixed.has(column.key) && !last.has(column.key)).map((column) => column.name),
    ...dynamic,
  ]
}

/** EXCLUDED, VALUES(…) and NEW read what was to be inserted. */
function conflictScope(scope: Scope, landed: readonly Edge[], rows: InsertStatement['rows']): Scope {
  const columns = landed.map(columnOf)
  const excluded: ScopeRelation = {
    alias: 'excluded',
    path: [],
    columns,
    any: undefined,
    hidden: true,
    silent: true,
    index: undefined,
  }
  const inserted: ScopeRelation = {
    ...excluded,
    alias: rows?.alias.toLowerCase() ?? 'new',
    columns: rows?.columns ? renamed(columns, rows.columns) : columns,
  }
  return { ...scope, relations: [...scope.relations, excluded, inserted] }
}

/** The target as a relation of its own; reading it there makes it no input. */
function targetRelation(target: Table, alias: string | undefined): ScopeRelation {
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

function targetScope(target: Table, alias: string | undefined, env: CteEnv | undefined): Scope {
  const scope = newScope(undefined, env)
  scope.relations.push(targetRelation(target, alias))
  return scope
}

function assign(
  r: StatementResolving,
  assignments: readonly Assignment[],
  target: Table,
  scope: Scope,
  branch?: Edge['branch'],
): void {
  for (const assignment of assignments) {
    const values = assignedColumns(r, assignment, scope)
    for (const [index, parts] of assignment.targets.entries()) {
      const column = values[index] ?? values[0]
      if (!column || parts.length === 0) continue
      r.effect.edges.push(edge(target, targetColumnName(target, columnPath(r, parts, scope)), column, branch))
    }
  }
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
  if (parts.length > 2 && scope.relations[0]?.alias === first)
    return r.profile === 'datahub' ? [parts.slice(1).join('.')] : [parts[1]!]
  if (
    scope.relations.some((one) => one.alias === first || one.path.includes(first)) ||
    scope.parent?.relations.some((one) => one.alias === first || one.path.includes(first))
  )
    return parts
  return r.profile === 'datahub' ? [parts.join('.')] : [parts[0]!]
}

function targetColumnName(target: Table, parts: readonly string[]): string {
  const name = parts.at(-1)!
  const key = name.toLowerCase()
  return target.columns?.find((column) => column.key === key)?.name ?? name
}

interface WithReturning {
  readonly returning: readonly Item[]
  readonly returningInto?: { readonly target: TableName; readonly columns: readonly string[] | undefined } | undefined
  readonly start: number
}

/** RETURNING and OUTPUT: rows of the target as they are written; INTO writes them on. */
function returned(r: StatementResolving, statement: WithReturning, scope: Scope): readonly OutColumn[] {
  if (statement.returning.length === 0) return NO_COLUMNS
  const first = scope.relations[0]
  const inner = newScope(undefined, scope.env)
  if (first)
    for (const alias of ['inserted', 'deleted', 'new', 'old'])
      inner.relations.push({ ...first, alias, path: [], hidden: true, silent: true })
  inner.relations.unshift(...scope.relations)
  const plain = { ...inner, relations: scope.relations }
  const columns: OutColumn[] = []
  for (const item of statement.returning) {
    if (item.star) columns.push(...expandStar(r, item.star, inner))
    else {
      const value = valueOf(
        r,
        item.expression,
        item.expression.references.some((reference) => reference.parts.length > 1) ? inner : plain,
        'none',
        undefined,
      )
      columns.push({
        ...outColumn(
          item.alias ?? item.expression.name ?? item.expression.references[0]?.parts.at(-1) ?? '',
          value.sources,
        ),
        item,
      })
    }
  }
  if (statement.returningInto) {
    const target = write(r, statement.returningInto.target)
    if (target) {
      const landed = land(
        r,
        columns,
        target,
        { ...BY_NAME, names: statement.returningInto.columns, byName: false },
        statement.start,
      )
      r.effect.edges.push(...landed)
      r.effect.defined.push({ table: target, columns: landed.map(columnOf), temporary: false, replaces: false })
    }
  }
  return columns
}

function resolveInsertAll(
  r: StatementResolving,
  statement: InsertAllStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const columns = resolveQuery(r, statement.source, env, undefined)
  const scope = newScope(undefined, env)
  scope.relations.push({ alias: '', path: [], columns, any: undefined, hidden: false, index: undefined })
  for (const branch of statement.branches) {
    if (branch.condition) resolveUses(r, [{ kind: 'FILTER', expression: branch.condition }], scope)
    const target = write(r, branch.target)
    if (!target) continue
    const fed = branch.values
      ? branch.values.map((item) => ({
          ...outColumn('', valueOf(r, item.expression, scope, 'none', undefined).sources),
          name: item.expression.name ?? '',
          item,
        }))
      : columns
    const names =
      branch.columns ??
      (branch.values && !target.columns ? branch.values.map((item) => item.expression.name ?? '?') : undefined)
    r.effect.edges.push(
      ...land(r, fed, target, { names, byName: false, fixed: NOT_FIXED, defines: false }, statement.start),
    )
  }
  return NO_COLUMNS
}

function resolveCreate(
  r: StatementResolving,
  statement: CreateStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const columns = statement.query ? resolveQuery(r, statement.query, env, undefined) : NO_COLUMNS
  const target = write(r, statement.to ?? statement.target)
  if (!target) return NO_COLUMNS
  if (statement.query) {
    const names = statement.columns?.map((column) => column.name)
    const named = names && names.length > 0 ? landedNames(r, columns, target, names, statement) : columns
    for (const column of named) r.effect.edges.push(edge(target, column.open ? '*' : column.name, column))
    const defined =
      statement.columns && statement.columns.length > named.length && !named.some((column) => column.open)
        ? statement.columns.map(
            (column) =>
              named.find((one) => one.key === column.name.toLowerCase()) ?? outColumn(column.name, NO_SOURCES),
          )
        : named
    if (!statement.to)
      r.effect.defined.push({ table: target, columns: defined, temporary: statement.temporary, replaces: true })
    return columns
  }
  const own = (statement.columns ?? []).map((column) => outColumn(column.name, NO_SOURCES))
  const copied = copiedColumns(r, statement, target)
  const all = [...copied, ...own]
  generatedColumns(r, statement, target)
  if (all.length > 0)
    r.effect.defined.push({ table: target, columns: all, temporary: statement.temporary, replaces: true })
  else if (statement.temporary)
    r.effect.defined.push({ table: target, columns: NO_COLUMNS, temporary: true, replaces: true })
  readLocations(r, statement)
  return NO_COLUMNS
}

function landedNames(
  r: StatementResolving,
  columns: readonly OutColumn[],
  target: Table,
  names: readonly string[],
  statement: CreateStatement,
): readonly OutColumn[] {
  if (columns.length === names.length || columns.some((column) => column.open)) {
    return land(r, columns, target, { names, byName: false, fixed: NOT_FIXED, defines: true }, statement.start).map(
      (one) => ({ ...columnOf(one), item: one.item }),
    )
  }
  // MySQL: columns of its own, then the query's under their names.
  if (columns.length > 0 && names.length < columns.length)
    return renamed(columns, statement.kind === 'ctas' ? [] : names)
  return renamed(columns, names.slice(0, columns.length))
}

/** LIKE takes the columns; CLONE and COPY the rows as well. */
function copiedColumns(r: StatementResolving, statement: CreateStatement, target: Table): OutColumn[] {
  const result: OutColumn[] = []
  for (const name of statement.like) {
    const source = r.tables.find(name)
    if (!r.tables.folded(source)) r.gathered.inputs.add(source)
    const columns = r.tables.folded(source) ??
      source.columns ?? [openColumn([{ table: source, except: undefined, kind: KIND.identity }])]
    if (statement.clones) for (const column of columns) r.effect.edges.push(edge(target, column.name, column))
    for (const column of columns)
      if (!column.open) result.push(statement.clones ? column : outColumn(column.name, NO_SOURCES))
  }
  return result
}

/** GENERATED ALWAYS AS (a + b): a column of the table from its others. */
function generatedColumns(r: StatementResolving, statement: CreateStatement, target: Table): void {
  const generated = statement.columns?.filter((column) => column.generated)
  if (!generated || generated.length === 0) return
  const scope = targetScope(target, undefined, undefined)
  for (const column of generated) {
    const expression = column.generated!
    r.effect.edges.push(
      edge(target, column.name, {
        ...outColumn(column.name, expressionSources(r, expression, scope)),
        item: { expression, start: expression.start, end: expression.end },
      }),
    )
  }
}

function readLocations(r: StatementResolving, statement: CreateStatement): void {
  if (r.profile === 'openlineage') return
  for (const text of statement.locations)
    r.gathered.inputs.add(
      r.tables.find({ parts: [text], start: statement.start, end: statement.end, sort: 'path', quoted: 0 }),
    )
}

function resolveUpdate(
  r: StatementResolving,
  statement: UpdateStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const scope = newScope(undefined, inner)
  const [first, ...others] = statement.relations
  const aliased = aliasedTarget(statement.target, others)
  const written = aliased ?? first
  let target: Table | undefined
  for (const relation of aliased ? others : statement.relations) {
    if (
      relation === written &&
      relation.kind === 'table' &&
      isKnownTarget(r, relation.name) &&
      isBaseTarget(r, relation.name, inner)
    ) {
      target = r.tables.find(relation.name)
      scope.relations.push(targetRelation(target, relation.alias))
    } else resolveRelation(r, relation, scope)
  }
  if (!target && first?.kind === 'table' && first.name.sort === 'hole') {
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: first.name.parts.join('.'), start: first.name.start })
  } else if (!target) target = tableBehind(scope.relations[0])
  resolveUses(r, statement.uses, scope)
  assignTo(r, statement.assignments, target, scope)
  const rows = returned(r, statement, {
    ...scope,
    relations: target ? [targetRelation(target, written?.alias), ...scope.relations.slice(1)] : scope.relations,
  })
  resolveUnused(r, inner, env)
  return rows
}

/** T-SQL: UPDATE a SET … FROM t AS a; the relation that the alias names. */
function aliasedTarget(target: TableName, relations: readonly Relation[]): Relation | undefined {
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
function isKnownTarget(r: StatementResolving, name: TableName): boolean {
  return name.sort !== 'hole' || r.tables.folded(r.tables.find(name)) !== undefined
}

/** Not the name of a CTE (T-SQL updates through those). */
function isBaseTarget(r: StatementResolving, name: TableName, env: CteEnv | undefined): boolean {
  void r
  if (name.parts.length > 1) return true
  for (let at = env; at; at = at.parent) if (at.key === name.parts[0]!.toLowerCase()) return false
  return true
}

/** The one table that a relation's columns come from: where an UPDATE of a CTE or derived table writes. */
function tableBehind(relation: ScopeRelation | undefined): Table | undefined {
  for (const column of relation?.columns ?? []) {
    const table = column.open?.[0]?.table ?? column.sources[0]?.column.table
    if (table) return table
  }
  return undefined
}

/** Assignments may name their table (MySQL's UPDATE a JOIN b SET a.x = …, b.y = …). */
function assignTo(
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
    const table = (relation && tableBehind(relation)) ?? target
    if (!table) continue
    written.add(table)
    r.gathered.outputs.add(table)
    if (r.profile === 'datahub' && !r.tables.folded(table)) r.gathered.inputs.add(table)
    assign(r, [assignment], table, scope)
  }
  for (const table of written) if (table !== target && r.profile !== 'datahub') r.gathered.inputs.delete(table)
  if (target && (written.size === 0 || written.has(target))) {
    r.gathered.outputs.add(target)
    if (r.profile === 'datahub' && !r.tables.folded(target)) r.gathered.inputs.add(target)
  } else if (target && written.size > 0 && !written.has(target) && !r.tables.folded(target))
    r.gathered.inputs.add(target)
}

function resolveDelete(
  r: StatementResolving,
  statement: DeleteStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const scope = newScope(undefined, inner)
  const targets = statement.targets.map((name) => {
    const aliased = statement.relations.find(
      (relation) =>
        relation.kind === 'table' &&
        (relation.alias ?? relation.name.parts.at(-1)!).toLowerCase() === name.parts.at(-1)!.toLowerCase(),
    )
    return aliased?.kind === 'table' ? aliased : name
  })
  const written = new Set<Relation>(targets.filter((one) => 'kind' in one))
  const tables: Table[] = []
  for (const relation of statement.relations) {
    if (written.has(relation) && relation.kind === 'table' && isBaseTarget(r, relation.name, inner)) {
      const table = write(r, relation.name)
      if (table) {
        tables.push(table)
        scope.relations.push(targetRelation(table, relation.alias))
      }
    } else {
      resolveRelation(r, relation, scope)
      if (written.has(relation)) {
        const table = tableBehind(scope.relations.at(-1))
        if (table) r.gathered.outputs.add(table)
      }
    }
  }
  for (const one of targets) if (!('kind' in one) && isBaseTarget(r, one, inner)) write(r, one)
  resolveUses(r, statement.uses, scope)
  const rows = returned(r, statement, scope)
  resolveUnused(r, inner, env)
  return rows
}

function resolveMerge(r: StatementResolving, statement: MergeStatement, env: CteEnv | undefined): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const target = write(r, statement.target)
  const source = newScope(undefined, inner)
  for (const relation of statement.source) resolveRelation(r, relation, source)
  if (!target) return NO_COLUMNS
  const own = targetRelation(target, statement.alias)
  const both = newScope(undefined, inner)
  both.relations.push(own, ...source.relations)
  if (statement.on) resolveUses(r, [{ kind: 'JOIN', expression: statement.on }], both)
  for (const action of statement.actions) resolveAction(r, action, target, own, source, both)
  const rows = returned(r, statement, both)
  resolveUnused(r, inner, env)
  return rows
}

function resolveAction(
  r: StatementResolving,
  action: MergeAction,
  target: Table,
  own: ScopeRelation,
  source: Scope,
  both: Scope,
): void {
  const bySource = action.branch === 'not-matched-by-source'
  const scope = bySource ? { ...both, relations: [own] } : both
  if (action.condition)
    resolveUses(r, [{ kind: 'FILTER', expression: action.condition }], action.branch === 'not-matched' ? source : scope)
  switch (action.action.kind) {
    case 'update':
      return assign(r, action.action.assignments, target, bySource ? scope : preferSource(own, source), action.branch)
    case 'update-all':
      return allByName(r, target, source, NOT_FIXED, action.branch)
    case 'insert-all':
      return allByName(r, target, source, new Set(action.action.except), action.branch)
    case 'insert': {
      const { columns, values } = action.action
      const names = columns ?? target.columns?.map((column) => column.name)
      const inserted = newScope(own ? { ...both, relations: [own] } : undefined, both.env)
      inserted.relations.push(...source.relations)
      for (const [index, item] of values.entries()) {
        const value = valueOf(r, item.expression, inserted, 'none', undefined)
        const name = names?.[index] ?? item.expression.name
        if (name !== undefined)
          r.effect.edges.push(
            edge(
              target,
              targetColumnName(target, [name]),
              { name, key: name.toLowerCase(), sources: value.sources, open: undefined, item, doubt: value.doubt },
              action.branch,
            ),
          )
      }
      return
    }
    case 'delete':
    case 'nothing':
  }
}

/** In SET, an unqualified name is the source's where both sides might own it. */
function preferSource(own: ScopeRelation, source: Scope): Scope {
  const outer = newScope(undefined, source.env)
  outer.relations.push(own)
  const scope = newScope(outer, source.env)
  scope.relations.push(...source.relations)
  scope.merged = source.merged
  return scope
}

/** UPDATE * and INSERT *: every column of the source into the target's of that name. */
function allByName(
  r: StatementResolving,
  target: Table,
  source: Scope,
  except: ReadonlySet<string>,
  branch: Edge['branch'],
): void {
  const columns = expandStar(r, { except: [...except], replace: [], rename: undefined }, source)
  for (const one of land(r, columns, target, { ...BY_NAME, byName: !columns.some((column) => column.open) }, 0))
    r.effect.edges.push({ ...one, branch })
}

function resolveCopy(r: StatementResolving, statement: CopyStatement, env: CteEnv | undefined): readonly OutColumn[] {
  const columns: OutColumn[] = [...(statement.query ? resolveQuery(r, statement.query, env, undefined) : [])]
  for (const name of statement.inputs) {
    const table = r.tables.find(name)
    const folded = r.tables.folded(table)
    if (!folded) r.gathered.inputs.add(table)
    if (!statement.query && statement.inputs.length === 1 && statement.columns === undefined)
      columns.push(...(folded ?? table.columns ?? [openColumn([{ table, except: undefined, kind: KIND.identity }])]))
  }
  for (const name of statement.outputs) {
    const target = write(r, name)
    if (target)
      r.effect.edges.push(
        ...land(
          r,
          columns,
          target,
          {
            names: statement.query ? statement.columns : undefined,
            byName: false,
            fixed: NOT_FIXED,
            defines: target.path,
          },
          statement.start,
        ),
      )
  }
  return NO_COLUMNS
}
