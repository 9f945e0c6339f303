/** `headwater sizes`: how large each timeseries index is, how it grows, and when it reaches its budget. */
import { Command } from 'commander'
import type { IndexSize } from '../../client/operations.ts'
import { openHeadwater } from '../../main.ts'
import { systemClock } from '../../observe/clock.ts'
import { createLogger } from '../../observe/logger.ts'
import { DAY_MS } from '../../retention/duration.ts'
import { daysUntil } from '../../retention/forecast.ts'
import { SIZE_SERIES, sizePoints, sizesOf, type HistoryPoint } from '../../retention/history.ts'
import { nearNames, type Forecast } from '../../retention/plan.ts'
import { catalogKind, forecastsOf, isSelected, rowCounter } from '../../retention/survey.ts'
import { ledgerMeasurements } from '../../runner/attempt-context.ts'
import { addCommonFlags, endWith, levelForResults, withExamples, type CommandContext } from '../command.ts'
import { textTable } from '../show/text-table.ts'
import type { Terminal } from '../terminal.ts'
import { addIndexFlags, policyAtHand, type IndexFlags } from './target.ts'

const HISTORY_DAYS = 120
/** Days that the trend shows. */
const TREND_DAYS = 30

interface SizeRow extends Forecast {
  readonly index: IndexSize
  /** Sizes of the last days, oldest first, the present one last. */
  readonly trend: readonly number[]
}

export function sizesCommand(): Command {
  const sizes = addIndexFlags(addCommonFlags(new Command('sizes')))
    .description('sizes of the timeseries indexes, their growth, and the days until their budgets')
    .option('--policy <file>', 'policy with the budgets (default retention.yaml of the configuration folder)')
    .action((flags: IndexFlags) => endWith(flags, (context) => showSizes(flags, context)))
  return withExamples(
    sizes,
    ['headwater sizes', 'of our own catalog; each look is remembered for the trend'],
    ['headwater sizes --to production --aspect operation', 'of a connection, one aspect'],
    ['headwater sizes --json', 'for a program: bytes, growth, days left'],
  )
}

async function showSizes(flags: IndexFlags, { terminal, loadConfig }: CommandContext): Promise<void> {
  const config = loadConfig()
  const policy = await policyAtHand(flags, config)
  const logger = createLogger({ level: levelForResults(config) })
  await using headwater = await openHeadwater({ config, environment: process.env, logger, roles: [] })
  const target = flags.catalog ?? flags.to
  const client = headwater.clients.client(target)
  const signal = new AbortController().signal
  const nowMs = systemClock.now()
  const all = await client.timeseries.indexSizes(signal)
  const sizes = all.filter((index) => isSelected(index, flags))
  if (sizes.length === 0 && all.length > 0) {
    terminal.complain(`warning: no index fits ${flags.aspect}${nearNames(flags.aspect, all)}`)
  }
  const measurements = ledgerMeasurements(headwater.parts.database, target)
  const history = await measurements.read(SIZE_SERIES, nowMs - HISTORY_DAYS * DAY_MS)
  const count = rowCounter({ client, signal }, await catalogKind(client, signal)).rows
  const forecasts = await forecastsOf(policy, sizes, { history, nowMs, count })
  await measurements.record(...sizePoints(all, forecasts, nowMs))
  const rows = forecasts.flatMap((forecast, at): readonly SizeRow[] => {
    const index = sizes[at]
    return index === undefined ? [] : [{ ...forecast, index, trend: trendOf(index, history, nowMs) }]
  })
  const total = totalOf(rows, policy?.totalMaxGb)
  if (terminal.json) return terminal.printJson({ catalog: client.address, indexes: rows.map(asJson), total })
  if (rows.length === 0) return terminal.print('no timeseries indexes')
  print(rows, total, terminal)
}

