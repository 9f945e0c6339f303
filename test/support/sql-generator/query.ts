/**
 * Writes queries together with what they must mean: every part returns its SQL and its output columns with their
 * sources, so the lineage of the whole is known by construction and never asked of an engine.
 */
import type { Choices } from './choices.ts'
import type { Abilities } from './dialects.ts'
import {
  writeAggregate,
  writeColumn,
  writeCondition,
  writeValue,
  writeWindow,
  type Scope,
  type Visible,
  type Written,
} from './expression.ts'
import { writeArrayRelation, writeTable, type WrittenRelation } from './relation.ts'
import { writeShape } from './shapes.ts'
import { NO_SOURCES, note, through, union, type OutputColumn, type Uses } from './sources.ts'
import { write } from './tables.ts'

/** What the whole statement shares. */
export interface Context {
  readonly choices: Choices
  readonly abilities: Abilities
  readonly schemasKnown: boolean
  /** Tables read so far. */
  readonly inputs: Set<string>
  /** Uses of columns apart from values so far. */
  readonly uses: Uses
}

export interface WrittenQuery {
  readonly sql: string
  readonly columns: readonly OutputColumn[]
}

interface Named {
  readonly name: string
  readonly columns: readonly OutputColumn[]
}

const MAX_DEPTH = 3

/** A query with CTEs, set operations, ordering. `ctes` may be false where the place does not take WITH. */
export function writeQuery(context: Context, depth: number, options: { readonly ctes: boolean }): WrittenQuery {
  const { choices } = context
  const ctes = options.ctes && depth < 2 ? writeCtes(context, depth) : { sql: '', ctes: [] }
  const body = writeSetOperation(context, depth, ctes.ctes)
  const order = depth === 0 && choices.chance(15) ? writeOrder(context, body) : ''
  return { sql: `${ctes.sql}${body.sql}${order}`, columns: body.columns }
}

function writeCtes(context: Context, depth: number): { sql: string; ctes: readonly Named[] } {
  const { choices, abilities } = context
  const ctes: Named[] = []
  const parts: string[] = []
  const recursive = abilities.recursive !== undefined && choices.chance(10) ? writeRecursive(context) : undefined
  if (recursive !== undefined) {
    ctes.push(recursive)
    parts.push(recursive.sql)
  }
  while (ctes.length < 3 && choices.chance(30)) {
    const query = writeSetOperation(context, depth + 1, ctes)
    const name = choices.fresh('cte')
    const renamed = choices.chance(25)
    const columns = renamed ? query.columns.map((c) => ({ ...c, name: choices.fresh('c') })) : query.columns
    const list = renamed ? ` (${columns.map((c) => write(c.name, abilities)).join(', ')})` : ''
    ctes.push({ name, columns })
    parts.push(`${name}${list} AS (${query.sql})`)
  }
  const word = recursive === undefined ? 'WITH' : `WITH ${abilities.recursive ?? ''}`.trim()
  return { sql: parts.length === 0 ? '' : `${word} ${parts.join(', ')} `, ctes }
}

function inside({ uses }: Context, visible: Visible): Scope {
  return qualifiedOnly({ relations: [visible], merged: [], schemasKnown: false, uses })
}

/** A CTE that reads itself: its first column is carried on, its second comes from both branches. */
function writeRecursive(context: Context): Named & { readonly sql: string } {
  const { choices, abilities } = context
  const [anchor, step] = [writeTable(context), writeTable(context)]
  const [first, second] = [0, 1].map(() => writeColumn(choices, inside(context, anchor.visible), abilities)) as [
    Written,
    Written,
  ]
  const other = writeColumn(choices, inside(context, step.visible), abilities)
  const [name, a, b, self] = [choices.fresh('cte'), choices.fresh('c'), choices.fresh('c'), choices.fresh('r')]
  const joined = writeColumn(choices, inside(context, step.visible), abilities)
  const sql =
    `${name} (${a}, ${b}) AS (SELECT ${first.sql}, ${second.sql} FROM ${anchor.sql} UNION ALL ` +
    `SELECT ${self}.${a}, ${other.sql} FROM ${name} ${self} JOIN ${step.sql} ON ${joined.sql} = ${self}.${b})`
  const columns = [
    { name: a, sources: first.sources },
    { name: b, sources: union(second.sources, other.sources) },
  ] as const
  note(context.uses, 'JOIN', joined, columns[1])
  return { sql, name, columns }
}

