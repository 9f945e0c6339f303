/** Figures that jobs measured, by catalog and series. */
import type { JsonObject } from '../../model/json.ts'
import type { Queryable } from '../database.ts'

export interface MeasurementRow {
  readonly series: string
  readonly atMs: number
  readonly facts: JsonObject
}

const KEPT_MS = 800 * 86_400_000

/** Adds points; one of the same series and moment is replaced. Points that are 800 days older than the newest go. */
export async function recordMeasurements(
  db: Queryable,
  target: string,
  points: readonly MeasurementRow[],
): Promise<void> {
  if (points.length === 0) return
  const last = new Map(points.map((point) => [`${point.series} ${point.atMs}`, point]))
  const rows = [...last.values()].toSorted((a, b) => (a.series < b.series ? -1 : 1) || a.atMs - b.atMs)
  await db.execute(
    {
      name: 'ledger-measure',
      text: `insert into ledger.measurement (target, series, at_ms, facts)
        select $1, * from unnest($2::text[], $3::bigint[], $4::json[])
        on conflict (target, series, at_ms) do update set facts = excluded.facts`,
    },
    [target, rows.map((row) => row.series), rows.map((row) => row.atMs), rows.map((row) => JSON.stringify(row.facts))],
  )
  const newest = Math.max(...rows.map((row) => row.atMs))
  await db.execute(
    {
      name: 'ledger-measure-trim',
      text: 'delete from ledger.measurement where target = $1 and series = any($2) and at_ms < $3',
    },
    [target, [...new Set(rows.map((row) => row.series))], newest - KEPT_MS],
  )
}

/** Points from a moment on, of all series whose names begin with `prefix`; by series, oldest first. */
export async function readMeasurements(
  db: Queryable,
  query: { readonly target: string; readonly prefix: string; readonly sinceMs: number },
): Promise<readonly MeasurementRow[]> {
  return db.rows<MeasurementRow>(
    {
      name: 'ledger-measured',
      text: `select series, at_ms as "atMs", facts from ledger.measurement
        where target = $1 and starts_with(series, $2) and at_ms >= $3 order by series, at_ms`,
    },
    [query.target, query.prefix, query.sinceMs],
  )
}
