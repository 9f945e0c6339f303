/**
 * Gathers writes that arrive at the same time into one transaction: 64 clients that each change one aspect then cost a
 * few commits, not 64 (three to five times the rate, measured). Small writes wait for the small transaction under way,
 * a millisecond or two, and then go together; they never wait for a large one.
 *
 * Clients that wait for their answers come back in the size in which they went: left alone, transactions of 6 and of 58
 * writes take turns, each as long as the other. So whoever is waiting when a transaction ends is joined by those who
 * were in it, until both halves are equal; while one half is in the database, the other is answered and asks again.
 */
import type { Clock } from '../../observe/clock.ts'
import type { Write, WriteOutcome } from './write.ts'

export interface WriteQueue {
  /** Gives the outcome once the write is committed or refused; rejects when the database fails. */
  submit(write: Write): Promise<WriteOutcome>
}

/** Transactions at a time: while one commits, the next is made ready. */
const IN_FLIGHT = 2
/** Most changes and events of one transaction; a larger single write has a transaction to itself. */
const MAX_CHANGES = 1000
/** Changes and events from which on a transaction counts as large. */
const LARGE = 100
/** Longest wait for clients that were just answered, who may have nothing more to write; shorter after a short transaction. */
const JOIN_WITHIN_MS = 10

interface Waiting {
  readonly write: Write
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

export function createWriteQueue(
  commit: (writes: readonly Write[]) => Promise<readonly WriteOutcome[]>,
  clock: Clock,
): WriteQueue {
  const waiting: Waiting[] = []
  let inFlight = 0
  let smallInFlight = 0
  /** Writes that must wait before the next small transaction begins. */
  let awaited = 0
  let patience: NodeJS.Timeout | undefined

  function pump(): void {
    while (inFlight < IN_FLIGHT && waiting.length > 0) {
      const { count, size } = nextGroup(waiting)
      const small = size < LARGE ? 1 : 0
      // Two small ones at a time would be half as large each, and cost twice as many transactions.
      if (small + smallInFlight > 1) return
      if (small === 1 && count < awaited) return
      awaited = 0
      inFlight++
      smallInFlight += small
      const startMs = clock.monotonic()
      void flush(waiting.splice(0, count)).finally(() => {
        inFlight--
        smallInFlight -= small
        if (small === 1) awaitHalf(count, clock.monotonic() - startMs)
        pump()
      })
    }
  }

  /** @param tookMs the transaction that just ended: nobody waits longer for company */
  function awaitHalf(answered: number, tookMs: number): void {
    clearTimeout(patience)
    awaited = Math.floor((answered + waiting.length) / 2)
    if (awaited <= waiting.length) return
    patience = setTimeout(
      () => {
        awaited = 0
        pump()
      },
      Math.min(tookMs, JOIN_WITHIN_MS),
    )
  }

  async function flush(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commit(group.map((item) => item.write))
      group.forEach((item, index) => settle(item, outcomes[index]))
    } catch (error) {
      // The database refused the transaction as a whole; alone, each shows whether it was the cause.
      if (group.length === 1) group[0]?.reject(error)
      else for (const item of group) await flush([item])
    }
  }

  return {
    submit(write) {
      return new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject })
        // With enough of them at once, while the rest of those that arrived together are still being read: otherwise
        // all would go in one transaction, and be answered in one stretch in which the database has nothing to do.
        if (awaited > 0 && waiting.length >= awaited) pump()
        // Else after this turn of the event loop, so that requests read from their sockets together travel together.
        else setImmediate(pump)
      })
    },
  }
}

function settle(item: Waiting, outcome: WriteOutcome | undefined): void {
  if (outcome === undefined) item.reject(new Error('a write came back without an outcome'))
  else item.resolve(outcome)
}

/** How many of those that wait go together, and their changes and events. */
function nextGroup(waiting: readonly Waiting[]): { readonly count: number; readonly size: number } {
  let size = 0
  let count = 0
  for (const { write } of waiting) {
    const own = write.changes.length + (write.events?.length ?? 0)
    if (count > 0 && size + own > MAX_CHANGES) break
    size += own
    count++
  }
  return { count, size }
}
