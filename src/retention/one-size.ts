/**
 * A DataHub that keeps its events in PostgreSQL tells one size for all, named `*` (contract §7.2). There the indexes that
 * rules name in full stand in, each with a part of that size by its rows: what else lies there is not known, so the parts
 * are rather too large, and a budget is rather kept by less than by more.
 */
import type { IndexSize } from '../client/operations.ts'
import { fits, type RetentionPolicy } from './policy.ts'

/** Counts the rows of an index. */
type CountAll = (index: IndexSize) => Promise<{ readonly total: number }>

/** The indexes with their sizes, and a warning where those are reckoned. */
export async function namedIndexes(
  sizes: readonly IndexSize[],
  policy: RetentionPolicy,
  countAll: CountAll,
): Promise<{ readonly indexes: readonly IndexSize[]; readonly warnings: readonly string[] }> {
  const named = sizes.filter((size) => !isOfAll(size))
  if (named.length === sizes.length) return { indexes: sizes, warnings: [] }
  const standIns = namedByRules(named, policy)
  const rows = await Promise.all(standIns.map(async (index) => (await countAll(index)).total))
  const all = rows.reduce((sum, count) => sum + count, 0)
  const sizeMb = sizes.filter(isOfAll).reduce((sum, size) => sum + size.sizeMb, 0)
  const sized = standIns.map((index, at) => ({
    ...index,
    sizeMb: all === 0 ? 0 : (sizeMb * (rows[at] ?? 0)) / all,
  }))
  const which = 'it is shared out by rows among the indexes that rules name in full'
  return { indexes: [...named, ...sized], warnings: [`the catalog tells one size for all indexes: ${which}`] }
}

function isOfAll({ entityType, aspectName }: IndexSize): boolean {
  return entityType === '*' || aspectName === '*'
}

function namedByRules(named: readonly IndexSize[], policy: RetentionPolicy): readonly IndexSize[] {
  const full = policy.rules.filter((rule) => !rule.aspect.includes('*') && !rule.entityType.includes('*'))
  const missing = full.filter(
    (rule) => !named.some((index) => fits(rule.aspect, index.aspectName) && fits(rule.entityType, index.entityType)),
  )
  const standIns = missing.map(({ aspect, entityType }) => ({
    entityType,
    aspectName: aspect.toLowerCase(),
    indexName: `${entityType}_${aspect}aspect_v1`.toLowerCase(),
    sizeMb: 0,
  }))
  return [...new Map(standIns.map((index) => [index.indexName, index])).values()]
}
