/**
 * A query log of any length through the worker pool, to see that memory does not grow with it. One line in ten is a
 * statement that was not there before; the others are statements of late with other values, as in the log of a warehouse.
 */
import { availableParallelism } from 'node:os'
import { lineGroups } from '../../src/sql/workers/line-groups.ts'
import { LineagePool } from '../../src/sql/workers/pool.ts'
import type { LineageRequest } from '../../src/sql/workers/request.ts'

export interface Milestone {
  readonly lines: number
  readonly distinct: number
  readonly columns: number
  readonly seconds: number
  /** Of all threads. */
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly peakRssMb: number
}

const OPTIONS = { dialect: 'postgres', defaultSchema: 'mart' } as const
/** Statements that come again. */
const KEPT = 2000
const LINES_A_CHUNK = 500

/** Reads a log of `length` lines to its end; tells the memory after 1, 3, 10, 30 ... million lines, and at the end. */
export async function readLongLog(length: number, tell: (milestone: Milestone) => void): Promise<void> {
  const pool = new LineagePool({ threads: availableParallelism() })
  const log = new LogWriter()
  const begun = performance.now()
  let [lines, columns, next] = [0, 0, 1_000_000]
  const told = (): Milestone => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    return {
      lines,
      distinct: log.distinct,
      columns,
      seconds: (performance.now() - begun) / 1000,
      cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      rssMb: process.memoryUsage.rss() / 2 ** 20,
      peakRssMb: maxRSS / 1024,
    }
  }
  try {
    for await (const group of pool.stream(requestsOf(lineGroups(log.chunks(length))))) {
      lines += group.length
      for (const lineage of group) columns += lineage.columns.length
      if (lines < next || lines === length) continue
      tell(told())
      next *= String(next).startsWith('1') ? 3 : 10 / 3
    }
    if (lines !== length) throw new Error(`${length} lines went in, and ${lines} lineages came out`)
    tell(told())
  } finally {
    await pool.close()
  }
}

async function* requestsOf(groups: AsyncIterable<readonly string[]>): AsyncGenerator<readonly LineageRequest[]> {
  for await (const group of groups) yield group.map((sql) => ({ sql, options: OPTIONS }))
}

class LogWriter {
  /** Statements written so far of which no two are equal, literals apart. */
  distinct = 0
  readonly #kept: ((value: number) => string)[] = []
  #state = 42

  /** The log as text, as a file would be read. */
  async *chunks(length: number): AsyncGenerator<string> {
    for (let left = length; left > 0; left -= LINES_A_CHUNK) {
      yield Array.from({ length: Math.min(left, LINES_A_CHUNK) }, () => `${this.#line()}\n`).join('')
    }
  }

  #line(): string {
    const known = this.#kept[this.#random(this.#kept.length)]
    const write = known === undefined || this.#random(10) === 0 ? this.#invent() : known
    return write(this.#random(1_000_000))
  }

  /** A new statement takes the place of one that came before it. */
  #invent(): (value: number) => string {
    const number = this.distinct++
    const shape = SHAPES[number % SHAPES.length] ?? SHAPES[0]
    const write = (value: number): string => shape(number, value)
    this.#kept[number % KEPT] = write
    return write
  }

  #random(below: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return below === 0 ? 0 : (this.#state >>> 8) % below
  }
}

/** Statements by their number, and a value that differs each time. */
const SHAPES = [
  (n: number, v: number) =>
    `INSERT INTO daily_${n} (day, customer, total) SELECT o.day, c.name, sum(o.amount * o.rate) FROM raw.orders_${n % 97} o JOIN raw.customers c ON c.id = o.customer_id WHERE o.id > ${v} GROUP BY o.day, c.name`,
  (n: number, v: number) =>
    `CREATE TABLE step_${n} AS WITH late AS (SELECT id, shipped - ordered AS days FROM raw.shipments WHERE region = '${v}') SELECT l.id, l.days, s.carrier FROM late l LEFT JOIN ref.carriers_${n % 13} s ON s.id = l.id`,
  (n: number, v: number) =>
    `UPDATE stock_${n} t SET amount = t.amount - s.sold, changed_at = now() FROM raw.sales s WHERE s.article = t.article AND s.run = ${v}`,
  (n: number, v: number) =>
    `SELECT a.id, a.name, row_number() OVER (PARTITION BY a.kind ORDER BY b.at DESC) AS place FROM report_${n} a, raw.events b WHERE a.id = b.account AND b.code IN (${v}, ${v + 1}, ${v + 2})`,
  (n: number, v: number) =>
    `MERGE INTO dim_${n} d USING (SELECT id, max(name) AS name FROM raw.names WHERE batch = ${v} GROUP BY id) s ON d.id = s.id WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)`,
] as const
