import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Catalog } from '../../src/catalog/catalog.ts'
import { objectsOf, textOf } from '../../src/model/json.ts'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn, type Urn } from '../../src/model/urn.ts'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'
import { Model } from './catalog-model.ts'

/**
 * Random commands against the catalog and a model of a few lines; after each command the two must agree. A failure
 * prints the seed and the shortest sequence found; HEADWATER_MODEL_SEED runs the same again. CI runs 2,000 (.ci/run).
 *
 *   lanes, each with a database of its own and two catalogs on it ─► sequences, each with datasets of its own
 *     ─► command on one of the catalogs and on the model ─► looked at through the other catalog: records of all datasets,
 *        lineage and events of the one touched and of one more; at the end of all
 *
 * So each command is also an interleaving of two replicas: a write of one is seen by the next read of the other.
 *
 * Truncation reaches the events of all sequences of a lane, which is why a lane has one sequence at a time.
 */
const RUNS = Number(process.env['HEADWATER_MODEL_RUNS'] ?? 100)
const SEED = Number(process.env['HEADWATER_MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const LANES = 4
const ACTOR = asUrn('urn:li:corpuser:model')
const TAGS = ['urn:li:tag:a', 'urn:li:tag:b', 'urn:li:tag:c'] as const
const DATASETS = 5

interface Lane {
  readonly first: TestCatalog
  readonly catalogs: readonly [Catalog, Catalog]
}
const lanes: Lane[] = []
beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++) {
    const c = await testCatalog()
    lanes.push({ first: c, catalogs: [c.catalog, c.replica()] })
    for (const tag of TAGS) await c.put(tag, { tagProperties: { name: tag } })
    // The first event makes the table.
    await c.put(hive('model.first'), { operation: operationAt(1) })
  }
})
afterAll(async () => {
  for (const { first } of lanes) await first[Symbol.asyncDispose]()
})

const operationAt = (time: number) => ({
  timestampMillis: time,
  operationType: 'INSERT',
  lastUpdatedTimestamp: time,
})

const dataset = fc.integer({ min: 0, max: DATASETS - 1 })
const anyTag = fc.constantFrom(...TAGS)
const time = fc.integer({ min: 1, max: 9 })
const command = fc.oneof(
  fc.record({ do: fc.constant('setTags' as const), dataset, tags: fc.uniqueArray(anyTag) }),
  fc.record({ do: fc.constant('addTag' as const), dataset, tag: anyTag }),
  fc.record({ do: fc.constant('removeTag' as const), dataset, tag: anyTag }),
  fc.record({
    do: fc.constant('patchTag' as const),
    dataset,
    tag: anyTag,
    op: fc.constantFrom('add' as const, 'remove' as const),
  }),
  fc.record({ do: fc.constant('setUpstreams' as const), dataset, upstreams: fc.uniqueArray(dataset) }),
  fc.record({ do: fc.constant('addEdge' as const), dataset, upstream: dataset }),
  fc.record({ do: fc.constant('removeEdge' as const), dataset, upstream: dataset }),
  fc.record({ do: fc.constant('hide' as const), dataset, removed: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), dataset }),
  fc.record({ do: fc.constant('event' as const), dataset, time }),
  fc.record({
    do: fc.constant('truncate' as const),
    time,
    // A rebuild makes and drops tables: twenty times the cost of any other command. CI still has some 150 of them.
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant('delete' as const) },
      { weight: 1, arbitrary: fc.constant('rebuild' as const) },
    ),
  }),
)
/** A command, and which of the two catalogs carries it out. */
const step = fc.record({ one: command, on: fc.constantFrom(0 as const, 1 as const) })
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

test(
  'the catalog remembers what a tiny model remembers, after any sequence of commands',
  async () => {
    const each = Math.ceil(RUNS / LANES)
    const ran = await Promise.all(lanes.map((lane, index) => runLane(lane, SEED + index, each)))
    expect(ran).toEqual(lanes.map(() => each))
  },
  20 * 60_000,
)

/** @returns how many sequences were run */
async function runLane({ first, catalogs }: Lane, seed: number, numRuns: number): Promise<number> {
  let sequence = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const urns = Array.from({ length: DATASETS }, (_, index) => asUrn(hive(`model.${sequence}.${index}`)))
      sequence++
      await first.database.execute('delete from catalog.ts_dataset_operation')
      const model = new Model()
      for (const [number, { one, on }] of steps.entries()) {
        const [writer, reader] = on === 0 ? catalogs : [catalogs[1], catalogs[0]]
        await run(writer, model, urns, one)
        const touched =
          one.do === 'truncate' ? urns : [at(urns, one.dataset), at(urns, (one.dataset + number) % DATASETS)]
        expect(await observed(reader, urns, touched)).toEqual(predicted(model, urns, touched))
      }
      expect(await observed(catalogs[0], urns, urns)).toEqual(predicted(model, urns, urns))
    }),
    { numRuns, seed },
  )
  return sequence
}

const at = (urns: readonly Urn[], index: number): Urn => urns[index] as Urn

