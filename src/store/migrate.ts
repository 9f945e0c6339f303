/**
 * Brings a database to the newest schema. Migrations are numbered, forward only, one list for catalog and ledger
 * (`migrations/index.ts`); each runs once, in a transaction of its own together with the row that records it. Several
 * processes may start at the same moment: an advisory lock lets one work while the others wait.
 */
import { transaction, type Database, type Queryable } from './database.ts'
import { DatabaseTooNewError } from './errors.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { LOCK } from './locks.ts'

/**
 * Runs the migrations that are missing, up to `version` (all when absent).
 * @returns the version before and after
 * @throws DatabaseTooNewError when the database is ahead of this program
 */
export async function migrate(
  database: Database,
  options: { readonly version?: number } = {},
): Promise<{ readonly from: number; readonly to: number }> {
  const target = options.version ?? MIGRATIONS.length
  const from = await transaction(database, async (tx) => {
    await lock(tx)
    await tx.execute('create schema if not exists headwater')
    await tx.execute(`create table if not exists headwater.migration (
      version int primary key, name text not null, applied_at timestamptz not null default now())`)
    await tx.execute('alter table headwater.migration add column if not exists least int')
    return currentVersion(tx)
  })
  await requireFit(database)
  for (let version = from + 1; version <= target; version++) await apply(database, version)
  return { from, to: Math.max(from, target) }
}

/**
 * Whether this program can work with the schema as it is now: one that is ahead of it may be, where the steps in between
 * left room for programs of the version before (a rolling upgrade).
 * @throws DatabaseTooNewError
 */
export async function requireFit(database: Queryable, known: number = MIGRATIONS.length): Promise<void> {
  const [row] = await database.rows<{ version: number; least: number }>(
    `select max(version) as version, max(coalesce(least, version)) as least from headwater.migration
      where version > $1`,
    [known],
  )
  if (row !== undefined && row.least > known) throw new DatabaseTooNewError(row.version, known)
}

async function apply(database: Database, version: number): Promise<void> {
  const migration = MIGRATIONS[version - 1]
  if (migration === undefined) throw new RangeError(`there is no migration ${version}`)
  await transaction(database, async (tx) => {
    await lock(tx)
    // Another process may have been quicker while this one waited for the lock.
    if ((await currentVersion(tx)) >= version) return
    await tx.execute(migration.sql)
    await tx.execute('insert into headwater.migration (version, name, least) values ($1, $2, $3)', [
      version,
      migration.name,
      migration.least ?? null,
    ])
  })
}

async function lock(tx: Queryable): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1)', [LOCK.migration])
}

async function currentVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.rows<{ version: number }>(
    'select coalesce(max(version), 0) as version from headwater.migration',
  )
  return row?.version ?? 0
}
