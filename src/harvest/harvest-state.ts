/**
 * What one origin's harvests leave for the next: which datasets hold its edges (so that what is gone is found without
 * searching the catalog), since when an edge is missing (grace), how far logs were read, and what was understood. It is
 * read when a harvest is planned and written when it was carried out; what it says may be lost without harm but time:
 * a full harvest asks the catalog.
 */
import { isJsonObject, numberAt, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import type { DatasetUrn } from '../model/urn.ts'
import type { DatasetLineage } from './fold.ts'
import type { Coverage } from './coverage.ts'
import type { CarriedSession } from './log/sessions.ts'
import type { SourcePosition } from './sql-unit.ts'
import type { HarvestMemory } from './unit-memory.ts'

/** Upstreams of a dataset, with the number of the harvest that first missed them; 0 for those that are there. */
type Edges = Readonly<Record<string, number>>

/** Sessions that are carried to the next run, characters of their JSON. */
const MAX_SESSIONS = 8 * 1024 * 1024

/** Harvests whose coverage is remembered. */
const MAX_TREND = 30

/** What a harvest understood. */
export interface CoveragePoint extends Coverage {
  readonly run: string
  readonly atMs: number
}

interface Understood {
  readonly run: string
  readonly atMs: number
  /** Absent where it says nothing of the origin as a whole. */
  readonly coverage: Coverage | undefined
}

export class HarvestState {
  readonly #memory: HarvestMemory
  readonly #origin: string
  /** Harvests that were carried out before. */
  readonly harvests: number
  /** The run of the last of them. */
  readonly lastRun: string | undefined
  /** Where the source of that one lay. */
  readonly source: string | undefined
  readonly coverage: Coverage | undefined
  /** Coverage of the last harvests, oldest first. */
  readonly trend: readonly CoveragePoint[]
  readonly positions: ReadonlyMap<string, SourcePosition>
  /** Datasets that hold edges of this origin. */
  readonly datasets: ReadonlyMap<DatasetUrn, Edges>
  /** Whether the catalog keeps whose an edge is; undefined until something was written. */
  readonly keepsOrigins: boolean | undefined
  /** Of what this origin found, what somebody else had drawn before. */
  readonly #foreign: ReadonlyMap<DatasetUrn, readonly string[]>

  private constructor(
    memory: HarvestMemory,
    origin: string,
    row: JsonObject | undefined,
    {
      datasets,
      foreign,
      keepsOrigins,
    }: Pick<HarvestState, 'datasets' | 'keepsOrigins'> & {
      readonly foreign: ReadonlyMap<DatasetUrn, readonly string[]>
    },
  ) {
    this.#memory = memory
    this.#origin = origin
    this.harvests = numberAt(row, 'harvests') ?? 0
    this.lastRun = textAt(row, 'lastRun')
    this.source = textAt(row, 'source')
    this.coverage = row?.['coverage'] as unknown as Coverage | undefined
    this.trend = objectsAt(row, 'trend') as unknown as readonly CoveragePoint[]
    this.positions = new Map(
      objectsAt(row, 'positions').map((position) => [textAt(position, 'file') ?? '', readPosition(position)]),
    )
    this.datasets = datasets
    this.#foreign = foreign
    this.keepsOrigins = keepsOrigins
  }

  static async open(memory: HarvestMemory, origin: string): Promise<HarvestState> {
    const facts = await memory.read([stateKey(origin), keepsKey(origin)])
    const stored = facts.get(stateKey(origin))
    const keeps = facts.get(keepsKey(origin))
    return new HarvestState(memory, origin, isJsonObject(stored) ? stored : undefined, {
      keepsOrigins: typeof keeps === 'boolean' ? keeps : undefined,
      // We wrote both.
      datasets: await factsBelow<Edges>(memory, datasetPrefix(origin)),
      foreign: await factsBelow<readonly string[]>(memory, foreignPrefix(origin)),
    })
  }

  /** Upstreams that this origin drew, where the catalog does not keep it; undefined where it does, or may do. */
  held(dataset: DatasetUrn): readonly string[] | undefined {
    if (this.keepsOrigins !== false) return undefined
    const foreign = this.#foreign.get(dataset) ?? []
    return Object.keys(this.datasets.get(dataset) ?? {}).filter((upstream) => !foreign.includes(upstream))
  }

  /** What is to be remembered of edges that are found and that somebody else drew, where that is other than it was. */
  foreignFact(
    dataset: DatasetUrn,
    upstreams: readonly string[],
  ): readonly [key: string, value: JsonValue | undefined] | undefined {
    const former = this.#foreign.get(dataset) ?? []
    if (this.keepsOrigins === true || former.join('\u0000') === upstreams.join('\u0000')) return undefined
    return [`${foreignPrefix(this.#origin)}${dataset}`, upstreams.length === 0 ? undefined : [...upstreams]]
  }

  /** To be remembered once it is known. */
  keepsFact(keeps: boolean): readonly [key: string, value: JsonValue] {
    return [keepsKey(this.#origin), keeps]
  }

  /** Sessions that the last harvest of a log left open. */
  async sessions(): Promise<readonly CarriedSession[]> {
    const key = sessionsKey(this.#origin)
    const stored: unknown = (await this.#memory.read([key])).get(key)
    // We wrote it.
    return Array.isArray(stored) ? (stored as readonly CarriedSession[]) : []
  }

  /** Upstreams of a dataset that were not found, and stay for `grace` harvests. */
  spared(dataset: DatasetUrn, found: ReadonlySet<string>, grace: number): readonly string[] {
    const now = this.harvests + 1
    return Object.entries(this.datasets.get(dataset) ?? {})
      .filter(([upstream, since]) => !found.has(upstream) && now - (since === 0 ? now : since) < grace)
      .map(([upstream]) => upstream)
  }

  /** What is to be remembered of a dataset, where that is other than it was; undefined to forget it. */
  datasetFact(
    dataset: DatasetUrn,
    lineage: DatasetLineage,
    rules: { readonly spared: readonly string[]; readonly adds: boolean },
  ): readonly [key: string, value: JsonValue | undefined] | undefined {
    const former = this.datasets.get(dataset)
    const now = this.harvests + 1
    const spared = rules.spared.map((upstream) => [upstream, former?.[upstream] || now] as const)
    const found = [...lineage.upstreams.keys()].map((upstream) => [upstream, 0] as const)
    const edges: Edges = { ...(rules.adds ? former : {}), ...Object.fromEntries(spared), ...Object.fromEntries(found) }
    if (former !== undefined && sameEdges(former, edges)) return undefined
    const key = `${datasetPrefix(this.#origin)}${dataset}`
    return [key, Object.keys(edges).length === 0 ? undefined : { ...edges }]
  }

  #understood({ run, atMs, coverage }: Understood): JsonObject {
    const trend = coverage === undefined ? this.trend : [...this.trend, { run, atMs, ...coverage }].slice(-MAX_TREND)
    const last = coverage ?? this.coverage
    return { ...(last === undefined ? {} : { coverage: { ...last } }), trend: trend.map((point) => ({ ...point })) }
  }

  /** What is to be remembered of the harvest as a whole. */
  *stateFacts(
    next: Understood & {
      readonly source: string | undefined
      readonly positions: Iterable<SourcePosition>
      readonly sessions: readonly CarriedSession[]
    },
  ): Generator<readonly [key: string, value: JsonValue | undefined]> {
    const positions = new Map(this.positions)
    for (const position of next.positions) positions.set(position.file, position)
    const state = {
      harvests: this.harvests + 1,
      lastRun: next.run,
      ...(next.source === undefined ? {} : { source: next.source }),
      ...this.#understood(next),
      positions: [...positions.values()].map((position) => ({ ...position })),
    }
    yield [stateKey(this.#origin), state]
    const sessions = boundedSessions(next.sessions)
    yield [sessionsKey(this.#origin), sessions.length === 0 ? undefined : (sessions as unknown as JsonValue)]
  }
}

function readPosition(position: JsonObject): SourcePosition {
  return {
    file: textAt(position, 'file') ?? '',
    bytes: numberAt(position, 'bytes') ?? 0,
    lines: numberAt(position, 'lines') ?? 0,
    head: textAt(position, 'head') ?? '',
  }
}

/** Whether a fact may be written before the catalog was: that a dataset may hold edges is never too much. */
export function isEarlyFact([key, value]: readonly [string, JsonValue | undefined]): boolean {
  return value !== undefined && (key.includes('/dataset/') || key.includes('/foreign/'))
}

async function factsBelow<Fact>(memory: HarvestMemory, prefix: string): Promise<ReadonlyMap<DatasetUrn, Fact>> {
  const facts = new Map<DatasetUrn, Fact>()
  for await (const page of memory.scan(prefix)) {
    for (const [key, value] of page) facts.set(key.slice(prefix.length) as DatasetUrn, value as Fact)
  }
  return facts
}

function stateKey(origin: string): string {
  return `${origin}/state`
}

function keepsKey(origin: string): string {
  return `${origin}/keeps-origins`
}

function foreignPrefix(origin: string): string {
  return `${origin}/foreign/`
}

function sessionsKey(origin: string): string {
  return `${origin}/sessions`
}

function datasetPrefix(origin: string): string {
  return `${origin}/dataset/`
}

function sameEdges(a: Edges, b: Edges): boolean {
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}

/** The youngest sessions, as many as are worth keeping. */
function boundedSessions(sessions: readonly CarriedSession[]): readonly CarriedSession[] {
  const kept: CarriedSession[] = []
  let size = 0
  for (const session of sessions.toReversed()) {
    size += JSON.stringify(session).length
    if (size > MAX_SESSIONS) break
    kept.push(session)
  }
  return kept.toReversed()
}
