import { assertNever } from '../../../src/model/errors.ts'
import type { Unnest } from './dialects.ts'
import type { Visible } from './expression.ts'
import type { Context } from './query.ts'
import { through, type OutputColumn } from './sources.ts'
import { columnsOf, TABLES, write } from './tables.ts'

export interface WrittenRelation {
  readonly sql: string
  readonly visible: Visible
  /** A star over it can be spelled out: its columns are known to the engine. */
  readonly starsKnown: boolean
  /** Its array column. */
  readonly array?: OutputColumn
}

/** A base table under an alias. */
export function writeTable(context: Context): WrittenRelation {
  const table = context.choices.pick(TABLES)
  context.inputs.add(table.name)
  const alias = context.choices.fresh('t')
  const columns = columnsOf(table)
  const array = columns.find((column) => column.name === table.array)
  return {
    sql: `${table.name} ${alias}`,
    visible: { alias, columns },
    starsKnown: context.schemasKnown,
    ...(array === undefined ? {} : { array }),
  }
}

/** The elements of an array column as a relation of one column, in the dialect's words. */
export function writeArrayRelation(
  context: Context,
  form: Unnest,
  owner: WrittenRelation,
): { readonly sql: string; readonly visible: Visible } {
  const { choices, abilities } = context
  const array = owner.array
  if (array === undefined) throw new Error('the relation has no array column')
  const source = `${owner.visible.alias}.${write(array.name, abilities)}`
  const alias = choices.fresh('u')
  const element = form === 'flatten' ? 'value' : choices.fresh('e')
  // A field of a struct is the very value that was put there; an element is not its array.
  const sources = form === 'bigquery' ? array.sources : through('TRANSFORMED', array.sources)
  const columns = [{ name: element, sources }]
  return {
    sql: arraySql(form, source, alias, element),
    visible: { alias, columns, unqualified: form === 'array-join' },
  }
}

function arraySql(form: Unnest, source: string, alias: string, element: string): string {
  switch (form) {
    case 'bigquery':
      return ` CROSS JOIN UNNEST([STRUCT(${source} AS ${element})]) AS ${alias}`
    case 'flatten':
      return `, LATERAL FLATTEN(INPUT => ${source}) ${alias}`
    case 'lateral-view':
      return ` LATERAL VIEW explode(${source}) ${alias} AS ${element}`
    case 'function':
      return ` CROSS JOIN unnest(${source}) AS ${alias} (${element})`
    case 'trino':
      return ` CROSS JOIN UNNEST(${source}) AS ${alias} (${element})`
    case 'array-join':
      return ` ARRAY JOIN ${source} AS ${element}`
    case 'json-table':
      return ` CROSS JOIN JSON_TABLE(${source}, '$[*]' COLUMNS (${element} VARCHAR(10) PATH '$.a')) ${alias}`
    case 'openjson':
      return ` CROSS APPLY OPENJSON(${source}) WITH (${element} VARCHAR(10) '$.a') AS ${alias}`
    default:
      return assertNever(form)
  }
}
