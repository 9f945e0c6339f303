/** A job's memory in the ledger: facts that outlive a run, apart for each catalog that the job writes to. */
import type { JsonValue } from '../model/json.ts'
import { othersTurn } from '../observe/turns.ts'
import { transaction } from '../store/database.ts'
import { readMemory, scanMemory, scanMemoryKeys, writeMemory, type MemoryRow } from '../store/ledger/memory.ts'
import { lockRun } from '../store/ledger/runs.ts'
import type { RunRow } from '../store/ledger/types.ts'
import type { AttemptLedger } from './attempt-context.ts'
import type { Memory } from './define-job.ts'
import { RunTakenOverError } from './errors.ts'
import { checkSize } from './parts.ts'

const MAX_VALUE_BYTES = 16 * 1024 * 1024
/** Values of one statement: bounds what is in memory at once. */
const PAGE = 200
const PAGE_OF_KEYS = 2_000

export class LedgerMemory implements Memory {
  readonly #ledger: AttemptLedger
  readonly #scope: string

  constructor(ledger: AttemptLedger, run: Pick<RunRow, 'job' | 'target'>) {
    this.#ledger = ledger
    this.#scope = run.target === null ? run.job : `${run.job} ${run.target}`
  }

  async read(keys: readonly string[]): Promise<ReadonlyMap<string, JsonValue>> {
    const found = new Map<string, JsonValue>()
    for (let start = 0; start < keys.length; start += PAGE) {
      const rows = await readMemory(this.#ledger.database, this.#scope, keys.slice(start, start + PAGE))
      for (const { key, value } of rows) {
        await othersTurn()
        found.set(key, parse(value))
      }
    }
    return found
  }

  async *scan(prefix: string): AsyncGenerator<readonly (readonly [key: string, value: JsonValue])[]> {
    let after = ''
    for (;;) {
      const rows = await scanMemory(this.#ledger.database, this.#scope, { prefix, after, limit: PAGE })
      if (rows.length > 0) yield rows.map(({ key, value }) => [key, parse(value)] as const)
      if (rows.length < PAGE) return
      after = rows.at(-1)?.key ?? ''
    }
  }

  async *keys(prefix: string): AsyncGenerator<readonly string[]> {
    let after = ''
    for (;;) {
      const range = { prefix, after, limit: PAGE_OF_KEYS }
      const keys = (await scanMemoryKeys(this.#ledger.database, this.#scope, range)).map(({ key }) => key)
      if (keys.length > 0) yield keys
      if (keys.length < PAGE_OF_KEYS) return
      after = keys.at(-1) ?? ''
    }
  }

  async write(entries: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
    const { database, clock, hold } = this.#ledger
    const put: MemoryRow[] = []
    const remove: string[] = []
    // Sorted: two writers that touch the same keys must not wait for each other in a circle.
    for (const [key, value] of [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (value === undefined) remove.push(key)
      else {
        await othersTurn()
        checkSize(`what is remembered as ${key}`, value, MAX_VALUE_BYTES)
        // PostgreSQL has no NUL in texts; JSON spells it as an escape, which a text may hold.
        put.push({ key, value: JSON.stringify(value) })
      }
    }
    await transaction(database, async (tx) => {
      const run = await lockRun(tx, hold.runId)
      if (run?.state !== 'running' || run.attempt !== hold.attempt) throw new RunTakenOverError(hold.runId)
      await writeMemory(tx, hold, this.#scope, { put, remove }, clock.now())
    })
  }
}

function parse(text: string): JsonValue {
  return JSON.parse(text) as JsonValue
}
