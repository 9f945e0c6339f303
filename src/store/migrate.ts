/**
 * Brings a database to the newest schema. Migrations are numbered, forward only, one list for catalog and ledger
 * (`migrations/index.ts`); each runs once, in a transaction of its own together with the row that records it. Several
 * processes may start at the same moment: an advisory lock lets one work while the others wait.
 */
import { transaction, type Database, type Queryable } from './database.ts'
import { DatabaseTooNewError } from './errors.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** Any number that nobody else uses for pg_advisory_lock in this database. */
const MIGRATION_LOCK = 4_812_001

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
    return currentVersion(tx)
  })
  if (from > MIGRATIONS.length) throw new DatabaseTooNewError(from, MIGRATIONS.length)
  for (let version = from + 1; version <= target; version++) await apply(database, version)
  return { from, to: Math.max(from, target) }
}

async function apply(database: Database, version: number): Promise<void> {
  const migration = MIGRATIONS[version - 1]
  if (migration === undefined) throw new RangeError(`there is no migration ${version}`)
  await transaction(database, async (tx) => {
    await lock(tx)
    // Another process may have been quicker while this one waited for the lock.
    if ((await currentVersion(tx)) >= version) return
    await tx.execute(migration.sql)
    await tx.execute('insert into headwater.migration (version, name) values ($1, $2)', [version, migration.name])
  })
}

async function lock(tx: Queryable): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
}

async function currentVersion(tx: Queryable): Promise<number> {
  const [row] = await tx.rows<{ version: number }>(
    'select coalesce(max(version), 0) as version from headwater.migration',
  )
  return row?.version ?? 0
}
