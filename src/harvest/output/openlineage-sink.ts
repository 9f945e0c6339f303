/** A sink that tells lineage as OpenLineage events: lines of a file, or one POST each. Other aspects have no event. */
import type { Sink, StoredAspect } from '../../client/sink.ts'
import { retrying, type RetryPolicy } from '../../client/retry.ts'
import { TextFile } from '../../client/text-file.ts'
import { Transport, type CatalogConnection } from '../../client/transport.ts'
import { HeadwaterError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Proposal } from '../../model/proposal.ts'
import { asDatasetUrn } from '../../model/urn.ts'
import type { Closable } from '../../observe/resources.ts'
import { OpenLineageReceiverError } from '../errors.ts'
import { openLineageEvent, type EventOptions } from './openlineage-event.ts'

/** Where events go. */
export interface EventTarget extends Closable {
  send(events: readonly JsonObject[], signal?: AbortSignal): Promise<void>
}

export class OpenLineageSink implements Sink, Closable {
  readonly #target: EventTarget
  readonly #options: EventOptions

  constructor(target: EventTarget, options: EventOptions) {
    this.#target = target
    this.#options = options
  }

  /** There is nothing to read back: everything is told as if nothing had been told before. */
  read(): Promise<ReadonlyMap<string, StoredAspect>> {
    return Promise.resolve(new Map())
  }

  async write(proposals: readonly Proposal[], signal?: AbortSignal): Promise<void> {
    const events = proposals.flatMap(({ entityUrn, aspectName, aspect }) =>
      aspectName === 'upstreamLineage' && aspect !== undefined
        ? [openLineageEvent(asDatasetUrn(entityUrn), aspect, this.#options)]
        : [],
    )
    if (events.length > 0) await this.#target.send(events, signal)
  }

  async close(): Promise<void> {
    await this.#target.close()
  }
}

/** One event a line. @param path is overwritten */
export function eventFile(path: string): EventTarget {
  const out = new TextFile(path)
  return {
    async send(events) {
      await out.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    },
    async close() {
      await out.close()
    },
  }
}

/** A receiver that starts anew is waited for; one that is away for longer is what the run's next attempt may find. */
const RECEIVER_POLICY: RetryPolicy = { firstDelayMs: 500, maxDelayMs: 10_000, deadlineMs: 60_000 }

/**
 * One POST an event, in their order, to the address of an OpenLineage receiver (`…/api/v1/lineage`). An event that is sent
 * again has the same run id.
 */
export function eventReceiver(connection: CatalogConnection, policy = RECEIVER_POLICY): EventTarget {
  const transport = new Transport(connection)
  return {
    async send(events, signal) {
      for (const event of events) {
        const call = { method: 'POST', path: '', body: JSON.stringify(event), signal } as const
        try {
          await retrying(() => transport.send(call), { policy, signal })
        } catch (error) {
          throw error instanceof HeadwaterError ? new OpenLineageReceiverError(transport.address(''), error) : error
        }
      }
    },
    async close() {
      await transport.close()
    },
  }
}
