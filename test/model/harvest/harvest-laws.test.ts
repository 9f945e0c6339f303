/**
 * Laws of the harvest, over random repositories of SQL: what the catalog holds of an origin is what its files say now,
 * whatever they said before and whoever else writes.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JOBS } from '../../../jobs/index.ts'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { aspectId } from '../../../src/client/sink.ts'
import { upstreamsOf } from '../../../src/harvest/lineage-aspect.ts'
import { assertNever } from '../../../src/model/errors.ts'
import type { Proposal } from '../../../src/model/proposal.ts'
import { approvePlan } from '../../../src/runner/decide.ts'
import { objectsAt, textAt, type JsonObject } from '../../../src/model/json.ts'
import { asUrn, datasetUrn } from '../../../src/model/urn.ts'
import type { RunRow } from '../../../src/store/ledger/types.ts'
import { jobBench, type JobBench } from '../../support/job-bench.ts'
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

let bench: JobBench
let folder: TemporaryFolder
let client: CatalogClient
let between: ClientWithOthers
let worlds = 0

beforeAll(async () => {
  bench = await jobBench(JOBS, (url) => (between = new ClientWithOthers({ url })))
  folder = await temporaryFolder()
  client = new CatalogClient({ url: bench.catalog.url })
})

afterAll(async () => {
  await client.close()
  await bench[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

/** What the harvest speaks to the catalog by, beside others who write when it would rather be alone. */
class ClientWithOthers extends CatalogClient {
  /** False for a catalog whose answers tell no versions: nothing can be written on a condition. */
  tellsVersions = true
  /** What somebody else does between a read and the write that it was made for. */
  beforeWrite: (proposals: readonly Proposal[]) => Promise<void> = () => Promise.resolve()

  override get checksConditions(): boolean {
    return this.tellsVersions && super.checksConditions
  }

  override async read(...asked: Parameters<CatalogClient['read']>): ReturnType<CatalogClient['read']> {
    const stored = await super.read(...asked)
    if (this.tellsVersions) return stored
    return new Map(
      [...stored].map(([id, { value, runId }]) => [id, { value, ...(runId === undefined ? {} : { runId }) }]),
    )
  }

  override async write(...asked: Parameters<CatalogClient['write']>): Promise<void> {
    await this.beforeWrite(asked[0])
    await super.write(...asked)
  }
}

const TABLES = ['raw.r0', 'raw.r1', 'raw.r2', 'stg.s0', 'stg.s1', 'mart.m0', 'mart.m1', 'mart.m2']

/** A statement that we know the lineage of: what it writes, what it reads, and how. */
interface Statement {
  readonly kind: 'ctas' | 'insert' | 'view' | 'merge'
  readonly target: number
  readonly source: number
  readonly joined: number
}

const statement: fc.Arbitrary<Statement> = fc.record({
  kind: fc.constantFrom('ctas', 'insert', 'view', 'merge'),
  target: fc.integer({ min: 3, max: 7 }),
  source: fc.integer({ min: 0, max: 2 }),
  joined: fc.integer({ min: 0, max: 2 }),
})

function sqlOf({ kind, target, source, joined }: Statement): string {
  const [to, from, other] = [TABLES[target], TABLES[source], TABLES[joined]]
  const query = `select l.a as a, l.b + r.b as b from ${from} l join ${other} r on l.id = r.id`
  switch (kind) {
    case 'ctas':
      return `create table ${to} as ${query};`
    case 'view':
      return `create or replace view ${to} as ${query};`
    case 'insert':
      return `insert into ${to} (a, b) ${query};`
    case 'merge':
      return `merge into ${to} t using (${query}) s on t.id = s.a when matched then update set a = s.a, b = s.b;`
    default:
      return assertNever(kind)
  }
}

/** `downstream <- upstream`, tables and columns. */
function edgesOf({ target, source, joined }: Statement): readonly string[] {
  const [to, from, other] = [TABLES[target], TABLES[source], TABLES[joined]]
  return [
    `${to} <- ${from}`,
    `${to} <- ${other}`,
    `${to}.a <- ${from}.a`,
    `${to}.b <- ${from}.b`,
    `${to}.b <- ${other}.b`,
  ]
}

