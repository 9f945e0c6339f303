/** What earlier runs left in the ledger, for jobs that undo them or send their dead letters again. */
import type { BeforeImage } from '../client/journal.ts'
import type { Proposal } from '../model/proposal.ts'
import { findDeadLetters, listImages, settleDeadLetters } from '../store/ledger/journal.ts'
import { readPlanOfRun } from '../store/ledger/plans.ts'
import { readRun } from '../store/ledger/runs.ts'
import type { RunRow } from '../store/ledger/types.ts'
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
    const run = await this.#effective(id)
    if (run === undefined) return undefined
    if (run.finishedMs === null) {
      throw new RunStateError(`run ${id} is ${run.state}`, { remedy: 'wait for its end, or cancel it' })
    }
    if (run.target !== this.#target) throw new OtherCatalogError(id, run.target, this.#target)
    const [image] = await listImages(database, run.id, { after: '', limit: 1 })
    return { id: run.id, job: run.job, written: run.balance.proposals.written, hasImages: image !== undefined }
  }

  /** The run that carried out what a planning run planned, or the run itself. */
  async #effective(id: string): Promise<RunRow | undefined> {
    const { database } = this.#ledger
    const run = await readRun(database, id)
    const plan = run?.mode === 'plan' ? await readPlanOfRun(database, id) : undefined
    const applied = plan?.applyRunId ?? undefined
    return applied === undefined ? run : readRun(database, applied)
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
    const known = run === undefined ? undefined : await this.run(run)
    if (run !== undefined && known === undefined) throw new RunNotFoundError(run)
    const filter = { runId: known?.id, ids, outcomes: ['refused', 'dead'] as const, open: true }
    for (let after = 0; ;) {
      const page = await findDeadLetters(this.#ledger.database, filter, { after, limit: LETTERS_A_PAGE })
      const last = page.at(-1)
      if (last === undefined) return
      for (const from of new Set(page.map((letter) => letter.runId))) if (from !== known?.id) await this.run(from)
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
