import { expect, test } from 'vitest'
import { schemaFromTables } from '../../../src/sql/eval/schema.ts'

const schema = schemaFromTables({ orders: ['bare'], 'shop.Orders': ['two'], 'a.x.items': ['ax'], 'b.x.items': ['bx'] })

test.each([
  [['orders'], ['bare']],
  [['shop', 'ORDERS'], ['two']],
  [['dwh', 'shop', 'orders'], ['two']],
  [['dwh', 'crm', 'orders'], ['bare']],
  [['A', 'x', 'items'], ['ax']],
])('%j has %j', (table, columns) => {
  expect(schema.columnsOf(table)).toEqual(columns)
})

test.each([[['nothing']], [['x', 'items']], [['items']]])('%j is unknown or not the only one', (table) => {
  expect(schema.columnsOf(table)).toBeUndefined()
})
