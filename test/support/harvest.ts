import { tmpdir } from 'node:os'
import { afterAll } from 'vitest'
import { type AspectChange, BARRIER } from '../../src/client/change.ts'
import type { StatementReject } from '../../src/harvest/account.ts'
import { changeOf } from '../../src/harvest/aspects.ts'
import type { LineageReader } from '../../src/harvest/analyse.ts'
import type { DatasetCatalog } from '../../src/harvest/catalog-names.ts'
import { HarvestState } from '../../src/harvest/harvest-state.ts'
import { harvestIntents, type HarvestSettings } from '../../src/harvest/harvest.ts'
import { emptyReport, type HarvestReport } from '../../src/harvest/found.ts'
import { openLineageReader } from '../../src/harvest/reader.ts'
import type { HarvestMemory } from '../../src/harvest/unit-memory.ts'
import type { JsonValue } from '../../src/model/json.ts'

/** What a harvest is asked for where a test says nothing else. */
export const HARVEST_SETTINGS = {
  format: 'auto',
  origin: 'test',
  schemas: true,
  queries: true,
  adds: false,
  takesAway: true,
  grace: 0,
  full: false,
  unknownTables: 'stub',
  sessionGapMinutes: 30,
  temporary: [],
  mask: false,
  statementLength: 20_000,
  usage: false,
  readQueries: false,
  partial: false,
} as const satisfies Partial<HarvestSettings>

/** A catalog without anything in it. */
export const EMPTY_CATALOG: DatasetCatalog = {
  read: async () => new Map(),
  write: async () => {},
  async *scrollDatasets() {},
}

/** Facts that outlive a run, as long as the test runs. */
export class TestMemory implements HarvestMemory {
  readonly values = new Map<string, JsonValue>()

  read(keys: readonly string[]): Promise<ReadonlyMap<string, JsonValue>> {
    return Promise.resolve(new Map(keys.flatMap((key) => (this.values.has(key) ? [[key, this.values.get(key)!]] : []))))
  }

  async *scan(prefix: string): AsyncGenerator<readonly (readonly [string, JsonValue])[]> {
    yield [...this.values].filter(([key]) => key.startsWith(prefix)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  }

  async *keys(prefix: string): AsyncGenerator<readonly string[]> {
    yield [...this.values.keys()].filter((key) => key.startsWith(prefix)).toSorted()
  }

  write(entries: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
    for (const [key, value] of entries) {
      if (value === undefined) this.values.delete(key)
      else this.values.set(key, structuredClone(value))
    }
    return Promise.resolve()
  }
}

export interface TestHarvest {
  readonly changes: readonly AspectChange[]
  readonly report: HarvestReport
  readonly rejects: readonly StatementReject[]
  readonly counts: Readonly<Record<string, number>>
}

/** One for all tests of a file: a worker thread takes its time to start. */
let reader: ReturnType<typeof openLineageReader> | undefined

afterAll(async () => {
  await reader?.close()
  reader = undefined
})

/** One harvest, with what it wants to write; `memory` is left as if all of it had been written. */
export async function harvested(
  settings: Partial<HarvestSettings> & Pick<HarvestSettings, 'source'>,
  {
    sink = EMPTY_CATALOG,
    memory = new TestMemory(),
    run = 'run-1',
    environment = {},
    signal = new AbortController().signal,
    reader: ownReader,
  }: {
    readonly reader?: LineageReader
    readonly sink?: DatasetCatalog
    readonly memory?: TestMemory
    readonly run?: string
    readonly environment?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  } = {},
): Promise<TestHarvest> {
  const asked: HarvestSettings = { ...HARVEST_SETTINGS, ...settings }
  if (ownReader === undefined) reader ??= openLineageReader({ threads: 1 })
  const reads = ownReader ?? reader
  if (reads === undefined) throw new TypeError('no reader')
  const report = emptyReport()
  const rejects: StatementReject[] = []
  const counts: Record<string, number> = {}
  const changes: AspectChange[] = []
  const facts = new Map<string, JsonValue | undefined>()
  const author = { origin: asked.origin, run, stamp: { time: 1, actor: 'urn:li:corpuser:x' } }
  const intents = harvestIntents(
    asked,
    {
      sink,
      reader: reads,
      memory,
      environment,
      scratchFolder: tmpdir(),
      state: await HarvestState.open(memory, asked.origin),
      runId: run,
      nowMs: 1,
      signal,
      records: (add) => {
        for (const [key, count] of Object.entries(add)) counts[key] = (counts[key] ?? 0) + (count ?? 0)
      },
      reject: (...more) => Promise.resolve(void rejects.push(...more)),
      remember: (key, value) => Promise.resolve(void facts.set(key, value)),
    },
    report,
  )
  for await (const intent of intents) if (intent !== BARRIER) changes.push(changeOf(intent, author))
  await memory.write(facts)
  return { changes, report, rejects, counts }
}