type Repository = ReadonlyMap<string, readonly Statement[]>

function edgesOfAll(repository: Repository): readonly string[] {
  return [...new Set([...repository.values()].flat().flatMap(edgesOf))].toSorted()
}

const FILES = ['a.sql', 'b.sql', 'c/d.sql', 'c/e.sql']
const repository: fc.Arbitrary<Repository> = fc
  .array(fc.tuple(fc.constantFrom(...FILES), fc.array(statement, { minLength: 1, maxLength: 3 })), { maxLength: 5 })
  .map((files) => new Map(files))

/** Tables of their own, a folder of their own: worlds do not see each other. */
class World {
  readonly instance = `w${worlds++}`

  urn(table: string): string {
    return datasetUrn({ platform: 'hive', instance: this.instance, name: table })
  }

  async write(origin: string, { files }: { readonly files: Repository }): Promise<string> {
    const source = join(folder.path, this.instance, origin)
    await rm(source, { recursive: true, force: true })
    await mkdir(join(source, 'c'), { recursive: true })
    // All tables are there, and a source without any SQL is refused as a whole.
    const tables = TABLES.map((table) => `create table ${table} (id int, a int, b int);`)
    await writeFile(join(source, 'zz.sql'), tables.join('\n'))
    for (const [file, statements] of files) await writeFile(join(source, file), statements.map(sqlOf).join('\n'))
    return source
  }

  async harvest(origin: string, files: Repository, more: object = {}): Promise<RunRow> {
    const source = await this.write(origin, { files })
    const input = { source, platform: 'hive', instance: this.instance, origin: `${this.instance}.${origin}`, ...more }
    const { run, applied } = await bench.run('harvest-lineage', input)
    const last = applied ?? run
    if (last.state !== 'succeeded') throw new Error(`${last.state}: ${JSON.stringify(last.error)}`)
    return last
  }

  /** Plans a harvest, and carries it out once `meanwhile` has come to its end. */
  async harvestInTwo(origin: string, files: Repository, meanwhile: () => Promise<void>): Promise<RunRow> {
    const source = await this.write(origin, { files })
    const input = { source, platform: 'hive', instance: this.instance, origin: `${this.instance}.${origin}` }
    const { plan } = await bench.run('harvest-lineage', input, 'plan')
    if (plan === undefined) throw new Error('nothing was planned')
    await meanwhile()
    const { run } = await approvePlan(bench.runner.parts, plan.id, 'test')
    return (await bench.runner.end(run.id)).run
  }

  /** Another tool's edge, written as it writes: the whole aspect, with what it found there. */
  async addForeignEdge(downstream: string, upstream: string): Promise<void> {
    const urn = asUrn(this.urn(downstream))
    const stored = await client.getAspect({ urn, aspectName: 'upstreamLineage' })
    const edge = {
      dataset: this.urn(upstream),
      type: 'TRANSFORMED',
      auditStamp: { time: 1, actor: 'urn:li:corpuser:x' },
    }
    const aspect = { ...stored?.value, upstreams: [...objectsAt(stored?.value, 'upstreams'), edge] }
    await client.write([
      { entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName: 'upstreamLineage', aspect },
    ])
  }

  async upstreamsOf(table: string): Promise<readonly unknown[]> {
    return objectsAt((await this.state()).get(table), 'upstreams').map((edge) => edge['dataset'])
  }

  /** What the catalog holds, without stamps and ids of runs. */
  async state(): Promise<ReadonlyMap<string, JsonObject>> {
    const keys = TABLES.map((table) => ({ urn: asUrn(this.urn(table)), aspectName: 'upstreamLineage' }))
    const stored = await client.read(keys)
    return new Map(
      TABLES.flatMap((table, at) => {
        const aspect = stored.get(aspectId(keys[at]!))?.value
        return aspect === undefined ? [] : [[table, aspect] as const]
      }),
    )
  }

