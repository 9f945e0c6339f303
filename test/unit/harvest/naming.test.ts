import { expect, test } from 'vitest'
import {
  fieldPathOf,
  Namer,
  readNaming,
  RuleBook,
  type Naming,
  type NameRules,
  type NamingDefaults,
} from '../../../src/harvest/naming.ts'
import { SchemaBook } from '../../../src/harvest/schema-book.ts'

const NAMING = readNaming(
  `
env: DEV
sources:
  - { path: pg/, platform: postgres, database: ops, schema: public }
  - { path: bq/, platform: bigquery, database: proj }
linked:
  - { platform: bigquery, name: proj.replica, is: { platform: postgres, name: ops.staging } }
`,
  'headwater.yaml',
)

function rulesFor(
  path: string,
  naming: Naming | undefined,
  defaults: NamingDefaults,
  own: NamingDefaults = {},
): NameRules {
  return new RuleBook(naming, defaults).rulesFor(path, own)
}

function nameOf(table: string, path: string, defaults: NamingDefaults = {}): string {
  const urn = new Namer(NAMING, new SchemaBook()).datasetOf(table, rulesFor(path, NAMING, defaults))
  return urn.replace(/^urn:li:dataset:\(urn:li:dataPlatform:/, '').replace(/\)$/, '')
}

test.each([
  ['orders', 'pg/a.sql', 'postgres,ops.public.orders,DEV'],
  ['Raw.Orders', 'pg/a.sql', 'postgres,ops.raw.orders,DEV'],
  ['other.raw.orders', 'pg/a.sql', 'postgres,other.raw.orders,DEV'],
  ['mart.Daily', 'bq/a.sql', 'bigquery,proj.mart.Daily,DEV'],
  ['replica.train', 'bq/a.sql', 'postgres,ops.staging.train,DEV'],
  ['s3://bucket/Events/2026/', 'pg/a.sql', 's3,bucket/Events/2026,DEV'],
  ['@raw.stage/events/', 'pg/a.sql', 'postgres,ops.raw.stage,DEV'],
  ['replica2.train', 'bq/a.sql', 'bigquery,proj.replica2.train,DEV'],
])('%s in %s is %s', (table, path, expected) => {
  expect(nameOf(table, path)).toBe(expected)
})

test.each([
  [{ platform: 'hive', schema: 'db' }, 't', 'hive,db.t,DEV'],
  [{ platform: 'mysql', database: 'db' }, 'T', 'mysql,db.T,DEV'],
  [{ platform: 'snowflake', database: 'DB', schema: 'S', instance: 'eu' }, 'T', 'snowflake,eu.db.s.t,DEV'],
  [{ platform: 'postgres', database: 'db' }, 't', 'postgres,t,DEV'],
  [{ platform: 'postgres', database: 'db', env: 'PROD' }, 's.t', 'postgres,db.s.t,PROD'],
])('without a path in the naming, %j and %s give %s', (defaults, table, expected) => {
  expect(nameOf(table, 'elsewhere/a.sql', defaults)).toBe(expected)
})

test('a source without a platform is refused', () => {
  expect(() => rulesFor('elsewhere/a.sql', NAMING, {})).toThrow(/platform/)
})

test('the dialect follows the platform, columns its case', () => {
  expect(rulesFor('x', undefined, { platform: 'mssql' }).dialect).toBe('tsql')
  expect(rulesFor('x', undefined, { platform: 'someDb' }).dialect).toBe('ansi')
  // What is said of the dialect farther away speaks of another platform.
  const around = { platform: 'snowflake', dialect: 'snowflake' } as const
  expect(rulesFor('x', undefined, around, { platform: 'bigquery' }).dialect).toBe('bigquery')
  expect(rulesFor('x', undefined, around, { platform: 'snowflake' }).dialect).toBe('snowflake')
  expect(rulesFor('x', undefined, { dialect: 'snowflake' }, { platform: 'other' }).dialect).toBe('snowflake')
  expect(fieldPathOf('Amount', rulesFor('pg/a', NAMING, {}))).toBe('amount')
  expect(fieldPathOf('Amount', rulesFor('bq/a', NAMING, {}))).toBe('Amount')
})

test('a wrong key is named with its place', () => {
  expect(() => readNaming('sources:\n  - { path: a, platfrom: x }\n', 'headwater.yaml')).toThrow(
    /headwater\.yaml:2:\d+.*platfrom/s,
  )
})
