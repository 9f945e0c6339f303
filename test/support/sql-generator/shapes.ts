/** Relations whose columns are made anew: PIVOT, UNPIVOT, structs read by path. */
import type { Context } from './query.ts'
import type { WrittenRelation } from './relation.ts'
import { NO_SOURCES, note, through, union, type OutputColumn } from './sources.ts'
import { columnsOf, TABLES, write, type BaseTable } from './tables.ts'

type Shape = 'pivot' | 'unpivot' | 'struct'

/** One of the shapes that the dialect has; nothing where it has none. */
export function writeShape(context: Context): WrittenRelation | undefined {
  const { abilities, choices } = context
  const shapes: Shape[] = []
  if (abilities.pivot) shapes.push('pivot', 'unpivot')
  if (abilities.structs) shapes.push('struct')
  const [first, ...others] = shapes
  if (first === undefined) return undefined
  const shape = choices.pick([first, ...others])
  const table = choices.pick(TABLES)
  context.inputs.add(table.name)
  if (shape === 'pivot') return pivoted(context, table)
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
