/** A query log in the shape of the `sql-queries` source, of any length, with a share of its lines repeating earlier ones. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { seededRandom } from '../../src/cli/demo/random.ts'
import { statementAt } from './statements.ts'
import type { WarehouseTable } from './warehouse.ts'

export interface LogOptions {
  readonly tables: readonly WarehouseTable[]
  readonly lines: number
  /** Share of lines that run an earlier statement again, with another literal. */
  readonly repetition: number
  readonly seed: number
}

/** Statements that differ in more than the literals they compare with. */
export function distinctStatements({ lines, repetition }: LogOptions): number {
  return Math.max(1, Math.round(lines * (1 - repetition)))
}

const BEGUN_SECONDS = 1_780_000_000
const LINES_TOGETHER = 1000

export async function writeLog(path: string, options: LogOptions): Promise<void> {
  const out = createWriteStream(path)
  await streamLog(out, options)
  out.end()
  await finished(out)
}

export async function streamLog(out: Writable, options: LogOptions): Promise<void> {
  const random = seededRandom(options.seed)
  const distinct = distinctStatements(options)
  let made = 0
  let together = ''
  for (let line = 0; line < options.lines; line++) {
    // Evenly spread: after each line as many statements were met as its share of the log asks for.
    const isNew = made <= (line * distinct) / options.lines && made < distinct
    const number = isNew ? made++ : random.between(0, made - 1)
    const { sql } = statementAt(number, options.tables, options.seed)
    const entry = {
      query: sql.replaceAll('$1', () => String(random.between(0, 999_999))),
      timestamp: BEGUN_SECONDS + line / 10,
      user: `etl${number % 7}`,
      session_id: `s${number % 50}`,
    }
    together += `${JSON.stringify(entry)}\n`
    if ((line + 1) % LINES_TOGETHER !== 0 && line + 1 < options.lines) continue
    if (!out.write(together)) await once(out, 'drain')
    together = ''
  }
}
