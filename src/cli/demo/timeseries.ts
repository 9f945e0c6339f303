/**
 * Two years of usage, profiles and operations for the example's tables: what a catalog's timeseries indexes look like
 * after a while, so that retention has something to do. Made as it is read, oldest day first, never held whole.
 *
 * Each table has one usage bucket a day, each built table (not raw) one profile a day; operations fill the rest, more
 * for busy tables. Times count back from `until`, so equal arguments give equal rows. Of each day counted so, the first
 * six hours are without operations: a retention that ran at `until` finds nothing more to do some hours later.
 */
import type { JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import type { DatasetUrn } from '../../model/urn.ts'
import type { Random } from './random.ts'
import { seededRandom } from './random.ts'

const DAY_MS = 86_400_000
const SPAN_DAYS = 730
const QUIET_MS = 6 * 3_600_000
const USERS = ['etl_commerce', 'tableau_svc', 'm.whitlock', 'jaspal.r', 'o.ferreira', 'h.oyelaran'] as const

interface SeriesDataset {
  readonly urn: DatasetUrn
  /** Raw tables are written by a source system and have no profile. */
  readonly raw: boolean
  readonly columns: number
}

export interface TimeseriesOptions {
  readonly datasets: readonly SeriesDataset[]
  /** The newest row is older than this, in milliseconds since the epoch. */
  readonly until: number
  readonly rows: number
  readonly seed?: number
}

/** A table with the figures that it keeps over the days. */
interface Series extends SeriesDataset {
  readonly popularity: number
  readonly rowsAtStart: number
  readonly growthPerDay: number
}

/** Exactly `rows` timeseries proposals, oldest day first; each (table, aspect, time) once. */
export function* timeseries(options: TimeseriesOptions): Generator<Proposal> {
  const random = seededRandom(options.seed ?? 66_731)
  const series = options.datasets.map((dataset) => ({
    ...dataset,
    popularity: 0.2 + random.next() ** 2,
    rowsAtStart: random.between(200, 400_000),
    growthPerDay: random.between(0, 900),
  }))
  let left = options.rows
  for (let day = 0; day < SPAN_DAYS && left > 0; day++) {
    const share = Math.ceil(left / (SPAN_DAYS - day))
    const start = options.until - (SPAN_DAYS - day) * DAY_MS
    const rows = ofOneDay(series, day, start, share, random)
    yield* rows
    left -= rows.length
  }
}

function ofOneDay(series: readonly Series[], day: number, start: number, rows: number, random: Random): Proposal[] {
  const midnight = Math.floor(start / DAY_MS) * DAY_MS
  const weekend = new Date(midnight).getUTCDay() % 6 === 0
  const usage = series.map((one) => usageOf(one, midnight, weekend, random))
  const profiles = series.filter((one) => !one.raw).map((one) => profileOf(one, day, midnight))
  const regular = [...usage, ...profiles].slice(0, rows)
  return [...regular, ...operationsOf(series, start, rows - regular.length, random)]
}

function usageOf(one: Series, midnight: number, weekend: boolean, random: Random): Proposal {
  const queries = Math.round(one.popularity * random.between(4, 90) * (weekend ? 0.2 : 1))
  const users = USERS.slice(0, Math.min(USERS.length, 1 + Math.floor(queries / 12)))
  return event(one, 'datasetUsageStatistics', midnight, {
    eventGranularity: { unit: 'DAY', multiple: 1 },
    uniqueUserCount: users.length,
    totalSqlQueries: queries,
    userCounts: users.map((user) => ({
      user: `urn:li:corpuser:${user}`,
      count: Math.max(1, Math.floor(queries / users.length)),
    })),
  })
}

function profileOf(one: Series, day: number, midnight: number): Proposal {
  const rowCount = one.rowsAtStart + one.growthPerDay * day
  return event(one, 'datasetProfile', midnight, {
    rowCount,
    columnCount: one.columns,
    sizeInBytes: rowCount * one.columns * 11,
  })
}

function operationsOf(series: readonly Series[], start: number, count: number, random: Random): Proposal[] {
  // Steps of different length for each slot keep the times of one table apart.
  const step = Math.floor((DAY_MS - QUIET_MS) / Math.max(1, count))
  return Array.from({ length: count }, (_, slot) => {
    const at = start + QUIET_MS + slot * step + random.between(0, Math.max(0, step - 1))
    return event(random.pick(series), 'operation', at, {
      operationType: random.pick(['INSERT', 'INSERT', 'INSERT', 'UPDATE', 'DELETE']),
      lastUpdatedTimestamp: at,
      actor: `urn:li:corpuser:${USERS[0]}`,
      numAffectedRows: random.between(1, 60_000),
      sourceType: 'DATA_PROCESS',
    })
  })
}

function event(one: Series, aspectName: string, timestampMillis: number, fields: JsonObject): Proposal {
  return {
    entityType: 'dataset',
    entityUrn: one.urn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { timestampMillis, ...fields },
  }
}
