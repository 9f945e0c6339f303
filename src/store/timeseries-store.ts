/**
 * Events of timeseries aspects: one plain table per entity type and aspect, made on the first write. With tables of
 * their own, sizes are exact, and a truncation can rebuild one table without touching another.
 */
import { bigints, ints, texts } from './arrays.ts'
import { transaction, type Database, type Queryable, type Transaction } from './database.ts'
import { LOCK } from './locks.ts'

/** Names the events of one aspect of one entity type. */
export interface IndexName {
  readonly entityType: string
  readonly aspect: string
}

/** Which of an index's events are meant, by the data platform in their entities' URNs; all where neither is given. */
export interface PlatformRows {
  readonly platform?: string | undefined
  readonly exceptPlatforms?: readonly string[] | undefined
}

export interface EventRow extends IndexName {
  readonly urnId: number
  readonly timestampMs: number
  /** Tells apart events of the same time: granularity, partition and message id; '' for none. */
  readonly key: string
  readonly body: string
  readonly systemMetadata: string | null
}

export interface StoredEvent {
  readonly body: string
  readonly systemMetadata: string | null
  readonly timestampMs: number
}

export interface IndexSize extends IndexName {
  /** Table, its indexes and out-of-line storage, in bytes on disk. */
  readonly bytes: number
  /** Counted, or as the planner estimates where there are very many. */
  readonly rows: number
  readonly rowsEstimated: boolean
  readonly oldestMs: number | null
  readonly newestMs: number | null
}

/** The table of an index. Names come from the entity registry; anything else is refused, since names cannot be parameters. */
export function tableOf(index: IndexName): string {
  const name = `${index.entityType}_${index.aspect}`.toLowerCase()
  if (!/^[a-z0-9_]{1,58}$/.test(name)) throw new RangeError(`not the name of a timeseries index: ${name}`)
  return `catalog.ts_${name}`
}

export function createTableSql(table: string): string {
  return `create table ${table} (
    urn_id int not null, ts bigint not null, key text collate "C" not null,
    body text not null, system_metadata text, primary key (urn_id, ts, key))`
}

/** Makes the table of an index where it is missing. */
export async function ensureIndex(database: Database, index: IndexName): Promise<void> {
  const table = tableOf(index)
  await transaction(database, async (tx) => {
    await tx.execute('select pg_advisory_xact_lock($1)', [LOCK.timeseriesTables])
    const [row] = await tx.rows<{ found: string | null }>('select to_regclass($1) as found', [table])
    if (row?.found !== null) return
    await tx.execute(createTableSql(table))
    await tx.execute(`create index on ${table} (ts)`)
    await tx.execute('insert into catalog.timeseries_index (entity_type, aspect, table_name) values ($1, $2, $3)', [
      index.entityType,
      index.aspect,
      table,
    ])
  })
}

/** The indexes that there are. */
export async function listIndexes(db: Queryable): Promise<readonly IndexName[]> {
  return db.rows<IndexName>(
    'select entity_type as "entityType", aspect from catalog.timeseries_index order by entity_type, aspect',
  )
}

