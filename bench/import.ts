/**
 * What a bulk import costs, each figure beside its baselines: `npm run bench:import -- --help`.
 *
 *   csv-enricher   DataHub's own, PATCH, where HEADWATER_SDK_PYTHON names a Python with acryl-datahub
 *   serial         one read and one write for each row and aspect, by our own client
 *   raw            batches made beforehand and posted: what the catalog can take
 *   ours           the whole command, from its start to its end, with a PostgreSQL of its own that it sets up first;
 *                  `working` leaves that start out
 *
 * What was measured is kept in a file, so that all of it can be run in pieces: ratios are taken against the newest
 * baselines that are there. Where cores are few and busy read the ratios.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPiece } from '../test/chaos/kit/piece.ts'
import { applyPiece, planPiece } from './import/pieces.ts'
import { aspectsOf, writeRows } from './import/rows.ts'
import { csvEnricher, ours, rawBatches, serialLoop, type Errand } from './import/subjects.ts'
import { benchFolder, endWithBench } from './kit/bench-folder.ts'
import type { Took } from './kit/measure.ts'

const HELP = `npm run bench:import -- [options]
  --only csv-enricher,serial,raw,ours  whom to measure
  --against stub,catalog               a stub that takes everything, our catalog
  --delay 0,5                          milliseconds that the stub waits before each answer
  --rows 100000,1000000,10000000       rows of ours; against the catalog the first size only
  --baseline-rows 20000                rows of the others
  --kept FILE                          where figures are kept (${join(tmpdir(), 'headwater-bench-import.json')})
  --forget                             leave out what was kept
  --piece plan|apply                   ours against the stub in two commands, the second one of them later

In pieces of a few minutes each:
  npm run bench:import -- --against stub --delay 0 --only csv-enricher,serial
  npm run bench:import -- --against stub --delay 5 --only csv-enricher,serial
  npm run bench:import -- --against stub --only ours --rows 100000,1000000
  npm run bench:import -- --piece plan --delay 0 --rows 10000000
  npm run bench:import -- --piece apply
  npm run bench:import -- --against catalog --rows 100000
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'csv-enricher,serial,raw,ours' },
    against: { type: 'string', default: 'stub,catalog' },
    delay: { type: 'string', default: '0,5' },
    rows: { type: 'string', default: '100000,1000000,10000000' },
    'baseline-rows': { type: 'string', default: '20000' },
    kept: { type: 'string', default: join(tmpdir(), 'headwater-bench-import.json') },
    forget: { type: 'boolean', default: false },
    piece: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const SUBJECTS = ['csv-enricher', 'serial', 'raw', 'ours'] as const
type Subject = (typeof SUBJECTS)[number]

/** How often faster than the others, by the milliseconds that the stub waits. */
const AIMS: Readonly<Record<number, Partial<Record<Subject, number>>>> = {
  0: { 'csv-enricher': 30 },
  5: { 'csv-enricher': 120, serial: 80 },
}

/** Below, a run ends before the heap has its size: more rows take more memory, as they should. */
const FLAT_FROM_ROWS = 1_000_000

const only = new Set(listOf('only', SUBJECTS))
const against = new Set(listOf('against', ['stub', 'catalog']))
const delays = values.delay.split(',').map(Number)
const baselineRows = Number(values['baseline-rows'])
const sizes = values.rows.split(',').map(Number)
if ([...delays, ...sizes, baselineRows].some((number) => !Number.isInteger(number) || number < 0)) {
  throw new RangeError('--delay, --rows and --baseline-rows take whole numbers')
}

/** Rows a second of each subject without its start, and its memory, by where it wrote and how many rows. */
interface Kept {
  readonly at: string
  readonly working: number
  readonly peakMb: number
}
const kept: Record<string, Kept> = values.forget ? {} : await readKept()

await using work = await benchFolder()
const folder = work.path
let errands = 0
/** What the first of two pieces leaves for the second. */
const pieces = `${values.kept}.pieces`
if (values.piece === 'plan') await planned()
else if (values.piece === 'apply') await applied()
else if (values.piece !== undefined) throw new RangeError('--piece takes plan or apply')
else {
  if (against.has('stub')) for (const delayMs of delays) await againstStub(delayMs)
  if (against.has('catalog')) await againstCatalog()
}

async function planned(): Promise<void> {
  const [rows = 0] = sizes
  const took = await planPiece(pieces, rows, delays[0] ?? 0)
  print(`  plan of ${rows.toLocaleString('en')} rows: ${took.seconds.toFixed(1)} s, ${Math.round(took.peakMb)} MB`)
}

async function applied(): Promise<void> {
  const { rows, delayMs, both } = await applyPiece(pieces)
  const place = `stub ${delayMs} ms`
  await tell(place, 'ours', rows, both, undefined)
  ratio(place, 'csv-enricher', AIMS[delayMs]?.['csv-enricher'])
  memory(place)
}

async function againstStub(delayMs: number): Promise<void> {
  const place = `stub ${delayMs} ms`
  print(`\na stub that answers ${delayMs === 0 ? 'at once' : `after ${delayMs} ms`}`)
  await using stub = startPiece({ script: 'bench/import/stub.ts', args: [String(delayMs)] })
  void stub.ended.then(endWithBench(stub.pid))
  const [, url = ''] = await stub.line(/listening on (\S+)/)
  if (csvEnricher === undefined) print('  csv-enricher   skipped: HEADWATER_SDK_PYTHON is not set')
  else await row(place, 'csv-enricher', csvEnricher, baselineRows, url)
  await row(place, 'serial', serialLoop, baselineRows, url)
  for (const size of sizes) await row(place, 'ours', ours, size, url)
  ratio(place, 'csv-enricher', AIMS[delayMs]?.['csv-enricher'])
  ratio(place, 'serial', AIMS[delayMs]?.serial)
  memory(place)
}

