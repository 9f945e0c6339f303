/** Names of outputs without an alias, by the rule of the dialect's database; elsewhere the text of the expression. */

import type { Dialect } from '../dialects/dialect.ts'
import type { Item } from '../ir/expression.ts'
import type { Query } from '../ir/query.ts'
import type { OutColumn, Resolving } from './model.ts'
import { postgresName } from './postgres-name.ts'

/** `position` counts all outputs before, `unnamed` those without a name of their own. */
export function outputName(r: Resolving, item: Item, position: number, unnamed: number): string {
  const { expression } = item
  if (expression.form === 'column') return expression.name ?? ''
  switch (r.dialect.unnamed) {
    case 'postgres':
      return postgresOutputName(r, item) ?? '?column?'
    case 'trino':
      return `_col${position}`
    case 'hive':
      return `_c${position}`
    case 'bigquery':
      return fieldName(r, item) ?? `f${unnamed}_`
    case 'upper':
      return textOf(r, item).toUpperCase()
    default:
      return textOf(r, item)
  }
}

/** Outputs that PostgreSQL names alike (`max`, `?column?`), by their texts instead: they are several columns of a table. */
export function toldApart(r: Resolving, columns: readonly OutColumn[]): readonly OutColumn[] {
  if (r.dialect.unnamed !== 'postgres' || columns.length < 2) return columns
  const counts = new Map<string, number>()
  for (const { key } of columns) counts.set(key, (counts.get(key) ?? 0) + 1)
  if (counts.size === columns.length) return columns
  return columns.map((column) => {
    const { item } = column
    if (counts.get(column.key) === 1 || !item || item.star || item.alias !== undefined) return column
    if (item.aliases || item.expression.form === 'column') return column
    return namedByText(r, column)
  })
}

/** The column by the text of its expression. */
export function namedByText(r: Resolving, column: OutColumn): OutColumn {
  if (!column.item) return column
  const name = textOf(r, column.item)
  return { ...column, name, key: name.toLowerCase() }
}

/** BigQuery: `rows[OFFSET(0)].amount` is named by the field at its end. */
function fieldName(r: Resolving, { expression: { name, end } }: Item): string | undefined {
  if (name === undefined) return undefined
  const before = r.text.slice(0, end)
  return before.endsWith(`.${name}`) || before.endsWith(`.\`${name}\``) ? name : undefined
}

function postgresOutputName(r: Resolving, item: Item): string | undefined {
  const { start, queries } = item.expression
  return postgresName(r.text.slice(start, item.expression.end), r.dialect, (at) => {
    const use = queries.find(({ query }) => query.start === start + at)
    const first = use === undefined ? undefined : firstItem(use.query)
    if (first === undefined) return use?.query.kind === 'values' ? valuesName(r.dialect, 0) : undefined
    return first.alias ?? (first.star ? undefined : outputName(r, first, 0, 0))
  })
}

/** The item that names the first column of a query. */
function firstItem(query: Query): Item | undefined {
  if (query.kind === 'set') return firstItem(query.left)
  return query.kind === 'select' ? query.items[0] : undefined
}

const SPACES = /\s+/g

function textOf(r: Resolving, item: Item): string {
  const text = r.text.slice(item.start, item.end)
  return text.includes('\n') || text.includes('  ') ? text.replaceAll(SPACES, ' ') : text
}

/** Name of column `index` of VALUES. */
export function valuesName(dialect: Dialect, index: number): string {
  switch (dialect.name) {
    case 'duckdb':
      return `col${index}`
    case 'spark':
    case 'databricks':
    case 'hive':
      return `col${index + 1}`
    case 'trino':
    case 'presto':
    case 'athena':
      return `_col${index}`
    case 'mysql':
    case 'mariadb':
      return `column_${index}`
    default:
      return `column${index + 1}`
  }
}