/** Carries a command out on both; a refusal must be what the model expects. */
async function run(catalog: Catalog, model: Model, urns: readonly Urn[], one: Command): Promise<void> {
  if (one.do === 'truncate') return truncate(catalog, model, one)
  const urn = at(urns, one.dataset)
  const known = model.get(urn)
  const ingest = (aspectName: string, aspect: Proposal['aspect'] & {}, changeType: Proposal['changeType'] = 'UPSERT') =>
    catalog.ingest([{ entityType: 'dataset', entityUrn: urn, changeType, aspectName, aspect }], ACTOR)
  switch (one.do) {
    case 'setTags':
      await ingest('globalTags', { tags: one.tags.map((tag) => ({ tag })) })
      return model.put(urn, { tags: one.tags })
    case 'addTag':
      if (!(await refusedUnless(known !== undefined, catalog.tags.add([asUrn(one.tag)], [{ resource: urn }], ACTOR))))
        return
      return model.put(urn, { tags: [...new Set([...(known?.tags ?? []), one.tag])] })
    case 'removeTag':
      if (
        !(await refusedUnless(known !== undefined, catalog.tags.remove([asUrn(one.tag)], [{ resource: urn }], ACTOR)))
      )
        return
      return model.put(urn, { tags: (known?.tags ?? []).filter((tag) => tag !== one.tag) })
    case 'patchTag': {
      const value = one.op === 'add' ? { value: { tag: one.tag } } : {}
      await ingest('globalTags', { patch: [{ op: one.op, path: `/tags/${one.tag}`, ...value }] }, 'PATCH')
      const rest = (known?.tags ?? []).filter((tag) => tag !== one.tag)
      const kept = known?.tags.includes(one.tag) === true ? known.tags : [...rest, one.tag]
      return model.put(urn, { tags: one.op === 'add' ? kept : rest })
    }
    case 'setUpstreams': {
      const upstreams = one.upstreams.map((index) => at(urns, index))
      await ingest('upstreamLineage', { upstreams: upstreams.map((upstream) => ({ dataset: upstream, type: 'COPY' })) })
      return model.put(urn, { upstreams })
    }
    case 'addEdge': {
      const upstream = at(urns, one.upstream)
      const edge = { downstreamUrn: urn, upstreamUrn: upstream }
      const allowed = known !== undefined && model.get(upstream) !== undefined
      if (!(await refusedUnless(allowed, catalog.lineage.update({ add: [edge], remove: [] }, ACTOR)))) return
      return model.put(urn, { upstreams: [...new Set([...(known?.upstreams ?? []), upstream])] })
    }
    case 'removeEdge': {
      const upstream = at(urns, one.upstream)
      const edge = { downstreamUrn: urn, upstreamUrn: upstream }
      if (!(await refusedUnless(known !== undefined, catalog.lineage.update({ add: [], remove: [edge] }, ACTOR))))
        return
      return model.put(urn, { upstreams: (known?.upstreams ?? []).filter((other) => other !== upstream) })
    }
    case 'hide':
      await ingest('status', { removed: one.removed })
      return model.put(urn, { removed: one.removed })
    case 'delete':
      await catalog.deletion.entity(urn, ACTOR)
      return model.delete(urn)
    case 'event':
      await ingest('operation', operationAt(one.time))
      return model.put(urn, { events: new Set([...(known?.events ?? []), one.time]) })
  }
}

async function truncate(catalog: Catalog, model: Model, one: Extract<Command, { do: 'truncate' }>): Promise<void> {
  const index = catalog.timeseries.indexNamed('dataset', 'operation')
  const { older, total } = await catalog.timeseries.count(index, one.time)
  expect(older).toBe(model.truncate(one.time))
  const id = await catalog.timeseries.start({
    index,
    cutoffMs: one.time,
    batchSize: 2,
    expected: older,
    total,
    method: one.method,
  })
  let task = await catalog.timeseries.task(id)
  // The other lanes have the processor meanwhile.
  while (task?.state === 'running') task = await sleep(2).then(() => catalog.timeseries.task(id))
  expect([task?.state, task?.deleted]).toEqual(['completed', older])
}

/** @returns whether the call succeeded, which must be as expected */
async function refusedUnless(allowed: boolean, call: Promise<void>): Promise<boolean> {
  const done = await call.then(
    () => true,
    (error: { code?: string }) => error.code !== 'ENTITY_NOT_FOUND',
  )
  expect(done).toBe(allowed)
  return done
}

/** @param closely the datasets of which lineage and events are looked at too */
function predicted(model: Model, urns: readonly Urn[], closely: readonly Urn[]) {
  return urns.map((urn) => {
    const known = model.get(urn)
    const tags = known === undefined ? {} : { tags: known.tags }
    if (!closely.includes(urn)) return { urn, ...tags }
    const events = [...(known?.events ?? [])].toSorted((a, b) => a - b)
    return { urn, ...tags, up: model.reach(urn, 'upstream'), down: model.reach(urn, 'downstream'), events }
  })
}

async function observed(catalog: Catalog, urns: readonly Urn[], closely: readonly Urn[]) {
  const records = catalog.read.entities(urns)
  return Promise.all(
    urns.map(async (urn) => {
      const [more, all] = await Promise.all([closely.includes(urn) ? close(catalog, urn) : {}, records])
      const record = all.get(urn)
      const tags = record && objectsOf(record.aspects.get('globalTags')?.value.tags).map((one) => textOf(one.tag))
      return { urn, ...(tags === undefined ? {} : { tags }), ...more }
    }),
  )
}

async function close(catalog: Catalog, urn: Urn) {
  const reach = async (direction: 'upstream' | 'downstream') => {
    const found = await catalog.lineage.search({ urn, direction, query: '*' }, { start: 0, count: 100 })
    return Object.fromEntries(found.hits.map((hit) => [hit.urn, hit.degree]))
  }
  const [up, down, events] = await Promise.all([
    reach('upstream'),
    reach('downstream'),
    catalog.timeseries.events({ urn, aspect: 'operation', limit: 100, oldestFirst: true }),
  ])
  return { up, down, events: events.map((event) => event.value.timestampMillis) }
}