function writeSetOperation(context: Context, depth: number, ctes: readonly Named[]): WrittenQuery {
  const { choices, abilities } = context
  const left = writeSelect(context, depth, ctes, undefined)
  if (!choices.chance(12)) return left
  if (abilities.byName && hasUniqueNames(left.columns) && choices.chance(30))
    return writeByName(context, left, depth, ctes)
  const right = writeSelect(context, depth + 1, ctes, left.columns.length)
  const except = abilities.except !== undefined && choices.chance(30)
  if (except) note(context.uses, 'FILTER', ...right.columns)
  const word = except
    ? abilities.except
    : choices.pick(['UNION ALL', abilities.quote[0] === '`' ? 'UNION DISTINCT' : 'UNION'])
  const columns = left.columns.map((column, i) => ({
    name: column.name,
    // The right side of a difference takes rows away; it gives no value.
    sources: except ? column.sources : union(column.sources, right.columns[i]?.sources ?? NO_SOURCES),
  }))
  return { sql: `${left.sql} ${word} ${right.sql}`, columns }
}

/** UNION ALL BY NAME: what only one side has stays. */
function writeByName(context: Context, left: WrittenQuery, depth: number, ctes: readonly Named[]): WrittenQuery {
  const right = writeSelect(context, depth + 1, ctes, undefined)
  const own = new Map(right.columns.map((column) => [column.name.toLowerCase(), column.sources]))
  const met = left.columns.map(({ name, sources }) => ({
    name,
    sources: union(sources, own.get(name.toLowerCase()) ?? NO_SOURCES),
  }))
  const names = new Set(left.columns.map((column) => column.name.toLowerCase()))
  const added = right.columns.filter((column) => !names.has(column.name.toLowerCase()))
  return { sql: `${left.sql} ${context.abilities.byName} ${right.sql}`, columns: [...met, ...added] }
}

/** One SELECT; with `width`, exactly so many outputs and no stars. */
function writeSelect(context: Context, depth: number, ctes: readonly Named[], width: number | undefined): WrittenQuery {
  const { choices, abilities } = context
  const from = writeFrom(context, depth, ctes)
  const grouped = choices.chance(20)
  const windows: string[] | undefined = abilities.namedWindows ? [] : undefined
  const list = grouped
    ? writeGroupedItems(context, from.scope, width)
    : writeItems(context, from, width, depth, windows)
  const where = choices.chance(40) ? ` WHERE ${writeFilter(context, from.scope, depth)}` : ''
  const group = grouped ? ` GROUP BY ${list.group.join(', ')}` : ''
  const having = grouped && choices.chance(30) ? ' HAVING COUNT(*) > 1' : ''
  const qualify = !grouped && abilities.qualify && choices.chance(15) ? writeQualify(context, from.scope) : ''
  const named = windows === undefined || windows.length === 0 ? '' : ` WINDOW ${windows.join(', ')}`
  const tail = abilities.windowsLast ? `${qualify}${named}` : `${named}${qualify}`
  const distinct = choices.chance(10) ? 'DISTINCT ' : ''
  return {
    sql: `SELECT ${distinct}${list.items.join(', ')} FROM ${from.sql}${where}${group}${having}${tail}`,
    columns: list.columns,
  }
}

