/**
 * `npm run bench:lineage`: parse and lineage, all details on, against sql-parser-cst's bare parse of the same
 * statements. Rounds alternate in one process, so that a busy machine slows both; the ratio is the median of the rounds.
 * Then the worker pool beside one thread on a log of statements of which no two are equal, and on one that repeats.
 *
 *     npm run bench:lineage              all of it
 *     npm run bench:lineage -- --quick   fewer rounds, a smaller log
 *     npm run bench:lineage -- --json    one object
 *     npm run bench:lineage -- --log 10000000    memory on a log of so many lines, one in ten new, and nothing else
 */
import { parseArgs } from 'node:util'
import { parseLineage } from '../src/sql/index.ts'
import { readLongLog, type Milestone } from './lineage/long-log.ts'
import { median } from './lineage/median.ts'
import { comparePool, type PoolResult } from './lineage/pool.ts'
import { bareParse, statementSets, type Measured, type StatementSet } from './lineage/statements.ts'
import { answerHelp } from './usage.ts'

answerHelp(import.meta.url)
const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, log: { type: 'string' } },
})
const ROUNDS = flags.quick === true ? 5 : 21
const LOG_LENGTH = flags.quick === true ? 20_000 : 200_000

interface SetResult {
  readonly name: string
  readonly statements: number
  readonly meanLength: number
  readonly lineagePerSecond: number
  readonly bareParsePerSecond: number
  readonly ratio: number
  readonly bar: number
  readonly allocatedBytes: number
}

if (flags.log === undefined) await compare()
else await readLongLog(positive(flags.log), flags.json === true ? (told) => say(JSON.stringify(told)) : sayMilestone)

async function compare(): Promise<void> {
  const sets = statementSets()
  const results = sets.map(measure)
  const pool = await comparePool(sets, LOG_LENGTH)
  if (flags.json === true) say(JSON.stringify({ sets: results, pool }, null, 2))
  else print(results, pool)
}

function positive(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  process.stderr.write(`--log takes a number of lines above 0, not "${text}"\n`)
  return process.exit(4)
}

function sayMilestone({ lines, distinct, seconds, cpuSeconds, rssMb, peakRssMb }: Milestone): void {
  const memory = `${rssMb.toFixed(0)} MB, at the most ${peakRssMb.toFixed(0)} MB`
  const time = `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of CPU`
  say(`${lines.toLocaleString('en')} lines, ${distinct.toLocaleString('en')} of them new: ${memory}; ${time}`)
}

function lineageOf({ dialect, sql, schema }: Measured): unknown {
  return parseLineage(sql, schema === undefined ? { dialect } : { dialect, schema })
}

function measure({ name, bar, statements }: StatementSet): SetResult {
  const rounds = Array.from({ length: ROUNDS + 3 }, () => ({
    lineage: perSecond(statements, lineageOf),
    parse: perSecond(statements, bareParse),
  })).slice(3)
  return {
    name,
    bar,
    statements: statements.length,
    meanLength: Math.round(statements.reduce((sum, { sql }) => sum + sql.length, 0) / statements.length),
    lineagePerSecond: Math.round(median(rounds.map((round) => round.lineage))),
    bareParsePerSecond: Math.round(median(rounds.map((round) => round.parse))),
    ratio: median(rounds.map((round) => round.lineage / round.parse)),
    allocatedBytes: allocatedBytes(statements),
  }
}

/** Statements a second over at least 50 ms. */
function perSecond(statements: readonly Measured[], work: (statement: Measured) => unknown): number {
  const begun = performance.now()
  let done = 0
  let elapsed = 0
  while (elapsed < 50) {
    for (const statement of statements) work(statement)
    done += statements.length
    elapsed = performance.now() - begun
  }
  return (1000 * done) / elapsed
}

/** Bytes of heap that a statement takes on the way; steps in which the collector ran do not count. */
function allocatedBytes(statements: readonly Measured[]): number {
  const steps: number[] = []
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i + 10 <= statements.length; i += 10) {
      const before = process.memoryUsage().heapUsed
      for (const statement of statements.slice(i, i + 10)) lineageOf(statement)
      const grown = process.memoryUsage().heapUsed - before
      if (grown > 0) steps.push(grown / 10)
    }
  }
  return Math.round(median(steps))
}

function print(rows: readonly SetResult[], log: PoolResult): void {
  say('statements                 count  chars  lineage/s  bare parse/s   ratio    bar  KiB each')
  for (const row of rows) {
    const cells = [
      row.name.padEnd(25),
      String(row.statements).padStart(6),
      String(row.meanLength).padStart(6),
      row.lineagePerSecond.toLocaleString('en').padStart(10),
      row.bareParsePerSecond.toLocaleString('en').padStart(13),
      row.ratio.toFixed(1).padStart(7),
      `>= ${row.bar}`.padStart(6),
      (row.allocatedBytes / 1024).toFixed(1).padStart(9),
    ]
    say(cells.join(' '))
  }
  say('')
  printPool(log)
}

function printPool({ log, readers, gain, repeatingPerSecond }: PoolResult): void {
  say(`log of ${log.toLocaleString('en')} different statements, tables and edges of each lineage counted:`)
  for (const reader of readers) {
    const cpu = `${reader.cpuMicroseconds.toFixed(1)} us of CPU each, all threads together`
    say(`  ${reader.name.padEnd(66)} ${reader.perSecond.toLocaleString('en').padStart(7)} statements/s, ${cpu}`)
  }
  say(`  two threads are ${gain.toFixed(2)} times one (bar: >= 1.4), median of the parts of the log`)
  say(`  a log in which 500 statements repeat: ${repeatingPerSecond.toLocaleString('en')} statements/s`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
