/**
 * Views and routines of a PostgreSQL, read from its own catalog: their definitions are SQL like any other, the columns of
 * its tables are schemas. One read-only transaction, so that all of it is of one moment; every statement has a time limit.
 * Nothing that is found is ever run.
 */
import { Client } from 'pg'
import { SourceUnreadableError } from '../../client/source-http.ts'
import { NoSqlFoundError } from '../errors.ts'
import type { RuleBook } from '../naming.ts'
import { fitsAny } from '../path-pattern.ts'
import type { SourcePortion, SqlUnit } from '../sql-unit.ts'
import { pathOf, readRelations, routineRules, type Relations } from './search-path.ts'
import { postgresAddress, type PostgresAddress } from './address.ts'

export interface LivePostgresOptions {
  /** URL without a password. */
  readonly source: string
  /** Patterns of `schema/name`; everything but the system's own when absent. */
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly rules: RuleBook
  /** PGPASSWORD is read of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const PAGE = 500
const STATEMENT_TIMEOUT_MS = 60_000
const CONNECT_TIMEOUT_MS = 10_000

/** @throws DecodeError for the address, SourceUnreadableError, NoSqlFoundError */
export async function* livePostgres(options: LivePostgresOptions): AsyncGenerator<SourcePortion> {
  const address = postgresAddress(options.source)
  const client = new Client({
    host: address.host,
    port: address.port,
    user: address.user,
    database: address.database,
    password: options.environment['PGPASSWORD'],
    ssl: address.tls ? { rejectUnauthorized: true } : false,
    application_name: 'headwater harvest',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Names are printed with their schemas where no schema is in the path.
    options: '-c search_path=pg_catalog',
  })
  // A connection that breaks fails the statement under way; without a listener it would end the process.
  client.on('error', () => undefined)
  const stop = (): void => void client.end().catch(() => undefined)
  options.signal.addEventListener('abort', stop)
  try {
    await client.connect()
    await client.query('begin transaction isolation level repeatable read read only')
    const relations = await readRelations(client)
    let found = 0
    for (const kind of OBJECT_KINDS) {
      for await (const units of unitsOf(client, kind, relations, options)) {
        found += units.length
        yield { units, declared: [], rejected: [] }
      }
    }
    await client.query('commit')
    if (found === 0) throw new NoSqlFoundError(address.shown)
  } catch (error) {
    options.signal.throwIfAborted()
    throw error instanceof NoSqlFoundError ? error : unreadable(address, error)
  } finally {
    options.signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}

function unreadable({ shown }: PostgresAddress, cause: unknown): SourceUnreadableError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new SourceUnreadableError(shown, reason, {
    cause,
    remedy: 'check address, user, PGPASSWORD and the rights of the user to read the catalog of the database',
  })
}

/** An object of the database, with the SQL that makes it. */
interface DatabaseObject {
  readonly id: string
  readonly schema: string
  readonly name: string
  readonly sql: string
  /** Of a routine: the search path that it sets itself. */
  readonly path?: string | null
}

interface ObjectKind {
  readonly title: string
  /** Takes the last id of the former page and the size of a page; gives rows of `DatabaseObject`, ordered by id. */
  readonly query: string
}

const OWN_SCHEMAS = `n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`
const COLUMNS = `select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

/** A partition is no table of its own to anybody but a view that reads just it. */
const READ_BY_VIEW = `exists (select 1 from pg_depend d where d.classid = 'pg_rewrite'::regclass
  and d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid)`

/** Tables first: they teach the columns that stars of views read. */
const OBJECT_KINDS: readonly ObjectKind[] = [
  {
    title: 'table',
    query: `select c.oid::int8 as id, n.nspname as schema, c.relname as name,
        'create table ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' (' ||
          (select string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
              || case when a.attnotnull then ' not null' else '' end
              || case when k.conkey is not null and array_length(k.conkey, 1) = 1 and a.attnum = k.conkey[1]
                 then ' primary key' else '' end, ', ' order by a.attnum)
            from pg_attribute a left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) || ')' as sql
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'f') and (not c.relispartition or ${READ_BY_VIEW}) and ${OWN_SCHEMAS} and c.oid::int8 > $1
      order by c.oid limit $2`,
  },
  {
    title: 'view',
    query: `select c.oid::int8 as id, n.nspname as schema, c.relname as name,
        'create ' || case c.relkind when 'm' then 'materialized view ' else 'view ' end
          || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' (' || (${COLUMNS}) || E') as\\n'
          || pg_get_viewdef(c.oid) as sql
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('v', 'm') and ${OWN_SCHEMAS} and c.oid::int8 > $1
      order by c.oid limit $2`,
  },
  {
    title: 'routine',
    query: `select p.oid::int8 as id, n.nspname as schema, p.proname as name, pg_get_functiondef(p.oid) as sql,
        (select substr(setting, 13) from unnest(p.proconfig) setting where setting like 'search\\_path=%') as path
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
      where p.prokind in ('f', 'p') and l.lanname in ('sql', 'plpgsql') and ${OWN_SCHEMAS} and p.oid::int8 > $1
        and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      order by p.oid limit $2`,
  },
]

async function* unitsOf(
  client: Client,
  { title, query }: ObjectKind,
  { bySchema, path: usualPath }: Relations,
  { rules: book, include, exclude = [], source }: LivePostgresOptions,
): AsyncGenerator<readonly SqlUnit[]> {
  const { database, user } = postgresAddress(source)
  let after = '-1'
  for (;;) {
    const { rows } = await client.query<DatabaseObject>(query, [after, PAGE])
    const wanted = rows.filter(({ schema, name, sql }) => {
      const path = `${schema}/${name}`
      return sql !== null && (include === undefined || fitsAny(path, include)) && !fitsAny(path, exclude)
    })
    yield wanted.map(({ schema, name, sql, path }): SqlUnit => {
      const file = `${title} ${schema}.${name}`
      const named = book.rulesFor(`${schema}/${name}`, { database, schema, ...POSTGRES })
      const own = typeof path === 'string' ? pathOf(path, user, bySchema) : usualPath
      const rules = title === 'routine' ? routineRules(sql, own, { rules: named, bySchema }) : named
      return { texts: [{ sql, file, line: 1, wholeFile: true }], rules, memoryKey: file }
    })
    if (rows.length < PAGE) return
    after = rows.at(-1)?.id ?? after
  }
}

/** What speaks of itself needs no naming: the platform is known, unless somebody calls it otherwise. */
const POSTGRES = { dialect: 'postgres' } as const
