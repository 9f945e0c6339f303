/**
 * Looks at a catalog and asks it to count; nothing is changed.
 *
 *   sizes ─► forecast ─► cut-offs (age, budget, budget of all, or by hand) ─► dry run of each ─► steps and what is left alone
 */
import type { CatalogClient } from '../client/catalog-client.ts'
import type { DryRun, IndexSize } from '../client/operations.ts'
import type { Progress } from '../observe/progress.ts'
import { withinBudget, withinTotalBudget, type CountRows, type Share } from './budget.ts'
import { DAY_MS } from './duration.ts'
import { COUNTED_DAYS, daysUntil, growthFromCounts, growthOf, type Growth } from './forecast.ts'
import { sizesOf, usualRows, type HistoryPoint } from './history.ts'
import { isParted, partsOf, rowsOf, type IndexPart } from './index-parts.ts'
import { namedIndexes } from './one-size.ts'
import {
  endTimeOf,
  idleRules,
  nearNames,
  stepFor,
  type Blocked,
  type Candidate,
  type Forecast,
  type Step,
} from './plan.ts'
import { effective, fits, ruleFor, type RetentionPolicy, type RetentionRule } from './policy.ts'

/** What a catalog is able to do, as far as retention asks. */
export interface CatalogKind {
  /** Rows of single data platforms can be truncated. */
  readonly byPlatform: boolean
  /** The row at the time stays; else it goes (contract §11). */
  readonly strictlyOlder: boolean
  readonly streams: boolean
  readonly cancels: boolean
}

/** Which rows are asked for, where it is not what the policy says. */
export interface Selection {
  /** Patterns with `*`. */
  readonly aspect: string
  readonly entityType: string
  /** Instead of the rules' days and budgets: rows older than this go, from each index selected. */
  readonly cutoffMs?: number | undefined
}

export interface Survey {
  readonly kind: CatalogKind
  readonly sizes: readonly IndexSize[]
  readonly steps: readonly Step[]
  readonly blocked: readonly Blocked[]
  readonly forecasts: readonly Forecast[]
  readonly warnings: readonly string[]
}

