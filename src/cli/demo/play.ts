/**
 * The demo from beginning to end, on a composition that is open:
 *
 *     SQL files ─► harvest ┐
 *     query log ─► harvest ┼─► catalog ─► rows of two years ─► sizes ─► retention ─► sizes ─► lineage read back
 *     CSVs ──────► import  ┘
 *
 * Everything may be repeated: jobs find nothing to write, rows are loaded once.
 */
import type { IndexSize } from '../../client/operations.ts'
import { aspectId } from '../../client/sink.ts'
import { objectsAt } from '../../model/json.ts'
import { datasetParts } from '../../model/urn.ts'
import type { Clock } from '../../observe/clock.ts'
import type { Progress } from '../../observe/progress.ts'
import type { Headwater } from '../../main.ts'
import type { LineageGraph } from '../show/lineage-graph.ts'
import { readLineage } from '../show/read-lineage.ts'
import { firstRun, remember } from './first-run.ts'
import { carryOut, type DemoJob, type DemoRun } from './jobs.ts'
import { loadTimeseries } from './load-timeseries.ts'
import { timeseries } from './timeseries.ts'
import { exampleWarehouse, LAYERS, type Warehouse } from './warehouse.ts'

const TIMESERIES_ROWS = 200_000

export interface PlayOptions {
  readonly headwater: Pick<Headwater, 'parts' | 'clients'>
  /** The demo's own folder. */
  readonly folder: string
  readonly clock: Clock
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Told of each step that is done, for people. */
  readonly onDone: (what: string, durationMs: number) => void
}

export interface Played {
  readonly runs: readonly DemoRun[]
  readonly sizesBefore: readonly IndexSize[]
  readonly sizesAfter: readonly IndexSize[]
  readonly graph: LineageGraph
}

export async function play(options: PlayOptions): Promise<Played> {
  const { headwater, signal, clock } = options
  const warehouse = exampleWarehouse()
  const client = headwater.clients.client()
  const runs: DemoRun[] = []
  const run = async (job: DemoJob): Promise<void> => {
    const ended = await carryOut(headwater.parts, job, options)
    options.onDone(ended.label, ended.durationMs)
    runs.push(ended)
  }
  for (const job of writingJobs(warehouse)) await run(job)
  const began = clock.monotonic()
  const loaded = await loadOnce(warehouse, options)
  if (loaded > 0) options.onDone(`${loaded.toLocaleString('en')} timeseries rows`, clock.monotonic() - began)
  const sizesBefore = await client.timeseries.indexSizes(signal)
  await run({ label: 'retention', job: 'retention', input: { policy: warehouse.retentionPolicy } })
  const sizesAfter = await client.timeseries.indexSizes(signal)
  return { runs, sizesBefore, sizesAfter, graph: await readLineage(client, warehouse.tables, signal) }
}

function writingJobs(warehouse: Warehouse): readonly DemoJob[] {
  return [
    { label: 'harvest SQL files', job: 'harvest-lineage', input: { source: warehouse.folder } },
    { label: 'harvest query log', job: 'harvest-lineage', input: { source: warehouse.queryLog } },
    {
      label: 'import two CSVs',
      job: 'import-csv',
      input: {
        file: [warehouse.tagsCsv, warehouse.propertiesCsv],
        tags: warehouse.tags,
        definitions: warehouse.definitions,
      },
    },
  ]
}

/** @returns rows written; 0 where an earlier run of the demo has loaded them */
async function loadOnce(
  warehouse: Warehouse,
  { headwater, folder, clock, progress, signal }: PlayOptions,
): Promise<number> {
  const state = firstRun(folder, clock.now())
  if (state.loaded) return 0
  const client = headwater.clients.client()
  const keys = warehouse.tables.map((urn) => ({ urn, aspectName: 'schemaMetadata' }))
  const schemas = await client.read(keys, signal)
  const datasets = keys.map((key) => ({
    urn: key.urn,
    raw: datasetParts(key.urn).name.split('.')[1] === LAYERS[0],
    columns: objectsAt(schemas.get(aspectId(key))?.value, 'fields').length,
  }))
  const rows = timeseries({ datasets, until: state.startedMs, rows: TIMESERIES_ROWS })
  const written = await loadTimeseries(rows, {
    write: (batch) => client.write(batch, signal),
    total: TIMESERIES_ROWS,
    progress,
    signal,
  })
  remember(folder, { ...state, loaded: true })
  return written
}