/** One size a day, as last seen on it. */
function trendOf({ indexName, sizeMb }: IndexSize, history: readonly HistoryPoint[], nowMs: number): readonly number[] {
  const daily = new Map<number, number>()
  for (const point of sizesOf(history, indexName)) {
    if (point.atMs > nowMs - TREND_DAYS * DAY_MS) daily.set(Math.floor(point.atMs / DAY_MS), point.sizeMb)
  }
  daily.set(Math.floor(nowMs / DAY_MS), sizeMb)
  return [...daily].toSorted(([a], [b]) => a - b).map(([, size]) => size)
}

interface Total {
  readonly sizeMb: number
  readonly mbPerDay: number | null
  readonly budgetMb: number | null
  readonly daysLeft: number | null
}

function totalOf(rows: readonly SizeRow[], maxGb: number | undefined): Total {
  const sizeMb = rows.reduce((sum, row) => sum + row.sizeMb, 0)
  const grown = rows.filter(({ growth }) => growth !== undefined)
  const mbPerDay = grown.reduce((sum, { growth }) => sum + (growth?.mbPerDay ?? 0), 0)
  const budgetMb = maxGb === undefined ? undefined : maxGb * 1000
  const growth = grown.length === 0 ? undefined : ({ mbPerDay, basis: 'counts' } as const)
  const daysLeft = budgetMb === undefined ? undefined : daysUntil(budgetMb, sizeMb, growth)
  return { sizeMb, mbPerDay: growth?.mbPerDay ?? null, budgetMb: budgetMb ?? null, daysLeft: daysLeft ?? null }
}

function asJson({ index, growth, budgetMb, daysLeft, trend }: SizeRow): object {
  const { entityType, aspectName, indexName, sizeMb, rows } = index
  return {
    entityType,
    aspectName,
    indexName,
    sizeMb,
    rows: rows ?? null,
    mbPerDay: growth?.mbPerDay ?? null,
    basis: growth?.basis ?? null,
    budgetMb: budgetMb ?? null,
    daysLeft: daysLeft ?? null,
    trend,
  }
}

function print(rows: readonly SizeRow[], total: Total, terminal: Terminal): void {
  const right = 'right' as const
  const columns = [
    { title: 'index', shorten: 'end' as const },
    { title: 'rows', align: right },
    { title: 'size', align: right },
    { title: 'a day', align: right },
    { title: 'budget', align: right },
    { title: 'reached in', align: right },
    { title: 'trend' },
  ]
  const lines = rows.map(({ index, growth, budgetMb, daysLeft, trend }) => [
    `${index.entityType}.${index.aspectName}`,
    index.rows?.toLocaleString('en') ?? '',
    megabytes(index.sizeMb),
    growth === undefined ? '' : `+${growth.mbPerDay.toFixed(2)} MB`,
    budgetMb === undefined ? '' : megabytes(budgetMb),
    budgetMb === undefined ? '' : days(daysLeft),
    sparkline(trend),
  ])
  const sum = [
    'all',
    '',
    megabytes(total.sizeMb),
    total.mbPerDay === null ? '' : `+${total.mbPerDay.toFixed(2)} MB`,
    total.budgetMb === null ? '' : megabytes(total.budgetMb),
    total.budgetMb === null ? '' : days(total.daysLeft ?? undefined),
    '',
  ]
  const [head = '', ...table] = textTable(columns, rows.length > 1 ? [...lines, sum] : lines, terminal.width)
  terminal.print(terminal.style('bold', head))
  for (const line of table) terminal.print(line)
}

function days(left: number | undefined): string {
  if (left === undefined) return 'never'
  return left <= 0 ? 'reached' : `${Math.floor(left).toLocaleString('en')} days`
}

function megabytes(size: number): string {
  return `${size.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
}

const BARS = '▁▂▃▄▅▆▇█'

/** One bar a value, as high as the value is against the largest. */
function sparkline(values: readonly number[]): string {
  const largest = Math.max(...values, Number.MIN_VALUE)
  return values.map((value) => BARS[Math.min(7, Math.floor((value / largest) * 8))]).join('')
}