function writeQualify({ choices, abilities }: Context, scope: Scope): string {
  const partition = writeColumn(choices, scope, abilities)
  note(scope.uses, 'FILTER', partition)
  return ` QUALIFY ROW_NUMBER() OVER (PARTITION BY ${partition.sql} ORDER BY 1) = 1`
}

interface Items {
  readonly items: readonly string[]
  readonly columns: readonly OutputColumn[]
  readonly group: readonly string[]
}

function writeItems(
  context: Context,
  { scope, stars }: From,
  width: number | undefined,
  depth: number,
  windows: string[] | undefined,
): Items {
  const { choices, abilities } = context
  if (width === undefined && choices.chance(15)) {
    const star = writeStar(context, scope, stars)
    if (star !== undefined) return star
  }
  const items: string[] = []
  const columns: OutputColumn[] = []
  const count = width ?? 1 + choices.below(4)
  for (let i = 0; i < count; i++) {
    const item = writeItem(context, scope, depth, windows)
    const taken = new Set(columns.map((column) => column.name))
    const keepsName = item.name !== undefined && !taken.has(item.name) && choices.chance(50)
    const name = keepsName ? (item.name ?? '') : choices.fresh('n')
    columns.push({ name, sources: item.sources })
    const as = choices.pick([' AS ', ' '])
    items.push(keepsName ? item.sql : `${item.sql}${as}${write(name, abilities)}`)
  }
  return { items, columns, group: [] }
}

function writeItem(context: Context, scope: Scope, depth: number, windows: string[] | undefined): Written {
  const { choices, abilities } = context
  switch (choices.below(12)) {
    case 8:
    case 9:
      return writeValue(choices, scope, abilities, 0)
    case 10:
      return writeWindow(choices, scope, abilities, windows)
    case 11:
      return depth < MAX_DEPTH ? writeScalarSubquery(context, scope) : writeColumn(choices, scope, abilities)
    default:
      return writeColumn(choices, scope, abilities)
  }
}

function writeGroupedItems(context: Context, scope: Scope, width: number | undefined): Items {
  const { choices, abilities } = context
  const key = writeColumn(choices, scope, abilities)
  note(scope.uses, 'GROUP_BY', key)
  const count = (width ?? 1 + choices.below(3)) - 1
  const aggregates = Array.from({ length: count }, () => writeAggregate(choices, scope, abilities))
  const all = [key, ...aggregates].map((item) => ({ ...item, alias: choices.fresh('g') }))
  return {
    items: all.map((item) => `${item.sql} AS ${item.alias}`),
    columns: all.map((item) => ({ name: item.alias, sources: item.sources })),
    group: [key.sql],
  }
}

/** `*`, `t.*` or a star without some of its columns. Nothing where names would repeat or the columns are not known. */
function writeStar(context: Context, scope: Scope, stars: readonly OutputColumn[] | undefined): Items | undefined {
  const { choices, abilities } = context
  const relation = choices.pick(scope.relations)
  const whole = stars !== undefined && hasUniqueNames(stars) && choices.chance(50)
  const columns = whole ? stars : scope.merged.length === 0 && stars !== undefined ? relation.columns : undefined
  if (columns === undefined || !hasUniqueNames(columns)) return undefined
  const star = whole ? '*' : `${relation.alias}.*`
  const left = columns[0]
  if (abilities.starReplace && left !== undefined && choices.chance(25)) {
    const value = writeValue(choices, qualifiedOnly(scope), abilities, 1)
    const name = write(left.name, abilities)
    const item = `${star} REPLACE (${value.sql} AS ${name})`
    return { items: [item], columns: [{ name: left.name, sources: value.sources }, ...columns.slice(1)], group: [] }
  }
  if (abilities.starRename && left !== undefined && choices.chance(25)) {
    const name = choices.fresh('s')
    const item = `${star} RENAME (${write(left.name, abilities)} AS ${name})`
    return { items: [item], columns: [{ ...left, name }, ...columns.slice(1)], group: [] }
  }
  if (abilities.starWithout !== undefined && left !== undefined && columns.length > 1 && choices.chance(40)) {
    const item = `${star} ${abilities.starWithout} (${write(left.name, abilities)})`
    return { items: [item], columns: columns.slice(1), group: [] }
  }
  return { items: [star], columns, group: [] }
}

