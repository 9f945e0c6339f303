import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { pgConfig, testDatabase } from '../../support/embedded.ts'

const WAREHOUSE = resolve(import.meta.dirname, '../../../examples/warehouse')

test('the PostgreSQL files of the example warehouse run in order, and again the next night', async () => {
  await using night = await aWarehouse()
  await night.build()
  await night.build()
  const { rows } = await night.client.query<{ relations: string }>(
    `select count(*)::text as relations from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('raw', 'staging', 'mart') and c.relkind in ('r', 'v', 'm')`,
  )
  expect(rows).toEqual([{ relations: String(files().length - NOT_A_RELATION.length) }])
})

test('two consignments on one train share its cost by tonne-kilometres', async () => {
  await using night = await aWarehouse()
  await night.build()
  await night.client.query(TWO_CONSIGNMENTS)
  await night.build()
  const { rows } = await night.client.query(
    `select consignment_id::int as id, net_weight_kg::int as kg, round(cost_share, 2)::float as share
     from mart.train_consignment_share order by 1`,
  )
  expect(rows).toEqual([
    { id: 1, kg: 60_000, share: 0.75 },
    { id: 2, kg: 20_000, share: 0.25 },
  ])
  const { rows: journeys } = await night.client.query(
    'select consignment_id::int as id, origin_name, arrived_in_time from mart.consignment_journey order by 1',
  )
  expect(journeys).toEqual([
    { id: 1, origin_name: 'Felixmere Port', arrived_in_time: true },
    { id: 2, origin_name: 'Felixmere Port', arrived_in_time: true },
  ])
})

test('the PostgreSQL columns that truth.yaml names exist', async () => {
  await using night = await aWarehouse()
  await night.build()
  const { rows } = await night.client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname || '.' || a.attname as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('raw', 'staging', 'mart') and a.attnum > 0`,
  )
  const known = new Set(rows.map((row) => `postgres:ops.${row.name}`))
  const truth: Record<string, string[]> = parse(readFileSync(join(WAREHOUSE, 'truth.yaml'), 'utf8'))
  const named = Object.entries(truth).flat(2)
  expect(named.filter((column) => column.startsWith('postgres:') && !known.has(column))).toEqual([])
})

/** Files that make schemas or change a table of another file. */
const NOT_A_RELATION = ['00_schemas.sql', '35_consignment_distance.sql']

const TWO_CONSIGNMENTS = `
insert into raw.terminal (terminal_code, name, region, kind, latitude, longitude)
values ('FLX', 'FELIXMERE PORT', 'EAST', 'PORT', 51.9, 1.3), ('STN', 'STAINBY WORKS', 'NORTH', 'YARD', 54.5, -1.2);
insert into raw.commodity values ('4101', 'Steel coil', 'STEEL', null, 7850);
insert into raw.wagon_type values ('BYA', 'Covered coil carrier', 4, 75000, 14000);
insert into raw.wagon values ('338046720011', 'BYA', 'NMRF', 25000, 2014, null, null),
  ('338046720029', 'BYA', 'NMRF', 25000, 2014, '2024-05-01', null);
insert into raw.locomotive values ('66731', '66', 'DIESEL', 2420, 129600);
insert into raw.route_distance values ('FLX', 'STN', '2020-01-01', 380.5, 210);
insert into raw.consignment
select id, id, 'NM-00114', null, 'FLX', 'STN', '4101', 'st1', 60000, current_date - 3, current_date, 'ARRIVED', now() - interval '1 day'
from generate_series(1, 2) as id;
insert into raw.consignment_wagon values (1, '338046720011', 85000, current_date - 2, null),
  (2, '338046720029', 45000, current_date - 2, null);
insert into raw.train_run values (7, '6M23', current_date - 1, '66731', 'FLX', 'STN',
  current_date - 1, current_date - 1, current_date - interval '12 hours', current_date - interval '11 hours', false);
insert into raw.train_formation values (7, 1, '338046720011', 'FLX', 'STN'), (7, 2, '338046720029', 'FLX', 'STN');`

function files(): readonly string[] {
  const folder = join(WAREHOUSE, 'postgres')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => join(folder, name))
}

interface Warehouse extends AsyncDisposable {
  readonly client: Client
  /** One night: every file, in the order of the names. */
  build(): Promise<void>
}

async function aWarehouse(): Promise<Warehouse> {
  const database = await testDatabase()
  const client = new Client(pgConfig(database.address))
  await client.connect()
  return {
    client,
    async build() {
      for (const file of files()) await client.query(readFileSync(file, 'utf8'))
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await database.close()
    },
  }
}
