import type { Abilities } from './dialects.ts'
import type { OutputColumn } from './sources.ts'

/** A base table of the generated statements. The names hold what trips engines: reserved words, spaces, equal names. */
export interface BaseTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Column that holds an array or a JSON document. */
  readonly array: string
}

export const TABLES: readonly [BaseTable, ...BaseTable[]] = [
  { name: 'shop.orders', columns: ['id', 'customer_id', 'amount', 'status', 'tags'], array: 'tags' },
  { name: 'crm.customers', columns: ['customer_id', 'name', 'country', 'notes'], array: 'notes' },
  { name: 'shop.items', columns: ['order_id', 'sku', 'qty', 'price', 'parts'], array: 'parts' },
  { name: 'fx.rates', columns: ['currency', 'rate', 'valid_from', 'history'], array: 'history' },
  { name: 'raw.events', columns: ['id', 'kind', 'Event Time', 'order', 'payload'], array: 'payload' },
]

export const SCHEMAS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  TABLES.map((table) => [table.name, table.columns]),
)

/** A name as it stands in SQL: quoted where it must be. */
export function write(name: string, abilities: Abilities): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && name !== 'order') return name
  return `${abilities.quote[0]}${name}${abilities.quote[1]}`
}

export function columnsOf(table: BaseTable): OutputColumn[] {
  return table.columns.map((name) => ({ name, sources: new Map([[`${table.name}.${name}`, 'IDENTITY']]) }))
}
