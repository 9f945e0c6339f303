/** What was written by whom: writes by the run id of their system metadata, and taking a run back (contract §4.4). */
import { aspectNamed, entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { readOldVersion } from '../../store/aspect-store.ts'
import type { Ports } from '../ports.ts'
import type { Deletion } from '../write/delete.ts'
import { storedOf } from '../write/snapshot.ts'

export interface RunSummary {
  readonly runId: string
  /** Aspects whose newest version the run wrote. */
  readonly rows: number
  readonly timestamp: number
}

export interface RunAspect {
  readonly runId: string
  readonly urn: Urn
  readonly aspectName: string
  readonly timestamp: number
}

export interface Rollback {
  readonly aspects: readonly RunAspect[]
  /** Aspects that go back to what stood before the run; the others go. */
  readonly reverted: number
  /** Entities that have no aspect left and go with it. */
  readonly entities: number
}

export interface Runs {
  /** Runs by their latest write, newest first. */
  list(range: { readonly start: number; readonly count: number }): Promise<readonly RunSummary[]>
  /** The aspects whose newest version a run wrote. */
  describe(runId: string, range: { readonly start: number; readonly count: number }): Promise<readonly RunAspect[]>
  /** Takes a run back: each of its aspects gets the newest version that another run wrote, or goes. */
  rollback(runId: string, mode: { readonly dryRun: boolean }, actor: Urn): Promise<Rollback>
}

/** Most aspects taken back by one call. */
const MAX_ROLLBACK = 100_000

export function createRuns(ports: Ports, deletion: Deletion): Runs {
  const { database, urnIds } = ports

  async function describe(runId: string, range: { readonly start: number; readonly count: number }) {
    return database.rows<RunAspect & { readonly urnId: number; readonly before: number | null }>(
      `select $1 as "runId", u.urn, a.urn_id as "urnId", a.name as "aspectName", a.written_ms as timestamp,
         (select max(h.version) from catalog.aspect_history h
          where h.urn_id = a.urn_id and h.name = a.name and h.run_id is distinct from $1) as before
       from catalog.aspect a join catalog.urn u on u.id = a.urn_id
       where a.run_id = $1 and a.run_id <> 'no-run-id-provided' order by a.urn_id, a.name offset $2 limit $3`,
      [runId, range.start, range.count],
    )
  }

  return {
    list: (range) =>
      database.rows<RunSummary>(
        `select run_id as "runId", count(*) as rows, max(written_ms) as timestamp from catalog.aspect
         where run_id is not null and run_id <> 'no-run-id-provided' group by run_id order by max(written_ms) desc, run_id offset $1 limit $2`,
        [range.start, range.count],
      ),

    async describe(runId, range) {
      const rows = await describe(runId, range)
      return rows.map(({ urn, aspectName, timestamp }) => ({ runId, urn, aspectName, timestamp }))
    },

    async rollback(runId, mode, actor) {
      const rows = await describe(runId, { start: 0, count: MAX_ROLLBACK })
      const gone = rows.filter((row) => row.before === null)
      const emptied = await emptiedBy(gone)
      if (!mode.dryRun) {
        for (const row of rows) await takeBack(row, actor)
        for (const urn of emptied) await deletion.entity(urn, actor)
      }
      return {
        aspects: rows.map(({ urn, aspectName, timestamp }) => ({ runId, urn, aspectName, timestamp })),
        reverted: rows.length - gone.length,
        entities: emptied.length,
      }
    },
  }

  async function takeBack(
    row: { readonly urn: Urn; readonly urnId: number; readonly aspectName: string; readonly before: number | null },
    actor: Urn,
  ): Promise<void> {
    const aspect = aspectNamed(row.aspectName)
    const old =
      row.before === null
        ? undefined
        : await readOldVersion(database, { urnId: row.urnId, name: row.aspectName }, row.before)
    if (old === undefined || aspect === undefined) {
      await deletion.aspects(row.urn, [row.aspectName], actor)
      return
    }
    const { value, systemMetadata } = storedOf(old)
    await ports.write({ actor, changes: [{ urn: row.urn, aspect, systemMetadata, next: () => value }] })
  }

  /** Entities of which nothing remains once these aspects are gone. */
  async function emptiedBy(gone: readonly { readonly urn: Urn; readonly urnId: number }[]): Promise<readonly Urn[]> {
    const counts = Map.groupBy(gone, (row) => row.urnId)
    const rows = await database.rows<{ id: number; count: number }>(
      'select urn_id as id, count(*) from catalog.aspect where urn_id = any($1) group by urn_id',
      [[...counts.keys()]],
    )
    const emptied = rows.filter((row) => counts.get(row.id)?.length === row.count).map((row) => row.id)
    const names = await urnIds.names(emptied)
    return [...names.values()].filter((urn) => entityTypeNamed(entityTypeOf(urn)) !== undefined)
  }
}
