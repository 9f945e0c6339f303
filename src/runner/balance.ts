import { EMPTY_BALANCE, type LedgerBalance } from '../store/ledger/types.ts'
import type { Balance, BalanceCounts, ProposalBalance, RecordCounts } from './define-job.ts'

/** Counts of one attempt; starts at zero. */
export class BalanceCounter implements Balance {
  readonly #also: Omit<Balance, 'snapshot'> | undefined
  #counts: LedgerBalance = EMPTY_BALANCE

  /** @param also is told of each addition */
  constructor(also?: Omit<Balance, 'snapshot'>) {
    this.#also = also
  }

  records(add: Partial<RecordCounts>): void {
    this.#counts = { ...this.#counts, records: sum(this.#counts.records, add) }
    this.#also?.records(add)
  }

  proposals(add: Partial<ProposalBalance>): void {
    this.#counts = { ...this.#counts, proposals: sum(this.#counts.proposals, add) }
    this.#also?.proposals(add)
  }

  snapshot(): BalanceCounts {
    return this.#counts
  }
}

/** What was taken on and not brought to an end; all zero in a run that ended well. */
export function unsettled({ records, proposals }: BalanceCounts): {
  readonly records: number
  readonly proposals: number
} {
  return {
    records: records.read - records.used - records.duplicate - records.noEffect - records.rejected,
    proposals: proposals.made - proposals.written - proposals.unchanged - proposals.refused - proposals.dead,
  }
}

/** Whether something in it was rejected, refused or given up. */
export function hasLosses({ records, proposals }: BalanceCounts): boolean {
  return records.rejected + proposals.refused + proposals.dead > 0
}

function sum<Counts extends Readonly<Record<keyof Counts, number>>>(counts: Counts, add: Partial<Counts>): Counts {
  const entries = Object.entries(counts) as [keyof Counts, number][]
  return Object.fromEntries(entries.map(([key, count]) => [key, count + (add[key] ?? 0)])) as Counts
}