async function againstCatalog(): Promise<void> {
  const place = 'catalog'
  print('\nour catalog, in a process of its own')
  const data = join(folder, 'catalog')
  const args = ['catalog', 'serve', '--port', '0', '--data', data, '--quiet']
  await using catalog = startPiece({ script: 'headwater', args })
  void catalog.ended.then(endWithBench(catalog.pid))
  const [, url = ''] = await catalog.line(/listening on (\S+)/)
  const size = sizes[0] ?? baselineRows
  await row(place, 'raw', rawBatches, size, url)
  await row(place, 'serial', serialLoop, Math.min(baselineRows, 5000), url)
  await row(place, 'ours', ours, size, url)
  ratio(place, 'raw', 0.4)
  ratio(place, 'serial')
}

function listOf<T extends string>(flag: 'only' | 'against', known: readonly T[]): readonly T[] {
  return values[flag].split(',').map((name) => {
    const found = known.find((one) => one === name)
    if (found === undefined) throw new RangeError(`--${flag} takes ${known.join(', ')}, not ${name}`)
    return found
  })
}

async function row(
  place: string,
  name: Subject,
  subject: (errand: Errand) => Promise<Took>,
  rows: number,
  catalogUrl: string,
): Promise<void> {
  if (!only.has(name)) return
  const own = join(folder, String(errands++))
  await mkdir(own)
  const file = join(own, 'rows.csv')
  await writeRows(file, rows)
  await requestsOf(catalogUrl)
  const took = await subject({ file, catalogUrl, folder: own })
  const requests = await requestsOf(catalogUrl)
  await rm(own, { recursive: true, force: true })
  await tell(place, name, rows, took, requests)
}

async function tell(
  place: string,
  name: Subject,
  rows: number,
  took: Took,
  requests: number | undefined,
): Promise<void> {
  const seconds = took.workingSeconds ?? took.seconds
  const shown = [
    name.padEnd(13),
    `${rows.toLocaleString('en')} rows`.padStart(16),
    `${took.seconds.toFixed(1)} s`.padStart(9),
    `${Math.round(rows / took.seconds).toLocaleString('en')} rows/s`.padStart(15),
    `working ${Math.round(rows / seconds).toLocaleString('en')} rows/s`.padStart(23),
    `${Math.round(aspectsOf(rows) / seconds).toLocaleString('en')} aspects/s`.padStart(18),
    `${Math.round(took.peakMb)} MB`.padStart(8),
    requests === undefined ? '' : `${(requests / rows).toFixed(4)} requests a row`.padStart(23),
    took.firstProgressSeconds === undefined ? '' : `first progress ${took.firstProgressSeconds.toFixed(2)} s`,
  ]
  print(`  ${shown.join('  ').trimEnd()}`)
  kept[keyOf(place, name, rows)] = { at: new Date().toISOString(), working: rows / seconds, peakMb: took.peakMb }
  await writeFile(values.kept, `${JSON.stringify(kept, undefined, 2)}\n`)
}

/** How often the stub was asked since the last time; undefined where it is a catalog. */
async function requestsOf(url: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/counts`)
  const text = await answer.text()
  return answer.ok ? (JSON.parse(text) as { readonly requests: number }).requests : undefined
}

function keyOf(place: string, name: Subject, rows: number): string {
  return `${place} / ${name} / ${rows}`
}

/** What is kept of a subject at a place, by rows, the most rows first. */
function keptOf(place: string, name: Subject): readonly (Kept & { readonly rows: number })[] {
  const start = `${place} / ${name} / `
  return Object.entries(kept)
    .filter(([key]) => key.startsWith(start))
    .map(([key, figures]) => ({ ...figures, rows: Number(key.slice(start.length)) }))
    .toSorted((a, b) => b.rows - a.rows)
}

/** Of our best size. */
function ratio(place: string, baseline: Subject, aim?: number): void {
  const other = keptOf(place, baseline)[0]
  const best = Math.max(...keptOf(place, 'ours').map((run) => run.working))
  if (other === undefined || !Number.isFinite(best)) return
  const is = best / other.working
  const verdict = aim === undefined ? '' : ` (aim ${aim}${is >= aim ? ', reached' : ', missed'})`
  print(`  ours : ${baseline}, rows a second: ${is < 10 ? is.toFixed(2) : is.toFixed(0)}${verdict}`)
}

function memory(place: string): void {
  const [last, before] = keptOf(place, 'ours')
  if (before === undefined || last === undefined) return
  const sizesShown = `${last.rows.toLocaleString('en')} : ${before.rows.toLocaleString('en')} rows`
  const is = last.peakMb / before.peakMb
  const aim = ` (aim at most 1.2${is <= 1.2 ? ', reached' : ', missed'})`
  print(`  peak memory, ${sizesShown}: ${is.toFixed(2)}${before.rows >= FLAT_FROM_ROWS ? aim : ''}`)
}

async function readKept(): Promise<Record<string, Kept>> {
  const text = await readFile(values.kept, 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, Kept>
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
