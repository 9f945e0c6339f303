/** Relations whose columns are made anew: PIVOT, UNPIVOT, structs read by path, MATCH_RECOGNIZE. */
import type { Context } from './query.ts'
import type { WrittenRelation } from './relation.ts'
import { NO_SOURCES, note, through, union, type OutputColumn } from './sources.ts'
import { columnsOf, TABLES, write, type BaseTable } from './tables.ts'

type Shape = 'pivot' | 'pivot-several' | 'unpivot' | 'struct' | 'match'

/** One of the shapes that the dialect has; nothing where it has none. */
export function writeShape(context: Context): WrittenRelation | undefined {
  const { abilities, choices } = context
  const shapes: Shape[] = []
  if (abilities.pivot) shapes.push('pivot', 'unpivot')
  if (abilities.structs) shapes.push('struct')
  if (abilities.pivotSeveral) shapes.push('pivot-several')
  if (abilities.matchRecognize) shapes.push('match')
  const [first, ...others] = shapes
  if (first === undefined) return undefined
  const shape = choices.pick([first, ...others])
  const table = choices.pick(TABLES)
  context.inputs.add(table.name)
  if (shape === 'pivot') return pivoted(context, table)
  if (shape === 'pivot-several') return pivotedBySeveral(context, table)
  if (shape === 'match') return matched(context, table)
  return shape === 'unpivot' ? unpivoted(context, table) : struct(context, table)
}

/** `t PIVOT (SUM(a) FOR b IN ('x' AS p, 'y' AS q)) d`: a column a value, beside what is neither a nor b. */
function pivoted(context: Context, table: BaseTable): WrittenRelation {
  const { choices, abilities } = context
  const [value, key, ...others] = plainFirst(table)
  const names = Array.from({ length: 1 + choices.below(3) }, () => choices.fresh('p'))
  const list =
    abilities.quote[0] === '[' ? names.map((name) => `[${name}]`) : names.map((name, i) => `'v${i}' AS ${name}`)
  const call = `SUM(${write(value.name, abilities)})`
  const alias = choices.fresh('d')
  note(context.uses, 'GROUP_BY', key)
  const made = names.map((name) => ({ name, sources: through('AGGREGATED', value.sources) }))
  return {
    sql: `${table.name} PIVOT (${call} FOR ${write(key.name, abilities)} IN (${list.join(', ')}))${as(context)}${alias}`,
    visible: { alias, columns: [...others, ...made] },
    starsKnown: context.schemasKnown,
  }
}

/** `t PIVOT (SUM(a) AS s, MAX(a) AS m FOR b IN ('x' AS p)) d`: a column for each value and aggregate, named by both. */
function pivotedBySeveral(context: Context, table: BaseTable): WrittenRelation {
  const { choices, abilities } = context
  const [value, key, ...others] = plainFirst(table)
  const values = Array.from({ length: 1 + choices.below(2) }, () => choices.fresh('p'))
  const aggregates = ['SUM', 'MAX'].map((call) => ({ call, name: choices.fresh('a') }))
  const calls = aggregates.map(({ call, name }) => `${call}(${write(value.name, abilities)}) AS ${name}`).join(', ')
  const list = values.map((name, i) => `'v${i}' AS ${name}`).join(', ')
  const alias = choices.fresh('d')
  note(context.uses, 'GROUP_BY', key)
  const sources = through('AGGREGATED', value.sources)
  const made = values.flatMap((name) =>
    aggregates.map((one) => ({
      name: abilities.pivotSeveral === 'before' ? `${one.name}_${name}` : `${name}_${one.name}`,
      sources,
    })),
  )
  return {
    sql: `${table.name} PIVOT (${calls} FOR ${write(key.name, abilities)} IN (${list}))${as(context)}${alias}`,
    visible: { alias, columns: [...others, ...made] },
    starsKnown: context.schemasKnown,
  }
}

/** `t MATCH_RECOGNIZE (PARTITION BY a ORDER BY b MEASURES MAX(x.c) AS m … DEFINE x AS x.d > 1) r`: a and m. */
function matched(context: Context, table: BaseTable): WrittenRelation {
  const { choices, abilities } = context
  const [key, order, ...others] = plainFirst(table)
  const measured = choices.pick([order, ...others])
  const tested = choices.pick([order, ...others])
  const [name, variable, alias] = [choices.fresh('m'), choices.fresh('x'), choices.fresh('d')]
  const of = (column: OutputColumn): string => `${variable}.${write(column.name, abilities)}`
  note(context.uses, 'WINDOW', key)
  note(context.uses, 'SORT', order)
  note(context.uses, 'FILTER', tested)
  return {
    sql:
      `${table.name} MATCH_RECOGNIZE (PARTITION BY ${write(key.name, abilities)} ORDER BY ${write(order.name, abilities)} ` +
      `MEASURES MAX(${of(measured)}) AS ${name} ONE ROW PER MATCH PATTERN (${variable}+) DEFINE ${variable} AS ${of(tested)} > 1) ${alias}`,
    visible: { alias, columns: [key, { name, sources: through('AGGREGATED', measured.sources) }] },
    starsKnown: true,
  }
}

/** `t UNPIVOT (v FOR n IN (a, b)) d`: v and n come from a and b. */
function unpivoted(context: Context, table: BaseTable): WrittenRelation {
  const { choices, abilities } = context
  const [first, second, ...others] = plainFirst(table)
  const [value, name, alias] = [choices.fresh('v'), choices.fresh('n'), choices.fresh('d')]
  const list = [first, second].map((column) => write(column.name, abilities)).join(', ')
  const sources = through('TRANSFORMED', union(first.sources, second.sources))
  return {
    sql: `${table.name} UNPIVOT (${value} FOR ${name} IN (${list}))${as(context)}${alias}`,
    visible: { alias, columns: [...others, { name, sources }, { name: value, sources }] },
    starsKnown: context.schemasKnown,
  }
}

/** `(SELECT STRUCT(a AS x, b AS y) AS s FROM t) d`, read as d.s.x. */
function struct(context: Context, table: BaseTable): WrittenRelation {
  const { choices, abilities } = context
  const [alias, whole] = [choices.fresh('d'), choices.fresh('s')]
  const fields = plainFirst(table)
    .slice(0, 1 + choices.below(3))
    .map((column) => ({ column, name: choices.fresh('f') }))
  const list = fields.map(({ column, name }) => `${write(column.name, abilities)} AS ${name}`).join(', ')
  const columns = fields.map(({ column, name }) => ({ name, sources: column.sources, sql: `${whole}.${name}` }))
  return {
    sql: `(SELECT STRUCT(${list}) AS ${whole} FROM ${table.name}) AS ${alias}`,
    visible: { alias, columns },
    starsKnown: false,
  }
}

/** At least two columns, those with plain names in front. */
function plainFirst(table: BaseTable): [OutputColumn, OutputColumn, ...OutputColumn[]] {
  const columns = columnsOf(table)
  const nothing: OutputColumn = { name: 'nothing', sources: NO_SOURCES }
  const [first = nothing, second = nothing, ...others] = columns
  return [first, second, ...others]
}

function as(context: Context): string {
  return context.abilities.except === 'MINUS' ? ' ' : ' AS '
}
