import { array, asyncProperty, assert, boolean, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import { hive, proposalOf } from '../../support/catalog.ts'
import { testDatabase, urlOf } from '../../support/embedded.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startPiece } from '../kit/piece.ts'

/**
 * Two catalog processes on one database: 200 pairs, each a random write by one and at once the read that shows it by the
 * other (ARCHITECTURE: replicas keep nothing but the lineage graph, which follows the change log).
 */
const PAIRS = 200
const DATASETS = 6

const SEARCH = `query s($urn: String!, $direction: LineageDirection!) {
  searchAcrossLineage(input: {query: "*", urn: $urn, start: 0, count: 100, direction: $direction}) {
    searchResults { entity { urn } } } }`
const TAGS = 'query t($urn: String!) { dataset(urn: $urn) { exists tags { tags { tag { urn } } } } }'
const FOUND = 'query f($q: String!) { searchAcrossEntities(input: {types: [DATASET], query: $q}) { total } }'
const UPDATE = 'mutation u($input: UpdateLineageInput!) { updateLineage(input: $input) }'

const dataset = (n: number) => hive(`replicas.t${n}`)

/** One of the processes, as its clients see it. */
function clientOf(url: string) {
  async function call(path: string, body: object): Promise<Record<string, never>> {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const json = (await answer.json()) as Record<string, never>
    if (!answer.ok || 'errors' in json) throw new Error(`${path} ${answer.status} ${JSON.stringify(json)}`)
    return json
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  const gql = async (query: string, variables: object): Promise<any> =>
    (await call('/api/graphql', { query, variables })).data
  return {
    gql,
    write: (urn: string, aspect: string, value: object) =>
      call('/aspects?action=ingestProposal', { proposal: proposalOf(urn, aspect, value) }),
    // oxlint-disable-next-line typescript/no-explicit-any -- as above
    action: (path: string, body: object): Promise<any> => call(path, body),
    reached: async (urn: string, direction: string): Promise<string[]> =>
      (await gql(SEARCH, { urn, direction })).searchAcrossLineage.searchResults
        .map((hit: { entity: { urn: string } }) => hit.entity.urn)
        .toSorted(),
  }
}
type Client = ReturnType<typeof clientOf>

/** What both processes must show. */
class World {
  readonly upstreams = new Map<number, Set<number>>()
  readonly tags = new Map<number, Set<string>>()
  events = 0

  downstreamOf(start: number): string[] {
    const reached = new Set<number>()
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const [down, ups] of this.upstreams) {
        if (!ups.has(at) || reached.has(down) || down === start) continue
        reached.add(down)
        open.push(down)
      }
    }
    return [...reached].map(dataset).toSorted()
  }
}

const PAIR: Record<string, (world: World, writer: Client, reader: Client, a: number, b: number) => Promise<void>> = {
  async edge(world, writer, reader, a, b) {
    const ups = world.upstreams.get(a) ?? new Set()
    const edge = { downstreamUrn: dataset(a), upstreamUrn: dataset(b) }
    const has = ups.delete(b)
    if (!has) ups.add(b)
    world.upstreams.set(a, ups)
    const input = has ? { edgesToAdd: [], edgesToRemove: [edge] } : { edgesToAdd: [edge], edgesToRemove: [] }
    await writer.gql(UPDATE, { input })
    expect(await reader.reached(dataset(b), 'DOWNSTREAM')).toEqual(world.downstreamOf(b))
  },
  async tag(world, writer, reader, a, b) {
    const tags = world.tags.get(a) ?? new Set()
    const [tagUrn, resourceUrn] = [`urn:li:tag:replicas${b}`, dataset(a)]
    const has = tags.delete(tagUrn)
    if (!has) tags.add(tagUrn)
    world.tags.set(a, tags)
    const name = has ? 'removeTag' : 'addTag'
    await writer.gql(`mutation m($input: TagAssociationInput!) { ${name}(input: $input) }`, {
      input: { tagUrn, resourceUrn },
    })
    const { tags: read } = (await reader.gql(TAGS, { urn: resourceUrn })).dataset
    expect(read.tags.map((one: { tag: { urn: string } }) => one.tag.urn).toSorted()).toEqual([...tags].toSorted())
  },
  async hide(_, writer, reader, a) {
    for (const removed of [true, false]) {
      await writer.write(dataset(a), 'status', { removed })
      expect((await reader.gql(FOUND, { q: `replicas_number_${a}` })).searchAcrossEntities.total).toBe(removed ? 0 : 1)
    }
  },
  async recreate(_, writer, reader, a, b) {
    const urn = hive(`replicas.gone${a}${b}`)
    await writer.write(urn, 'datasetProperties', { name: 'x' })
    expect((await reader.gql(TAGS, { urn })).dataset.exists).toBe(true)
    await writer.action('/entities?action=delete', { urn })
    expect((await reader.gql(TAGS, { urn })).dataset.exists).toBe(false)
  },
  async event(world, writer, reader, a) {
    const timestampMillis = ++world.events
    await writer.write(dataset(a), 'operation', {
      timestampMillis,
      operationType: 'INSERT',
      lastUpdatedTimestamp: timestampMillis,
    })
    const dryRun = { entityType: 'dataset', aspect: 'operation', endTimeMillis: timestampMillis + 1 }
    const { value } = await reader.action('/operations?action=truncateTimeseriesAspect', dryRun)
    expect(value).toContain(`Delete ${timestampMillis} out of ${timestampMillis} rows`)
  },
}

test('200 random writes of one process are each seen by the next read of another', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder()
  await using database = await testDatabase()
  const env = { DATABASE_URL: urlOf(database) }
  const serve = (home: string) =>
    startPiece({
      script: 'headwater',
      args: ['catalog', 'serve', '--port', '0', '--data', home],
      cwd: folder.path,
      env,
    })
  await using one = serve('one')
  await using two = serve('two')
  const [[, first = ''], [, second = '']] = (await Promise.all(
    [one, two].map((piece) => piece.line(/listening on (http:\S+)/)),
  )) as [RegExpExecArray, RegExpExecArray]
  const clients = [clientOf(first), clientOf(second)] as const
  for (let n = 0; n < DATASETS; n++) {
    await clients[0].write(dataset(n), 'datasetProperties', { name: `replicas_number_${n}` })
    await clients[0].write(dataset(n), 'globalTags', { tags: [] })
    await clients[1].write(`urn:li:tag:replicas${n}`, 'tagProperties', { name: `t${n}` })
  }
  const world = new World()
  const number = integer({ min: 0, max: DATASETS - 1 })
  const step = record({ what: constantFrom(...Object.keys(PAIR)), swap: boolean(), a: number, b: number })
  // One sequence: what is written stays, so it could not be run again shorter.
  await assert(
    asyncProperty(array(step, { minLength: PAIRS, maxLength: PAIRS, size: 'max' }), async (steps) => {
      for (const { what, swap, a, b } of steps) {
        await PAIR[what]?.(world, clients[swap ? 1 : 0], clients[swap ? 0 : 1], a, b)
      }
    }),
    { numRuns: 1, endOnFailure: true },
  )
})
