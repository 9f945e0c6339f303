/**
 * What a harvest of a query log costs: `npm run bench:harvest`. A seeded log over 2,000 tables whose columns the catalog
 * knows, with known lineage, read end to end into our own catalog, in a process of its own; beside it DataHub's
 * `sql-queries` on the beginning of the same log, where HEADWATER_SDK_PYTHON names a Python with acryl-datahub.
 *
 * Ours is the whole command, with a PostgreSQL of its own that it sets up first; `working` leaves that start out. The
 * catalog's lineage is compared with the known one, edge by edge. Where cores are few and busy read the ratios.
 *
 *   --lines 200000          of our log; 10000000 asks for half an hour, and shows that memory stays flat
 *   --slice 2000            of the other's
 *   --repetition 0,0.9      shares of lines that run an earlier statement again, with other literals
 *   --tables 2000  --seed 8
 *   --usage                 ours writes what the other always does besides lineage and statements: usage and operations.
 *                           It tells an operation for each execution, the other the last one of each statement, so of a
 *                           log that repeats itself ours writes many times as many; and it counts how often each ran
 */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPiece } from '../test/chaos/kit/piece.ts'
import { distinctStatements, writeLog, type LogOptions } from './harvest/log.ts'
import { ours, sharesOf, sqlQueries, type Errand } from './harvest/subjects.ts'
import { verdictOf, writeSchemas } from './harvest/truth.ts'
import { warehouse } from './harvest/warehouse.ts'
import { writtenKinds } from './harvest/written.ts'
import { benchFolder, endWithBench } from './kit/bench-folder.ts'
import type { Took } from './kit/measure.ts'
import { answerHelp } from './usage.ts'

answerHelp(import.meta.url)
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '200000' },
    slice: { type: 'string', default: '2000' },
    repetition: { type: 'string', default: '0,0.9' },
    tables: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '8' },
    usage: { type: 'boolean', default: false },
  },
})
/** Ratios that a quiet machine must show. */
const AIM_AT_NONE = 50
const AIM_AT_MOST = 100
const AIM_MEMORY_MB = 500

const tables = warehouse(Number(values.tables))
await using work = await benchFolder()
const folder = work.path
let errands = 0
let complete = true
for (const repetition of values.repetition.split(',').map(Number)) await compare(repetition)
process.exitCode = complete ? 0 : 1

async function compare(repetition: number): Promise<void> {
  const log = { tables, lines: Number(values.lines), repetition, seed: Number(values.seed) }
  const distinct = distinctStatements(log)
  print(`\n${shown(log.lines)} statements over ${shown(tables.length)} tables, ${shown(distinct)} of them distinct`)
  // A log repeats itself within its beginning, too.
  const slice = { ...log, lines: Math.min(log.lines, Number(values.slice)) }
  const other = sqlQueries && (await row('sql-queries', sqlQueries, slice))
  if (sqlQueries === undefined) print('  sql-queries   skipped: HEADWATER_SDK_PYTHON is not set')
  const own = await row('ours', ours(values.usage), log)
  if (!values.usage) print('  ours writes lineage and statements only: --usage adds usage and operations')
  print(`  ours: ${sharesOf(own).join(', ')}`)
  if (other !== undefined) {
    const aim = repetition >= 0.9 ? AIM_AT_MOST : repetition === 0 ? AIM_AT_NONE : undefined
    ratio('ours : sql-queries', log.lines / own.seconds / (slice.lines / other.seconds), aim)
    ratio('ours : sql-queries, by CPU', log.lines / own.cpuSeconds / (slice.lines / other.cpuSeconds))
  }
  const fits = own.peakMb <= AIM_MEMORY_MB
  print(`  peak memory: ${Math.round(own.peakMb)} MB (aim at most ${AIM_MEMORY_MB}${fits ? ', reached' : ', missed'})`)
}

/** One subject, against a catalog of its own that knows the tables. */
async function row(name: string, subject: (errand: Errand) => Promise<Took>, log: LogOptions): Promise<Took> {
  const own = join(folder, String(errands++))
  await mkdir(own)
  const file = join(own, 'log.ndjson')
  await writeLog(file, log)
  const args = ['catalog', 'serve', '--port', '0', '--data', join(own, 'catalog'), '--quiet']
  await using catalog = startPiece({ script: 'headwater', args })
  void catalog.ended.then(endWithBench(catalog.pid))
  const [, catalogUrl = ''] = await catalog.line(/listening on (\S+)/)
  await writeSchemas(catalogUrl, tables)
  const took = await subject({ file, catalogUrl, folder: own })
  const verdict = await verdictOf(catalogUrl, log)
  const written = await writtenKinds(catalogUrl)
  const cells = [
    name.padEnd(12),
    `${shown(log.lines)} statements`.padStart(22),
    `${took.seconds.toFixed(1)} s`.padStart(9),
    `${shown(log.lines / took.seconds)} statements/s`.padStart(21),
    `CPU ${took.cpuSeconds.toFixed(1)} s`.padStart(12),
    `${Math.round(took.peakMb)} MB`.padStart(8),
    `${shown(verdict.found)} of ${shown(verdict.known)} known edges, ${shown(verdict.invented)} others`.padStart(44),
  ]
  print(`  ${cells.join('  ')}`)
  print(`    wrote ${written.join(', ')}`)
  for (const edge of verdict.missing) print(`    missing  ${edge}`)
  for (const edge of verdict.foreign) print(`    foreign  ${edge}`)
  if (name === 'ours') complete &&= verdict.missed === 0 && verdict.invented === 0
  // It takes its PostgreSQL along.
  await catalog.kill('SIGTERM')
  await rm(own, { recursive: true, force: true })
  return took
}

function ratio(name: string, found: number, aim?: number): void {
  const verdict = aim === undefined ? '' : ` (aim ${aim}${found >= aim ? ', reached' : ', missed'})`
  print(`  ${name}: ${found.toFixed(1)}${verdict}`)
}

function shown(count: number): string {
  return Math.round(count).toLocaleString('en')
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
