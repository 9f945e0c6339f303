/** What earlier runs left in the ledger, for jobs that undo them or send their dead letters again. */
import type { BeforeImage } from '../client/journal.ts'
import type { Proposal } from '../model/proposal.ts'
import { findDeadLetters, listImages, settleDeadLetters } from '../store/ledger/journal.ts'
import { readRun } from '../store/ledger/runs.ts'
import type { AttemptLedger } from './attempt-context.ts'
import type { Past, PastLetter, PastLetters, PastRun } from './define-job.ts'
import { OtherCatalogError, RunNotFoundError, RunStateError } from './errors.ts'
import { unpackImages } from './images.ts'

const BATCHES_A_PAGE = 20
const LETTERS_A_PAGE = 200

export class LedgerPast implements Past {
  readonly #ledger: AttemptLedger
  readonly #target: string | null

  /** @param target that of the run which looks back */
  constructor(ledger: AttemptLedger, target: string | null) {
    this.#ledger = ledger
    this.#target = target
  }

  async run(id: string): Promise<PastRun | undefined> {
    const { database } = this.#ledger
    const run = await readRun(database, id)
    if (run === undefined) return undefined
    if (run.finishedMs === null) {
      throw new RunStateError(`run ${id} is ${run.state}`, { remedy: 'wait for its end, or cancel it' })
    }
    if (run.target !== this.#target) throw new OtherCatalogError(id, run.target, this.#target)
    const [image] = await listImages(database, id, { after: '', limit: 1 })
    return { id, job: run.job, written: run.balance.proposals.written, hasImages: image !== undefined }
  }

  async *images(id: string): AsyncGenerator<readonly BeforeImage[]> {
    for (let after = ''; ;) {
      const page = await listImages(this.#ledger.database, id, { after, limit: BATCHES_A_PAGE })
      for (const { images } of page) yield unpackImages(images)
      const last = page.at(-1)
      if (last === undefined) return
      after = last.key
    }
  }

  async *letters({ run, ids }: PastLetters): AsyncGenerator<readonly PastLetter[]> {
    const filter = { runId: run, ids, outcomes: ['refused', 'dead'] as const, open: true }
    if (run !== undefined && (await this.run(run)) === undefined) throw new RunNotFoundError(run)
    for (let after = 0; ;) {
      const page = await findDeadLetters(this.#ledger.database, filter, { after, limit: LETTERS_A_PAGE })
      const last = page.at(-1)
      if (last === undefined) return
      for (const from of new Set(page.map((letter) => letter.runId))) if (from !== run) await this.run(from)
      yield page.map(({ id, code, reason, proposal, base }) => {
        return { id, code, reason, proposal: proposal as unknown as Proposal, base }
      })
      after = last.id
    }
  }

  settle(ids: readonly number[]): Promise<void> {
    const { database, hold, clock } = this.#ledger
    return settleDeadLetters(database, hold, ids, clock.now())
  }
}
