import { Client } from 'pg'
import { expect, test } from 'vitest'
import { postgresAddress } from '../../../src/harvest/postgres/address.ts'
import { objectsAt, textAt } from '../../../src/model/json.ts'
import { pgConfig, testDatabase } from '../../support/embedded.ts'
import { harvested } from '../../support/harvest.ts'

const OBJECTS = `
create schema raw; create schema "Mart";
create table raw.orders (id int primary key, amount numeric(10,2) not null, "Odd name" text);
create view "Mart".daily as select id, amount * 2 as twice from raw.orders;
create materialized view "Mart".totals as select sum(twice) as total from "Mart".daily;
create table "Mart".kept (total numeric);
create procedure "Mart".keep() language plpgsql as $$ begin
  insert into "Mart".kept (total) select total from "Mart".totals;
end $$;
create view raw.left_out as select 1 as one;
create table raw.events (id int, day date) partition by range (day);
create table raw.events_2026 partition of raw.events for values from ('2026-01-01') to ('2027-01-01');
create table raw.events_2027 partition of raw.events for values from ('2027-01-01') to ('2028-01-01');
create view "Mart".this_year as select id from raw.events_2026;
`

test('views, routines and tables of a PostgreSQL are read, and nothing in it changes', async () => {
  await using database = await testDatabase()
  const admin = new Client(pgConfig(database.address))
  await admin.connect()
  try {
    await admin.query(OBJECTS)
    const { folder, port, user, database: name } = database.address
    const source = `postgres://${user}@/${name}?host=${folder}&port=${port}`
    const { changes, rejects, report } = await harvested(
      { source, origin: 'live', exclude: ['raw/left_*'] },
      { environment: { PGPASSWORD: 'none' } },
    )
    expect(rejects).toEqual([])
    const short = (urn: string): string =>
      urn.replace(`urn:li:dataset:(urn:li:dataPlatform:postgres,${name}.`, '').replace(/,PROD\)$/, '')
    const lineages = changes.filter(({ aspectName }) => aspectName === 'upstreamLineage')
    expect(
      lineages
        .flatMap(({ urn, intent }) =>
          objectsAt(intent, 'upstreams').map((edge) => `${short(urn)} <- ${short(textAt(edge, 'dataset') ?? '')}`),
        )
        .toSorted(),
    ).toEqual([
      'mart.daily <- raw.orders',
      'mart.kept <- mart.totals',
      'mart.this_year <- raw.events_2026',
      'mart.totals <- mart.daily',
    ])
    const daily = lineages.find(({ urn }) => short(urn) === 'mart.daily')
    expect(objectsAt(daily?.intent, 'fineGrainedLineages').map((edge) => edge['transformOperation'])).toEqual([
      'COPY',
      expect.stringContaining('amount *'),
    ])
    const schema = changes.find(({ urn, aspectName }) => aspectName === 'schemaMetadata' && short(urn) === 'raw.orders')
    expect(objectsAt(schema?.intent, 'fields').map((field) => [field['fieldPath'], field['nativeDataType']])).toEqual([
      ['id', 'integer'],
      ['amount', 'numeric(10,2)'],
      ['odd name', 'text'],
    ])
    expect(changes.some(({ urn }) => urn.includes('left_out') || urn.includes('events_2027'))).toBe(false)
    expect(report.ghosts).toBe(0)
  } finally {
    await admin.end()
  }
})

/** Schema and table. */
function tableOf(urn: string): string {
  return urn.replace(/^.*?,[^.]*\./, '').replace(/,PROD\)$/, '')
}

test('a bare name in a routine is looked for along its search path', async () => {
  await using database = await testDatabase()
  const admin = new Client(pgConfig(database.address))
  await admin.connect()
  try {
    const { folder, port, user, database: name } = database.address
    await admin.query(`
      create schema api; create schema mart; create schema raw;
      create table public.events (id int); create table raw.orders (id int); create table mart.daily (id int);
      create table mart.log (id int); create table public.log (id int);
      create function api.usual() returns void language sql as 'insert into log (id) select id from events';
      create function api.own() returns void language plpgsql set search_path = mart, raw as $$ begin
        insert into daily (id) select id from orders; insert into log (id) select id from public.events; end $$;`)
    const source = `postgres://${user}@/${name}?host=${folder}&port=${port}`
    const edges = async (): Promise<readonly string[]> => {
      const { changes } = await harvested({ source, origin: 'live' }, { environment: { PGPASSWORD: 'none' } })
      return changes
        .filter(({ aspectName }) => aspectName === 'upstreamLineage')
        .flatMap(({ urn, intent }) =>
          objectsAt(intent, 'upstreams').map((edge) => `${tableOf(urn)} <- ${tableOf(textAt(edge, 'dataset') ?? '')}`),
        )
        .toSorted()
    }
    const own = ['mart.daily <- raw.orders', 'mart.log <- public.events']
    expect(await edges()).toEqual([...own, 'public.log <- public.events'].toSorted())
    await admin.query(`alter database "${name}" set search_path = raw, mart, public`)
    // What all routines without a path of their own do now.
    expect(await edges()).toEqual(own)
  } finally {
    await admin.end()
  }
})

test('a database that cannot be reached, or without anything to read, is told without a password', async () => {
  const source = 'postgres://reader@127.0.0.1:1/nowhere'
  await expect(harvested({ source }, { environment: { PGPASSWORD: 'geheim' } })).rejects.toMatchObject({
    code: 'SOURCE_UNREADABLE',
    message: expect.not.stringContaining('geheim'),
  })
  await using database = await testDatabase()
  const { folder, port, user, database: name } = database.address
  const empty = `postgres://${user}@/${name}?host=${folder}&port=${port}`
  await expect(harvested({ source: empty }, { environment: { PGPASSWORD: 'none' } })).rejects.toMatchObject({
    code: 'NO_SQL_FOUND',
  })
})

test.each([
  ['postgres://u:geheim@h/d', 'a password must not stand in it'],
  ['postgres://h/d', 'it names no user'],
  ['postgres://u@h', 'it names no database'],
  ['postgres://u@h/d?sslmod=require', 'unknown parameter "sslmod"'],
])('%s is refused', (url, reason) => {
  expect(() => postgresAddress(url)).toThrow(reason)
  expect(() => postgresAddress(url)).not.toThrow('geheim')
})
