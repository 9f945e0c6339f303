/**
 * What was sent and answered, kept outside of the process, so that a run that was killed goes on where it was:
 *
 *     look up ──► unknown ──► read the aspects ──► sent ──► write ──► answered
 *        │            ▲                              │                   │
 *        │            └─ killed before `sent` ───────┼── killed here:    │
 *        │                                           │   state `sent`    │
 *        └───────────────────────────────────────────┴───────────────────┘ of an earlier attempt of the same run
 *
 * An answered batch is not sent again: its counts are taken from here. A batch that was sent and not answered is read
 * again: members that read as they should were written by the earlier attempt, so they count as written and add no
 * version. Batches are found again by a key over what they ask for, so the same input gives the same keys.
 */
import type { JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Urn } from '../model/urn.ts'

/** Where proposals end (one half of a run's balance): `made = written + unchanged + refused + dead`. */
export interface ProposalCounts {
  /** Sent and applied. */
  readonly written: number
  /** Not sent, since the catalog already has it so. */
  readonly unchanged: number
  /** The catalog refused it, or it cannot be applied to what is there. */
  readonly refused: number
  /** Given up after repeated failures that were not the proposal's fault, as far as one can tell. */
  readonly dead: number
}

export const NO_PROPOSALS: ProposalCounts = { written: 0, unchanged: 0, refused: 0, dead: 0 }

/** The sum of two counts. */
export function addCounts(a: ProposalCounts, b: ProposalCounts): ProposalCounts {
  return {
    written: a.written + b.written,
    unchanged: a.unchanged + b.unchanged,
    refused: a.refused + b.refused,
    dead: a.dead + b.dead,
  }
}

/** What an aspect was before a run wrote it: null where it was not there. So a run can be undone. */
export interface BeforeImage {
  readonly urn: Urn
  readonly aspectName: string
  readonly before: JsonObject | null
  /** Where the run removed the aspect: that it is not there is then what the run wrote. */
  readonly removed?: true
}

/** A proposal that was refused or given up, kept for a person. */
export interface DeadLetter {
  /** Without an aspect where the change could not even be merged; `intent` then says what was wanted. */
  readonly proposal: Proposal
  /** Hash of the aspect for which the proposal was made, null where there was none. Absent where nothing can be sent. */
  readonly base?: string | null
  readonly intent?: JsonObject
  readonly outcome: 'refused' | 'dead'
  /** Code of the error, for example `PROPOSAL_REFUSED`. */
  readonly code: string
  readonly reason: string
}

/** What an earlier attempt left of a batch. */
export type BatchRecord =
  | {
      readonly state: 'sent'
      readonly members: number
      readonly unchanged: number
      readonly images: readonly BeforeImage[]
    }
  | { readonly state: 'answered'; readonly counts: ProposalCounts }

/** Journal of one run. Each call is durable when its promise resolves. */
export interface Journal {
  /** @param key of the batch, 64 hexadecimal digits @returns undefined where no attempt of this run got as far as `sent` */
  find(key: string): Promise<BatchRecord | undefined>
  /** Before each write. A second `sent` of the same key keeps the first record, but for its images. */
  sent(batch: SentBatch): Promise<void>
  /** After the answer; counts and dead letters are kept together or not at all. A batch without writes skips `sent`. */
  answered(key: string, counts: ProposalCounts, deadLetters: readonly DeadLetter[]): Promise<void>
}

/** What is kept of a batch before it is written. */
export interface SentBatch {
  readonly key: string
  /** All of the batch, those that are not sent included. */
  readonly members: number
  /** How many of them are not sent, since the catalog has them so. */
  readonly unchanged: number
  /** What is needed to undo its writes. */
  readonly images?: readonly BeforeImage[]
}

/** For sinks and tests that need no resuming: keeps the dead letters, and batches for as long as it lives. */
export class MemoryJournal implements Journal {
  readonly deadLetters: DeadLetter[] = []
  readonly #batches = new Map<string, BatchRecord>()

  find(key: string): Promise<BatchRecord | undefined> {
    return Promise.resolve(this.#batches.get(key))
  }

  sent({ key, members, unchanged, images = [] }: SentBatch): Promise<void> {
    const known = this.#batches.get(key)
    if (known?.state !== 'answered') {
      this.#batches.set(key, { state: 'sent', members, unchanged: known?.unchanged ?? unchanged, images })
    }
    return Promise.resolve()
  }

  answered(key: string, counts: ProposalCounts, deadLetters: readonly DeadLetter[]): Promise<void> {
    this.#batches.set(key, { state: 'answered', counts })
    this.deadLetters.push(...deadLetters)
    return Promise.resolve()
  }
}