function hasUniqueNames(columns: readonly OutputColumn[]): boolean {
  return new Set(columns.map((column) => column.name.toLowerCase())).size === columns.length
}

/** An aggregate over another table, which may take a column of the outer query to choose its rows. */
function writeScalarSubquery(context: Context, outer: Scope): Written {
  const { choices, abilities } = context
  const table = writeTable(context)
  const scope = inside(context, table.visible)
  const value = writeColumn(choices, scope, abilities)
  const filter = writeColumn(choices, scope, abilities)
  note(scope.uses, 'FILTER', filter)
  // A bare name might be meant for the inner table.
  const named = outer.relations.every((relation) => relation.unqualified !== true)
  const correlated = named && choices.chance(50) ? writeColumn(choices, qualifiedOnly(outer), abilities) : undefined
  if (correlated !== undefined) note(scope.uses, 'FILTER', correlated)
  return {
    sql: `(SELECT MAX(${value.sql}) FROM ${table.sql} WHERE ${filter.sql} = ${correlated?.sql ?? '1'})`,
    sources: through('AGGREGATED', value.sources),
  }
}

/** The scope seen so that no name stands bare: inside a subquery a bare name might be meant for the outer one. */
function qualifiedOnly(scope: Scope): Scope {
  const [first, ...others] = scope.relations
  const relations: Scope['relations'] = [first, ...(others.length === 0 ? [first] : others)]
  return { ...scope, schemasKnown: false, merged: [], relations }
}

function writeFilter(context: Context, scope: Scope, depth: number): string {
  const { choices, abilities } = context
  if (depth >= MAX_DEPTH || !choices.chance(20)) return writeCondition(choices, scope, abilities)
  const table = writeTable(context)
  const a = writeColumn(choices, inside(context, table.visible), abilities)
  note(scope.uses, 'FILTER', a)
  switch (choices.below(3)) {
    case 0:
      return `EXISTS (SELECT 1 FROM ${table.sql} WHERE ${a.sql} = 1)`
    case 1: {
      const outer = writeColumn(choices, scope, abilities)
      note(scope.uses, 'FILTER', outer)
      return `${outer.sql} IN (SELECT ${a.sql} FROM ${table.sql})`
    }
    default: {
      const plain = writeCondition(choices, scope, abilities)
      return `${plain} AND NOT EXISTS (SELECT 1 FROM ${table.sql} WHERE ${a.sql} IS NULL)`
    }
  }
}

function writeOrder(context: Context, body: WrittenQuery): string {
  const place = context.choices.below(body.columns.length)
  note(context.uses, 'SORT', ...body.columns.slice(place, place + 1))
  const order = ` ORDER BY ${place + 1}`
  if (context.abilities.limit === 'limit') return `${order} LIMIT 10`
  return context.abilities.limit === 'fetch' ? `${order} FETCH FIRST 10 ROWS ONLY` : order
}

interface From {
  readonly sql: string
  readonly scope: Scope
  /** Columns of a bare star, in order; absent where they are not known. */
  readonly stars: readonly OutputColumn[] | undefined
}

