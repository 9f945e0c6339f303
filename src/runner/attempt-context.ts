/** What a job is handed, made of the ledger's rows: rejects, checkpoints and the emitter's journal. */
import type { BatchRecord, DeadLetter, Journal, ProposalCounts, SentBatch } from '../client/journal.ts'
import type { JsonValue } from '../model/json.ts'
import type { Clock } from '../observe/clock.ts'
import { transaction, type Database, type Queryable } from '../store/database.ts'
import { evenIfAway } from '../store/patience.ts'
import {
  readBatch,
  readCheckpoint,
  recordAnswer,
  recordDeadLetters,
  recordSent,
  saveCheckpoint,
  type NewDeadLetter,
} from '../store/ledger/journal.ts'
import { readMeasurements, recordMeasurements } from '../store/ledger/measurements.ts'
import type { Hold } from '../store/ledger/runs.ts'
import type { Balance, Checkpoints, Measurement, Measurements, Reject, Rejects } from './define-job.ts'
import { RunTakenOverError } from './errors.ts'
import { packImages, unpackImages } from './images.ts'
import { asJson, checkSize, fingerprint, shorten, withoutNul } from './parts.ts'

/**
 * The ledger as one attempt sees it. Every call of it may be made twice, so a database that restarts only takes time:
 * an attempt that gave up would read its whole input again.
 */
export interface AttemptLedger {
  readonly database: Database
  readonly clock: Clock
  readonly hold: Hold
}

/** Rejected records that are kept one by one; the rest is counted. */
const KEPT_REJECTS = 10_000
const LONGEST_RECORD = 2_000
const LONGEST_REASON = 2_000
const MAX_CHECKPOINT_BYTES = 64 * 1024

export class LedgerRejects implements Rejects {
  readonly #ledger: AttemptLedger
  readonly #balance: Balance
  readonly #byCode = new Map<string, number>()
  #kept = 0

  constructor(ledger: AttemptLedger, balance: Balance) {
    this.#ledger = ledger
    this.#balance = balance
  }

  async add(...rejects: readonly Reject[]): Promise<void> {
    for (const { code } of rejects) this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
    this.#balance.records({ rejected: rejects.length })
    const kept = rejects.slice(0, Math.max(0, KEPT_REJECTS - this.#kept))
    this.#kept += kept.length
    const { database, clock, hold } = this.#ledger
    await evenIfAway(() => recordDeadLetters(database, hold, kept.map(letterOfReject), clock.now()))
  }

  count(byCode: Readonly<Record<string, number>>): void {
    for (const [code, count] of Object.entries(byCode)) {
      this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + count)
      this.#balance.records({ rejected: count })
    }
  }

  byCode(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#byCode)
  }
}

function letterOfReject({ code, message, place, record }: Reject): NewDeadLetter {
  const where = asJson(place)
  return {
    fingerprint: fingerprint({ code, message, place: where, record: record ?? null }),
    outcome: 'rejected',
    code,
    reason: shorten(withoutNul(message), LONGEST_REASON),
    place: where,
    record: record === undefined ? null : shorten(withoutNul(record), LONGEST_RECORD),
    entityUrn: null,
    aspect: null,
    proposal: null,
    base: null,
  }
}

export class LedgerCheckpoints implements Checkpoints {
  readonly #ledger: AttemptLedger

  constructor(ledger: AttemptLedger) {
    this.#ledger = ledger
  }

  read(name: string): Promise<JsonValue | undefined> {
    return readCheckpoint(this.#ledger.database, this.#ledger.hold.runId, name)
  }

  async save(name: string, value: JsonValue): Promise<void> {
    checkSize(`checkpoint ${name}`, value, MAX_CHECKPOINT_BYTES)
    const { database, clock, hold } = this.#ledger
    const held = await saveCheckpoint(database, hold, { name, value }, clock.now())
    if (!held) throw new RunTakenOverError(hold.runId)
  }
}

/** @param target the catalog as runs name it; undefined for our own */
export function ledgerMeasurements(database: Database, target: string | undefined): Measurements {
  return {
    record: (...points: readonly Measurement[]) => recordMeasurements(database, target ?? '', points),
    read: (prefix, sinceMs) => readMeasurements(database, { target: target ?? '', prefix, sinceMs }),
  }
}

export class LedgerJournal implements Journal {
  readonly #ledger: AttemptLedger

  constructor(ledger: AttemptLedger) {
    this.#ledger = ledger
  }

  async find(key: string): Promise<BatchRecord | undefined> {
    // Only an earlier attempt can have left something.
    if (this.#ledger.hold.attempt <= 1) return undefined
    const row = await evenIfAway(() => readBatch(this.#ledger.database, this.#ledger.hold.runId, key))
    if (row === undefined) return undefined
    const { members, unchanged, written, refused, dead } = row
    if (row.state === 'sent' || written === null || refused === null || dead === null) {
      return { state: 'sent', members, unchanged, images: unpackImages(row.images) }
    }
    return { state: 'answered', counts: { written, unchanged, refused, dead } }
  }

  async sent({ images = [], ...batch }: SentBatch): Promise<void> {
    const { database, clock, hold } = this.#ledger
    const packed = { ...batch, images: packImages(images) }
    const held = await evenIfAway(() => recordSent(database, hold, packed, clock.now()))
    if (!held) throw new RunTakenOverError(hold.runId)
  }

  async answered(key: string, counts: ProposalCounts, deadLetters: readonly DeadLetter[]): Promise<void> {
    const { database, clock, hold } = this.#ledger
    const nowMs = clock.now()
    const record = async (tx: Queryable): Promise<void> => {
      if (!(await recordAnswer(tx, hold, key, counts, nowMs))) throw new RunTakenOverError(hold.runId)
      await recordDeadLetters(tx, hold, deadLetters.map(letterOfProposal), nowMs)
    }
    // One statement needs no transaction of its own.
    await evenIfAway(() => (deadLetters.length === 0 ? record(database) : transaction(database, record)))
  }
}

function letterOfProposal({ proposal, outcome, code, reason, base, intent }: DeadLetter): NewDeadLetter {
  const { systemMetadata: _, ...asked } = proposal
  const body = asJson(asked)
  return {
    fingerprint: fingerprint({ ...body, intent: intent ?? null }),
    outcome,
    code,
    reason: shorten(withoutNul(reason), LONGEST_REASON),
    place: null,
    record: intent === undefined ? null : shorten(withoutNul(JSON.stringify(intent)), LONGEST_RECORD),
    entityUrn: proposal.entityUrn,
    aspect: proposal.aspectName,
    proposal: body,
    base: base === undefined ? null : (base ?? ''),
  }
}
