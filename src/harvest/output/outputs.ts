/** What a harvest says besides the catalog: a file of MCPs, and OpenLineage events to a file or a receiver. */
import { ABSENT, BARRIER, type AspectChange } from '../../client/change.ts'
import { FileSink } from '../../client/file-sink.ts'
import type { Sink } from '../../client/sink.ts'
import type { Proposal } from '../../model/proposal.ts'
import type { Closable } from '../../observe/resources.ts'
import { eventFile, eventReceiver, OpenLineageSink } from './openlineage-sink.ts'

export interface OutputSettings {
  /** File of MCPs, one a line. */
  readonly mcpFile?: string | undefined
  /** File, or address of a receiver (`http://…/api/v1/lineage`). */
  readonly openlineage?: string | undefined
}

export interface OutputContext {
  readonly origin: string
  readonly nowMs: number
  /** Of an OpenLineage receiver. */
  readonly token?: string | undefined
  readonly signal: AbortSignal
}

/** Proposals that are written together. */
const BATCH = 200
const PRODUCER = 'https://www.npmjs.com/package/headwater'

/**
 * Writes the planned changes as if each aspect were empty: what this harvest says, and nothing of what others said.
 * @returns a line for people for each output
 */
export async function writeOutputs(
  changes: AsyncIterable<AspectChange | typeof BARRIER>,
  settings: OutputSettings,
  context: OutputContext,
): Promise<readonly string[]> {
  const sinks = sinksFor(settings, context)
  if (sinks.length === 0) return []
  try {
    let batch: Proposal[] = []
    for await (const change of changes) {
      if (change === BARRIER) continue
      batch.push(...proposalOf(change))
      if (batch.length < BATCH) continue
      for (const sink of sinks) await sink.write(batch, context.signal)
      batch = []
    }
    for (const sink of sinks) await sink.write(batch, context.signal)
  } finally {
    for (const sink of sinks) await sink.close()
  }
  const { mcpFile, openlineage } = settings
  return [
    ...(mcpFile === undefined ? [] : [`MCPs: ${mcpFile}`]),
    ...(openlineage === undefined ? [] : [`OpenLineage events: ${openlineage.replace(/\?.*$/, '')}`]),
  ]
}

function sinksFor(
  { mcpFile, openlineage }: OutputSettings,
  { origin, nowMs, token }: OutputContext,
): readonly (Sink & Closable)[] {
  const options = { jobNamespace: origin, producer: PRODUCER, timeMs: nowMs }
  const isAddress = openlineage !== undefined && /^https?:\/\//.test(openlineage)
  return [
    ...(mcpFile === undefined ? [] : [new FileSink(mcpFile)]),
    ...(openlineage === undefined
      ? []
      : [
          new OpenLineageSink(isAddress ? eventReceiver({ url: openlineage, token }) : eventFile(openlineage), options),
        ]),
  ]
}

function proposalOf({ urn, aspectName, intent, merge }: AspectChange): readonly Proposal[] {
  const aspect = merge(undefined, intent, undefined)
  if (aspect === undefined || aspect === ABSENT) return []
  const entityType = urn.split(':', 3)[2] ?? ''
  return [{ entityType, entityUrn: urn, changeType: 'UPSERT', aspectName, aspect }]
}
