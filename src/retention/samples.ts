/** Rows that must survive a truncation: some are noted before it and looked for afterwards. */
import type { CatalogClient } from '../client/catalog-client.ts'
import type { PlatformRows } from '../client/operations.ts'
import { HeadwaterError } from '../model/errors.ts'
import { isJsonObject, numberAt, textAt, type JsonObject } from '../model/json.ts'
import { aspectNamed } from '../model/registry/registry.ts'
import { asUrn, type Urn } from '../model/urn.ts'
import { otherRows, rowsOf } from './index-parts.ts'
import { readLines } from './lines.ts'
import type { Step } from './plan.ts'

export interface Sample extends JsonObject {
  readonly urn: string
  readonly timestampMillis: number
}

/** Entities that are asked for one row each, where the catalog cannot hand out rows by itself. */
const ENTITIES_PER_SAMPLE = 3
/** What a catalog says where it does not let us look; the truncation does not depend on it. */
const NO_LOOK = new Set(['FORBIDDEN', 'GRAPHQL_FAILED', 'PROPOSAL_REFUSED'])

export interface SampleContext {
  readonly client: CatalogClient
  readonly signal: AbortSignal
}

/** Rows that stay: the oldest of them where the catalog streams rows, else the newest of some entities. */
export async function takeSamples(
  step: Step,
  { count, streams }: { readonly count: number; readonly streams: boolean },
  context: SampleContext,
): Promise<readonly Sample[]> {
  if (count === 0) return []
  try {
    return streams ? await oldestKept(step, count, context) : await newestOfEntities(step, count, context)
  } catch (error) {
    if (error instanceof HeadwaterError && NO_LOOK.has(error.code)) return []
    throw error
  }
}

/** Those of the samples that are no longer there. */
export async function missingSamples(
  step: Step,
  samples: readonly Sample[],
  { client, signal }: SampleContext,
): Promise<readonly Sample[]> {
  const aspectName = exactAspectName(step)
  const missing: Sample[] = []
  for (const sample of samples) {
    const { urn, timestampMillis: at } = sample
    const query = { urn: asUrn(urn), aspectName, fromMs: at, toMs: at, limit: 1 }
    if ((await client.timeseries.values(query, signal)).length === 0) missing.push(sample)
  }
  return missing
}

/** Where only some platforms' rows go, half of the samples are of others, the oldest that there are. */
async function oldestKept(step: Step, count: number, context: SampleContext): Promise<readonly Sample[]> {
  const others = otherRows(step)
  const foreign =
    others === undefined ? [] : await oldestRows(step, Math.floor(count / 2), { fromMs: 0, ...others }, context)
  const rest = count - foreign.length
  return [...foreign, ...(await oldestRows(step, rest, { fromMs: step.cutoffMs, ...rowsOf(step) }, context))]
}

async function oldestRows(
  step: Step,
  count: number,
  from: { readonly fromMs: number } & PlatformRows,
  { client, signal }: SampleContext,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  if (count === 0) return samples
  const range = { ...from, beforeMs: Number.MAX_SAFE_INTEGER }
  for await (const row of readLines(client.timeseries.stream(step, range, signal))) {
    const timestampMillis = isJsonObject(row) ? numberAt(row['aspect'], 'timestampMillis') : undefined
    const urn = textAt(row, 'urn')
    if (timestampMillis !== undefined && urn !== undefined) samples.push({ urn, timestampMillis })
    if (samples.length >= count) break
  }
  return samples
}

async function newestOfEntities(
  step: Step,
  count: number,
  { client, signal }: SampleContext,
): Promise<readonly Sample[]> {
  const samples: Sample[] = []
  const urns: readonly Urn[] = await client.someEntities(step.entityType, count * ENTITIES_PER_SAMPLE, signal)
  for (const urn of urns) {
    const query = { urn, aspectName: exactAspectName(step), fromMs: step.cutoffMs, limit: 1 }
    const [event] = await client.timeseries.values(query, signal)
    const timestampMillis = numberAt(event, 'timestampMillis')
    if (timestampMillis !== undefined) samples.push({ urn, timestampMillis })
    if (samples.length >= count) break
  }
  return samples
}

/** Indexes tell their aspect in lower case; reading wants it as it is spelled. */
function exactAspectName({ aspectName }: Step): string {
  return aspectNamed(aspectName, { anyCase: true })?.name ?? aspectName
}