  /** Edges of an origin, as `edgesOf` writes them. */
  async edges(origin: string): Promise<readonly string[]> {
    const own = `${this.instance}.${origin}`
    const queries = new Set<string>()
    const tables: string[] = []
    const columns: string[] = []
    for (const [table, aspect] of await this.state()) {
      for (const upstream of upstreamsOf(own, aspect)) tables.push(`${table} <- ${this.#short(upstream)}`)
      for (const edge of objectsAt(aspect, 'fineGrainedLineages')) {
        const query = textAt(edge, 'query') ?? ''
        queries.add(query)
        for (const from of edge['upstreams'] as readonly string[]) {
          const [to = ''] = edge['downstreams'] as readonly string[]
          columns.push(`${this.#short(to)} <- ${this.#short(from)}`)
        }
      }
    }
    return [...new Set([...tables, ...columns])].toSorted()
  }

  #short(urn: string): string {
    return urn
      .replace('urn:li:schemaField:(', '')
      .replace(`urn:li:dataset:(urn:li:dataPlatform:hive,${this.instance}.`, '')
      .replace(/,PROD\)/, '')
      .replace(/,/, '.')
      .replace(/\)$/, '')
  }

  async addManualEdge(downstream: string, upstream: string): Promise<void> {
    await bench.catalog.gql('mutation m($input: UpdateLineageInput!) { updateLineage(input: $input) }', {
      input: {
        edgesToAdd: [{ downstreamUrn: this.urn(downstream), upstreamUrn: this.urn(upstream) }],
        edgesToRemove: [],
      },
    })
  }
}

/** What differs between runs and between worlds. */
function plain(world: World, state: ReadonlyMap<string, JsonObject>): unknown {
  const text = JSON.stringify([...state], (key, value: unknown) =>
    ['auditStamp', 'created'].includes(key) ? null : value,
  )
  const same = JSON.parse(
    text
      .replaceAll(world.instance, 'W')
      .replaceAll(/(apply-plan|run)-\d{8}T[0-9a-z-]+/g, 'RUN')
      // Ids of queries hold a hash of their origin, whose name is another in each world.
      .replaceAll(/urn:li:query:headwater\.[0-9a-f]+\./g, 'QUERY.'),
  ) as readonly (readonly [string, JsonObject])[]
  // That a table once had lineage is no lineage.
  const filled = same.filter(([, aspect]) => objectsAt(aspect, 'upstreams').length > 0)
  return filled.map(([table, { fineGrainedLineages, ...aspect }]) => {
    const fields = (fineGrainedLineages as readonly JsonObject[]).map((edge) => JSON.stringify(edge))
    return [table, aspect, fields.toSorted()]
  })
}

const RUNS = { numRuns: Number(process.env['HEADWATER_LAW_RUNS'] ?? 3) }

test(
  'the catalog holds what the files say now; the same again writes nothing; full is as incremental',
  { timeout: 150_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(repository, { minLength: 2, maxLength: 3 }), async (versions) => {
        const world = new World()
        for (const files of versions) {
          await world.harvest('a', files)
          expect(await world.edges('a')).toEqual(edgesOfAll(files))
        }
        const files = versions.at(-1)!
        const before = await bench.versions()
        const again = await world.harvest('a', files)
        expect(again.balance.proposals.written).toBe(0)
        const full = await world.harvest('a', files, { full: true })
        expect(full.balance.proposals.written).toBe(0)
        expect(await bench.versions()).toEqual(before)
      }),
      RUNS,
    )
  },
)

test(
  'a file that goes takes its edges along and nothing else, manual ones on the same dataset stay',
  { timeout: 150_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(repository, fc.constantFrom(...FILES), async (files, gone) => {
        const world = new World()
        await world.harvest('a', files)
        // Edges that no file draws: of one that is there already a catalog keeps no second one, it stays the harvest's.
        await world.addManualEdge('mart.m0', 'mart.m1')
        await world.addManualEdge('stg.s0', 'stg.s1')
        const rest = new Map([...files].filter(([file]) => file !== gone))
        await world.harvest('a', rest)
        expect(await world.edges('a')).toEqual(edgesOfAll(rest))
        const state = await world.state()
        const datasets = (table: string) => objectsAt(state.get(table), 'upstreams').map((edge) => edge['dataset'])
        expect(datasets('mart.m0')).toContain(world.urn('mart.m1'))
        expect(datasets('stg.s0')).toContain(world.urn('stg.s1'))
      }),
      RUNS,
    )
  },
)