function writeFrom(context: Context, depth: number, ctes: readonly Named[]): From {
  const { choices, abilities } = context
  const first = writeRelation(context, depth, ctes)
  const relations: [Visible, ...Visible[]] = [first.visible]
  let sql = first.sql
  let merged: readonly OutputColumn[] = []
  let stars: readonly OutputColumn[] | undefined = first.starsKnown ? first.visible.columns : undefined
  while (relations.length < 3 && choices.chance(25)) {
    const next = writeRelation(context, depth, ctes)
    const shared = relations.length === 1 ? sharedColumn(first, next) : undefined
    if (shared !== undefined && abilities.using && choices.chance(60)) {
      sql += ` JOIN ${next.sql} USING (${write(shared.name, abilities)})`
      merged = [shared]
      note(context.uses, 'JOIN', shared)
    } else sql += writeJoin(context, relations, next)
    stars =
      stars === undefined || !next.starsKnown ? undefined : joinStars(stars, next.visible.columns, merged, relations)
    relations.push(next.visible)
  }
  if (merged.length === 0 && first.array !== undefined && abilities.unnest !== undefined && choices.chance(8)) {
    const array = writeArrayRelation(context, abilities.unnest, first)
    sql += array.sql
    relations.push(array.visible)
    stars = undefined
  }
  const schemasKnown = context.schemasKnown && stars !== undefined
  return { sql, scope: { relations, merged, schemasKnown, uses: context.uses }, stars }
}

/** USING puts the merged column first and shows it once; later joins append. */
function joinStars(
  left: readonly OutputColumn[],
  right: readonly OutputColumn[],
  merged: readonly OutputColumn[],
  before: readonly Visible[],
): readonly OutputColumn[] {
  const [column] = before.length === 1 ? merged : []
  if (column === undefined) return [...left, ...right]
  const others = [...left, ...right].filter((c) => c.name !== column.name)
  return [column, ...others]
}

/** A column that both sides have under one name. */
function sharedColumn(left: WrittenRelation, right: WrittenRelation): OutputColumn | undefined {
  if (!left.starsKnown || !right.starsKnown) return undefined
  for (const a of left.visible.columns) {
    const b = right.visible.columns.find((column) => column.name === a.name)
    if (b !== undefined) return { name: a.name, sources: union(a.sources, b.sources) }
  }
  return undefined
}

function writeJoin(context: Context, before: readonly [Visible, ...Visible[]], next: WrittenRelation): string {
  const { choices, abilities } = context
  const { uses } = context
  const all = qualifiedOnly({ relations: before, merged: [], schemasKnown: false, uses })
  const [a, b] = [writeColumn(choices, all, abilities), writeColumn(choices, inside(context, next.visible), abilities)]
  const outer = abilities.fullJoin ? 'FULL OUTER JOIN' : 'RIGHT JOIN'
  const kind = choices.pick(['JOIN', 'LEFT JOIN', 'CROSS JOIN', 'INNER JOIN', outer])
  if (kind === 'CROSS JOIN') return ` CROSS JOIN ${next.sql}`
  note(uses, 'JOIN', a, b)
  return ` ${kind} ${next.sql} ON ${a.sql} = ${b.sql}`
}

function writeRelation(context: Context, depth: number, ctes: readonly Named[]): WrittenRelation {
  const { choices, abilities } = context
  if (ctes.length > 0 && choices.chance(60)) {
    const cte = choices.pick(ctes as [Named])
    const alias = choices.fresh('r')
    return { sql: `${cte.name} ${alias}`, visible: { alias, columns: cte.columns }, starsKnown: true }
  }
  if (depth >= MAX_DEPTH || !choices.chance(20)) return writeTable(context)
  const shape = choices.chance(35) ? writeShape(context) : undefined
  if (shape !== undefined) return shape
  const query = writeSetOperation(context, depth + 1, ctes)
  const alias = choices.fresh('d')
  const oracle = abilities.except === 'MINUS'
  if (abilities.derivedColumns && choices.chance(25)) {
    const columns = query.columns.map((column) => ({ ...column, name: choices.fresh('p') }))
    const list = columns.map((column) => column.name).join(', ')
    return { sql: `(${query.sql}) AS ${alias} (${list})`, visible: { alias, columns }, starsKnown: true }
  }
  return {
    sql: `(${query.sql})${oracle ? ' ' : ' AS '}${alias}`,
    visible: { alias, columns: query.columns },
    starsKnown: true,
  }
}