/** Writes events; one of the same entity, time and key replaces the earlier. The tables exist already. */
export function writeEvents(tx: Transaction, rows: readonly EventRow[]): void {
  const tables = Map.groupBy(rows, tableOf)
  for (const [table, events] of [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const last = new Map(events.map((event) => [`${event.urnId} ${event.timestampMs} ${event.key}`, event]))
    const sorted = [...last.values()].toSorted(
      (a, b) => a.urnId - b.urnId || a.timestampMs - b.timestampMs || (a.key < b.key ? -1 : 1),
    )
    tx.send(
      {
        name: `event_write_${table}`,
        text: `insert into ${table} (urn_id, ts, key, body, system_metadata)
          select * from unnest($1::int[], $2::bigint[], $3::text[], $4::text[], $5::text[])
          on conflict (urn_id, ts, key) do update set body = excluded.body, system_metadata = excluded.system_metadata`,
      },
      [
        ints(sorted.map((event) => event.urnId)),
        bigints(sorted.map((event) => event.timestampMs)),
        texts(sorted.map((event) => event.key)),
        texts(sorted.map((event) => event.body)),
        texts(sorted.map((event) => event.systemMetadata)),
      ],
    )
  }
}

/** Events of one entity between two times (both included), newest first unless `oldestFirst`. */
export async function readEvents(
  db: Queryable,
  index: IndexName,
  query: {
    readonly urnId: number
    readonly fromMs: number
    readonly toMs: number
    readonly limit: number
    readonly oldestFirst?: boolean
  },
): Promise<readonly StoredEvent[]> {
  const table = tableOf(index)
  const order = query.oldestFirst === true ? 'asc' : 'desc'
  return db.rows<StoredEvent>(
    {
      // Of 63 characters at most, as are the names of tables.
      name: `${table.replace('catalog.', '')}${order === 'asc' ? '+' : '-'}`,
      text: `select body, system_metadata as "systemMetadata", ts as "timestampMs" from ${table}
        where urn_id = $1 and ts between $2 and $3 order by ts ${order}, key limit $4`,
    },
    [query.urnId, query.fromMs, query.toMs, query.limit],
  )
}

/**
 * SQL that is true for the events that are meant; always true where all are.
 * @param row alias of the table of events
 * @param parameter number of the parameter that `platformPrefixes` gives the value of
 */
export function isOfPlatforms(row: string, rows: PlatformRows, parameter: number): string {
  if (rows.platform === undefined && rows.exceptPlatforms === undefined) return `$${parameter}::text[] is not null`
  const found = `exists (select 1 from catalog.urn u where u.id = ${row}.urn_id and u.urn ^@ any($${parameter}::text[]))`
  return rows.platform === undefined ? `not ${found}` : found
}

/** Beginnings of the URNs of a platform's entities. */
export function platformPrefixes({ entityType }: IndexName, { platform, exceptPlatforms }: PlatformRows): Buffer {
  const names = platform === undefined ? (exceptPlatforms ?? []) : [platform]
  return texts(names.map((name) => `urn:li:${entityType}:(urn:li:dataPlatform:${name},`))
}

/** Rows of an index: all, and those strictly older than the cut-off. */
export async function countOlder(db: Queryable, index: IndexName, cutoffMs: number, rows: PlatformRows = {}) {
  const meant = isOfPlatforms('r', rows, 2)
  const [row] = await db.rows<{ older: number; total: number }>(
    `select (select count(*) from ${tableOf(index)} r where ts < $1 and ${meant}) as older,
      (select count(*) from ${tableOf(index)} r where ${meant}) as total`,
    [cutoffMs, platformPrefixes(index, rows)],
  )
  return row ?? { older: 0, total: 0 }
}

/** Deletes at most `limit` rows older than the cut-off; gives how many went. */
export async function deleteOlder(
  db: Queryable,
  index: IndexName,
  cutoffMs: number,
  limit: number,
  rows: PlatformRows = {},
): Promise<number> {
  const table = tableOf(index)
  return db.execute(
    `delete from ${table} where ctid = any(array(
      select ctid from ${table} r where ts < $1 and ${isOfPlatforms('r', rows, 3)} order by ts limit $2))`,
    [cutoffMs, limit, platformPrefixes(index, rows)],
  )
}

/** Deletes events of one entity between two times (both included); gives how many went. */
export async function deleteEventsOf(
  tx: Queryable,
  index: IndexName,
  range: { readonly urnId: number; readonly fromMs: number; readonly toMs: number },
): Promise<number> {
  return tx.execute(`delete from ${tableOf(index)} where urn_id = $1 and ts between $2 and $3`, [
    range.urnId,
    range.fromMs,
    range.toMs,
  ])
}

/** Rows up to which an index is counted: some tenths of a second. */
const COUNTED_ROWS = 5_000_000

/**
 * True sizes of all indexes, from the database's own files.
 * @param countedRows indexes with more rows than this, as estimated, are not counted
 */
export async function indexSizes(db: Queryable, countedRows = COUNTED_ROWS): Promise<readonly IndexSize[]> {
  const sizes: IndexSize[] = []
  for (const index of await listIndexes(db)) {
    const table = tableOf(index)
    const [row] = await db.rows<Omit<IndexSize, keyof IndexName | 'rowsEstimated'>>(
      // The estimate as the planner makes it: rows a page when last looked at, times the pages of now.
      `select pg_total_relation_size(c.oid) as bytes, (select min(ts) from ${table}) as "oldestMs",
        (select max(ts) from ${table}) as "newestMs", case when c.relpages = 0 then 0 else
          round(greatest(c.reltuples, 0)::float8 / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))
        end::bigint as rows
       from pg_class c where c.oid = '${table}'::regclass`,
    )
    if (row === undefined) continue
    const rowsEstimated = row.rows > countedRows
    const rows = rowsEstimated ? row.rows : await countRows(db, table)
    sizes.push({ ...index, ...row, rows, rowsEstimated })
  }
  return sizes
}

async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.rows<{ rows: number }>(`select count(*) as rows from ${table}`)
  return row?.rows ?? 0
}

/** One event as it is read in bulk. */
export interface RangeEvent extends StoredEvent {
  readonly urnId: number
  readonly key: string
}

/** The events between two times (the later one left out), oldest first, in batches. */
export async function* readRange(
  db: Queryable,
  index: IndexName,
  range: { readonly fromMs: number; readonly beforeMs: number } & PlatformRows,
  batchSize = 2000,
): AsyncGenerator<readonly RangeEvent[]> {
  let last: readonly unknown[] = [range.fromMs, -1, '']
  for (;;) {
    const rows = await db.rows<RangeEvent>(
      `select urn_id as "urnId", key, body, system_metadata as "systemMetadata", ts as "timestampMs"
       from ${tableOf(index)} r where ts >= $1 and (ts, urn_id, key) > ($1, $2, $3) and ts < $4
         and ${isOfPlatforms('r', range, 6)}
       order by ts, urn_id, key limit $5`,
      [...last, range.beforeMs, batchSize, platformPrefixes(index, range)],
    )
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < batchSize) return
    last = [end.timestampMs, end.urnId, end.key]
  }
}