test('origins come to the same end whatever their order', { timeout: 150_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(repository, repository, repository), async ([first, later, other]) => {
      const [one, two] = [new World(), new World()]
      const inOrder = async (world: World, harvests: readonly (readonly [string, Repository])[]): Promise<void> => {
        for (const [origin, files] of harvests) await world.harvest(origin, files)
      }
      // Worlds do not see each other: while one waits for its queue the other is at work.
      await Promise.all([
        inOrder(one, [
          ['a', first],
          ['b', other],
          ['a', later],
        ]),
        inOrder(two, [
          ['b', first],
          ['b', other],
          ['a', later],
        ]),
      ])
      expect(plain(one, await one.state())).toEqual(plain(two, await two.state()))
    }),
    RUNS,
  )
})

/** Read by the files never, so that only another tool draws edges from them. */
const FOREIGN = ['mart.m2', 'mart.m1']
const DOWNSTREAMS = ['stg.s0', 'stg.s1', 'mart.m0'] as const

/** Two versions of a repository, of which only the later one writes to a table: its lineage is sure to change. */
function withNews(first: Repository, later: Repository, downstream: string): readonly [Repository, Repository] {
  const target = TABLES.indexOf(downstream)
  const rest = [...first].map(
    ([file, statements]) => [file, statements.filter((one) => one.target !== target)] as const,
  )
  const news: Statement = { kind: 'insert', target, source: 0, joined: 1 }
  return [new Map(rest), new Map([...later, ['c/news.sql', [news]]])]
}

test(
  'what another tool writes between plan and effect, and between read and write, is merged and not overwritten',
  { timeout: 150_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(repository, repository, fc.constantFrom(...DOWNSTREAMS), async (former, newer, downstream) => {
        const [first, later] = withNews(former, newer, downstream)
        const world = new World()
        await world.harvest('a', first)
        let raced = false
        between.beforeWrite = async (proposals) => {
          const isMeant = proposals.some(
            ({ entityUrn, aspectName }) => aspectName === 'upstreamLineage' && entityUrn === world.urn(downstream),
          )
          if (raced || !isMeant) return
          raced = true
          await world.addForeignEdge(downstream, FOREIGN[1]!)
        }
        try {
          const run = await world.harvestInTwo('a', later, () => world.addForeignEdge(downstream, FOREIGN[0]!))
          expect(run).toMatchObject({ state: 'succeeded', balance: { proposals: { refused: 0, dead: 0 } } })
        } finally {
          between.beforeWrite = () => Promise.resolve()
        }
        const upstreams = await world.upstreamsOf(downstream)
        expect(upstreams).toContain(world.urn(FOREIGN[0]!))
        expect(raced).toBe(true)
        expect(upstreams).toContain(world.urn(FOREIGN[1]!))
        expect(await world.edges('a')).toEqual(edgesOfAll(later))
      }),
      RUNS,
    )
  },
)

test(
  'a catalog that takes no conditions is asked anew before each write: what came in between plan and effect stays',
  { timeout: 150_000 },
  async () => {
    between.tellsVersions = false
    try {
      await fc.assert(
        fc.asyncProperty(repository, repository, fc.constantFrom(...DOWNSTREAMS), async (former, newer, downstream) => {
          const [first, later] = withNews(former, newer, downstream)
          const world = new World()
          await world.harvest('a', first)
          await world.harvestInTwo('a', later, () => world.addForeignEdge(downstream, FOREIGN[0]!))
          expect(await world.upstreamsOf(downstream)).toContain(world.urn(FOREIGN[0]!))
          expect(await world.edges('a')).toEqual(edgesOfAll(later))
        }),
        RUNS,
      )
    } finally {
      between.tellsVersions = true
    }
  },
)