export interface SurveyContext {
  readonly client: CatalogClient
  readonly nowMs: number
  readonly history: readonly HistoryPoint[]
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** How an index that no rule fits is truncated by hand: a person is asked. */
const BY_HAND = {
  aspect: '*',
  entityType: '*',
  keepDaysFloor: 0,
  decide: 'ask',
  maxShare: 0.5,
  maxRows: 10_000_000,
  minRowsKept: 1,
  usualTimes: 5,
  quietHours: [],
  method: 'auto',
  timeoutMinutes: 120,
  archive: false,
} satisfies RetentionRule

export async function catalogKind(client: CatalogClient, signal: AbortSignal): Promise<CatalogKind> {
  const { abilities } = await client.config(signal)
  return {
    byPlatform: abilities.has('truncate-by-platform'),
    strictlyOlder: abilities.has('truncate-strictly-older'),
    streams: abilities.has('stream-timeseries'),
    cancels: abilities.has('cancel-task'),
  }
}

export async function survey(policy: RetentionPolicy, selection: Selection, context: SurveyContext): Promise<Survey> {
  const { client, history, signal, progress } = context
  const kind = await catalogKind(client, signal)
  const counter = rowCounter(context, kind)
  const told = await client.timeseries.indexSizes(signal)
  const { indexes: all, warnings: reckoned } = await namedIndexes(told, policy, (index) => counter.rows(index, 0))
  const sizes = all.filter((index) => isSelected(index, selection))
  const { parts, blocked } = await partedBy(policy, selection, sizes, { kind, count: counter.rows })
  const { candidates, warnings } = await candidatesOf(policy, selection, parts, { ...context, count: counter.rows })
  const steps: Step[] = []
  for (const [at, candidate] of candidates.entries()) {
    const { indexName } = candidate.index
    const counted = await counter.dryRun(candidate.index, candidate.cutoffMs)
    const usual = usualRows(history, indexName, candidate.cutoffMs)
    const step = stepFor(candidate, counted, {
      nowMs: context.nowMs,
      strictlyOlder: kind.strictlyOlder,
      usualRows: usual,
    })
    progress.report({ phase: 'dry run', done: at + 1, total: candidates.length, unit: 'indexes' })
    if (step === undefined) continue
    if ('reason' in step) blocked.push(step as Blocked)
    else steps.push(step)
  }
  return {
    kind,
    sizes,
    steps,
    blocked,
    forecasts: await forecastsOf(policy, sizes, { ...context, count: counter.rows }),
    warnings: [...reckoned, ...warnings, ...selectionWarnings(policy, selection, sizes, all)],
  }
}

/** The indexes as the rules see them. What the catalog cannot truncate so is left alone. */
async function partedBy(
  policy: RetentionPolicy,
  { cutoffMs }: Selection,
  sizes: readonly IndexSize[],
  { kind, count }: { readonly kind: CatalogKind; readonly count: CountRows },
): Promise<{ readonly parts: readonly IndexPart[]; readonly blocked: Blocked[] }> {
  const parts: IndexPart[] = []
  const blocked: Blocked[] = []
  for (const index of sizes) {
    if (kind.byPlatform) parts.push(...(await partsOf(index, policy, (part) => count(part, 0))))
    else if (!isParted(index, policy) || cutoffMs !== undefined) parts.push(index)
    else {
      const reason = 'its rules differ by platform, and this catalog truncates whole indexes only'
      blocked.push({ indexName: index.indexName, reason })
    }
  }
  return { parts, blocked }
}

export function isSelected(
  index: IndexSize,
  { aspect, entityType }: Pick<Selection, 'aspect' | 'entityType'>,
): boolean {
  return fits(aspect, index.aspectName) && fits(entityType, index.entityType)
}

/** Growth and what is left of its budget, for each index. */
export async function forecastsOf(
  policy: RetentionPolicy | undefined,
  sizes: readonly IndexSize[],
  { history, count, nowMs }: Pick<SurveyContext, 'history' | 'nowMs'> & { readonly count: CountRows },
): Promise<readonly Forecast[]> {
  const forecasts: Forecast[] = []
  for (const index of sizes) {
    const { indexName, sizeMb } = index
    const points = [...sizesOf(history, indexName), { atMs: nowMs, sizeMb }]
    const growth = growthOf(points) ?? (await countedGrowth(index, count, nowMs))
    const maxGb = policy && ruleFor(policy, index)?.maxGb
    const budgetMb = maxGb === undefined ? undefined : maxGb * 1000
    const daysLeft = budgetMb === undefined ? undefined : daysUntil(budgetMb, sizeMb, growth)
    forecasts.push({ indexName, sizeMb, growth, budgetMb, daysLeft })
  }
  return forecasts
}

async function countedGrowth(index: IndexSize, count: CountRows, nowMs: number): Promise<Growth | undefined> {
  const { matching, total } = await count(index, nowMs - COUNTED_DAYS * DAY_MS)
  return growthFromCounts({ sizeMb: index.sizeMb, rows: total, newRows: total - matching })
}

/** Asks the catalog to count, each cut-off of an index once. */
export function rowCounter(
  { client, signal }: Pick<SurveyContext, 'client' | 'signal'>,
  { strictlyOlder }: Pick<CatalogKind, 'strictlyOlder'>,
): { readonly rows: CountRows; readonly dryRun: (index: IndexPart, cutoffMs: number) => Promise<DryRun> } {
  const known = new Map<string, Promise<DryRun>>()
  const dryRun = (index: IndexPart, cutoffMs: number): Promise<DryRun> => {
    const key = `${index.indexName} ${cutoffMs}`
    const { entityType, aspectName } = index
    const endTimeMillis = endTimeOf(Math.round(cutoffMs), strictlyOlder)
    const asked =
      known.get(key) ??
      client.timeseries.truncateDryRun({ entityType, aspectName, endTimeMillis, ...rowsOf(index) }, signal)
    known.set(key, asked)
    return asked
  }
  return { rows: dryRun, dryRun }
}

async function candidatesOf(
  policy: RetentionPolicy,
  selection: Selection,
  sizes: readonly IndexPart[],
  context: SurveyContext & { readonly count: CountRows },
): Promise<{ readonly candidates: readonly Candidate[]; readonly warnings: readonly string[] }> {
  const { cutoffMs } = selection
  if (cutoffMs !== undefined) {
    const candidates = sizes.map((index) => {
      const rule = ruleFor(policy, index) ?? effective(BY_HAND, policy)
      return { index, rule, cutoffMs, cause: 'hand' as const }
    })
    return { candidates, warnings: [] }
  }
  const shares: Share[] = []
  const warnings: string[] = []
  for (const index of sizes) {
    const rule = ruleFor(policy, index)
    if (rule === undefined || rule.decide === 'never') continue
    const byAge = candidateByAge(index, rule, context.nowMs)
    const share = { index, rule, candidate: byAge }
    const budget = rule.maxGb
    if (budget === undefined) shares.push(share)
    else {
      const { candidate, fits: fitting } = await withinBudget(share, budget * 1000, context)
      shares.push({ index, rule, candidate })
      if (!fitting) warnings.push(`${index.indexName} does not fit ${budget} GB: ${rule.keepDaysFloor} days are kept`)
    }
  }
  if (policy.totalMaxGb === undefined || selection.aspect !== '*' || selection.entityType !== '*') {
    return { candidates: shares.flatMap(({ candidate }) => candidate ?? []), warnings }
  }
  const taken = new Set(shares.map(({ index }) => index.indexName))
  const restMb = sizes.reduce((sum, index) => sum + (taken.has(index.indexName) ? 0 : index.sizeMb), 0)
  const total = await withinTotalBudget(shares, policy.totalMaxGb * 1000, { ...context, restMb })
  if (!total.fits)
    warnings.push(`all indexes together do not fit ${policy.totalMaxGb} GB: what the floors keep is more`)
  return { candidates: total.candidates, warnings }
}

function candidateByAge(index: IndexPart, rule: RetentionRule, nowMs: number): Candidate | undefined {
  if (rule.keepDays === undefined) return undefined
  return { index, rule, cutoffMs: nowMs - Math.round(rule.keepDays * DAY_MS), cause: 'age' }
}

function selectionWarnings(
  policy: RetentionPolicy,
  { aspect, entityType, cutoffMs }: Selection,
  sizes: readonly IndexSize[],
  all: readonly IndexSize[],
): readonly string[] {
  const everything = aspect === '*' && entityType === '*'
  if (everything) return cutoffMs === undefined ? idleRules(policy, all) : []
  if (sizes.length > 0) return []
  const ofType = all.filter((index) => fits(entityType, index.entityType))
  const types = [...new Set(all.map((index) => index.entityType))]
  const what = entityType === '*' ? aspect : `${entityType} ${aspect}`
  return [
    `no index fits ${what}${ofType.length > 0 || types.length === 0 ? nearNames(aspect, ofType) : `; entity types with an index are ${types.join(', ')}`}`,
  ]
}
