/**
 * Rules may differ by data platform. An index is then looked at in parts: the rows of each platform that a rule names, and
 * all others. A part is an index of its own from there on: counted, planned, truncated, archived and verified apart.
 */
import type { IndexSize, PlatformRows } from '../client/operations.ts'
import { rulesOf, type RetentionPolicy } from './policy.ts'

/** An index, or some platforms' rows of one; then its size is their share by rows. */
export interface IndexPart extends IndexSize, PlatformRows {
  /** The catalog's name of the whole, where this is a part. */
  readonly partOf?: string
}

/** Counts the rows of a part, older than a time. */
type CountAll = (part: IndexPart) => Promise<{ readonly total: number }>

/** The parts that a policy's rules see; the index itself where they do not look at platforms. */
export async function partsOf(
  index: IndexSize,
  policy: RetentionPolicy,
  countAll: CountAll,
): Promise<readonly IndexPart[]> {
  const rules = rulesOf(policy, index)
  const platforms = rules.flatMap(({ platform }) => platform ?? [])
  if (platforms.length === 0) return [index]
  const { rows: _, ...whole } = index
  const { total } = await countAll(index)
  const parts: IndexPart[] = platforms.map((platform) => ({ ...whole, ...named(index, platform), platform }))
  if (rules.some(({ platform }) => platform === undefined)) {
    parts.push({ ...whole, ...named(index, 'others'), exceptPlatforms: platforms })
  }
  const sized: IndexPart[] = []
  for (const part of parts) {
    const rows = (await countAll(part)).total
    sized.push({ ...part, rows, sizeMb: total === 0 ? 0 : (index.sizeMb * rows) / total })
  }
  return sized
}

/** Whether rules speak of single platforms' rows of an index. */
export function isParted(index: IndexSize, policy: RetentionPolicy): boolean {
  return rulesOf(policy, index).some(({ platform }) => platform !== undefined)
}

/** The rows of a part, as the catalog is asked for them. */
export function rowsOf(part: {
  readonly platform?: string | null | undefined
  readonly exceptPlatforms?: readonly string[] | null | undefined
}): PlatformRows {
  if (typeof part.platform === 'string') return { platform: part.platform }
  return part.exceptPlatforms ? { exceptPlatforms: part.exceptPlatforms } : {}
}

/** The rows of an index that a part does not have; undefined where it is the whole. */
export function otherRows(part: Parameters<typeof rowsOf>[0]): PlatformRows | undefined {
  const { platform, exceptPlatforms } = rowsOf(part)
  if (platform !== undefined) return { exceptPlatforms: [platform] }
  const [first] = exceptPlatforms ?? []
  return first === undefined ? undefined : { platform: first }
}

function named({ indexName }: IndexSize, part: string): { readonly indexName: string; readonly partOf: string } {
  return { indexName: `${indexName}.${part}`, partOf: indexName }
}
