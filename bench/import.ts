/**
 * What a bulk import costs, each figure beside its baseline in the same run: `npm run bench:import`.
 *
 *   csv-enricher   DataHub's own, PATCH, where HEADWATER_SDK_PYTHON names a Python with acryl-datahub
 *   serial loop    one read and one write for each row and aspect, by our own client
 *   raw batches    batches made beforehand and posted: what the catalog can take
 *
 * Against a stub that answers at once or after 5 ms, and against our catalog. Ours is the whole command, from its start
 * to its end, with a PostgreSQL of its own that it sets up first; `working` leaves that start out. Where cores are few
 * and busy read the ratios.
 *
 *   --rows 20000                        of the baselines
 *   --sizes 100000,1000000,10000000     of ours
 *   --only stub0,stub5,catalog
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPiece } from '../test/chaos/kit/piece.ts'
import { aspectsOf, writeRows } from './import/rows.ts'
import { csvEnricher, ours, rawBatches, serialLoop, type Errand } from './import/subjects.ts'
import type { Took } from './kit/measure.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    sizes: { type: 'string', default: '100000,1000000,10000000' },
    only: { type: 'string', default: 'stub0,stub5,catalog' },
  },
})
const baselineRows = Number(values.rows)
const sizes = values.sizes.split(',').map(Number)
const wanted = new Set(values.only.split(','))

const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'))
let errands = 0
try {
  if (wanted.has('stub0')) await againstStub(0, { enricher: 30 })
  if (wanted.has('stub5')) await againstStub(5, { enricher: 120, serial: 80 })
  if (wanted.has('catalog')) await againstCatalog()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function againstStub(
  delayMs: number,
  aims: { readonly enricher: number; readonly serial?: number },
): Promise<void> {
  print(`\na stub that answers ${delayMs === 0 ? 'at once' : `after ${delayMs} ms`}`)
  await using stub = startPiece({ script: 'bench/import/stub.ts', args: [String(delayMs)] })
  const [, url = ''] = await stub.line(/listening on (\S+)/)
  const runs: Row[] = []
  const enricher = csvEnricher && (await row('csv-enricher', csvEnricher, baselineRows, url))
  if (csvEnricher === undefined) print('  csv-enricher   skipped: HEADWATER_SDK_PYTHON is not set')
  const serial = await row('serial loop', serialLoop, baselineRows, url)
  for (const size of sizes) runs.push(await row('ours', ours, size, url))
  const best = Math.max(...runs.map((run) => run.working))
  if (enricher !== undefined) ratio('ours : csv-enricher', best / enricher.working, aims.enricher)
  ratio('ours : serial loop', best / serial.working, aims.serial)
  memory(runs)
}

async function againstCatalog(): Promise<void> {
  print('\nour catalog, in a process of its own')
  const data = join(folder, 'catalog')
  const args = ['catalog', 'serve', '--port', '0', '--data', data, '--quiet']
  await using catalog = startPiece({ script: 'headwater', args })
  const [, url = ''] = await catalog.line(/listening on (\S+)/)
  const size = sizes[0] ?? baselineRows
  const raw = await row('raw batches', rawBatches, size, url)
  const serial = await row('serial loop', serialLoop, Math.min(baselineRows, 5000), url)
  const own = await row('ours', ours, size, url)
  ratio('ours : raw batches, of the write rate', own.working / raw.working, 0.4)
  ratio('ours : serial loop', own.working / serial.working)
}

interface Row extends Took {
  readonly rows: number
  /** Rows a second without the start of the command. */
  readonly working: number
}

async function row(
  name: string,
  subject: (errand: Errand) => Promise<Took>,
  rows: number,
  catalogUrl: string,
): Promise<Row> {
  const own = join(folder, String(errands++))
  await mkdir(own)
  const file = join(own, 'rows.csv')
  await writeRows(file, rows)
  await requestsOf(catalogUrl)
  const took = await subject({ file, catalogUrl, folder: own })
  const requests = await requestsOf(catalogUrl)
  await rm(own, { recursive: true, force: true })
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
  return { ...took, rows, working: rows / seconds }
}

/** How often the stub was asked since the last time; undefined where it is a catalog. */
async function requestsOf(url: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/counts`)
  const text = await answer.text()
  return answer.ok ? (JSON.parse(text) as { readonly requests: number }).requests : undefined
}

function ratio(name: string, found: number, aim?: number): void {
  const verdict = aim === undefined ? '' : ` (aim ${aim}${found >= aim ? ', reached' : ', missed'})`
  print(`  ${name}: ${found < 10 ? found.toFixed(2) : found.toFixed(0)}${verdict}`)
}

function memory(runs: readonly Row[]): void {
  const [before, last] = runs.slice(-2)
  if (before === undefined || last === undefined) return
  const sizesShown = `${last.rows.toLocaleString('en')} : ${before.rows.toLocaleString('en')} rows`
  const found = last.peakMb / before.peakMb
  print(`  peak memory, ${sizesShown}: ${found.toFixed(2)} (aim at most 1.2${found <= 1.2 ? ', reached' : ', missed'})`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
