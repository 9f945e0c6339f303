import { afterAll, beforeAll, expect, test } from 'vitest'
import { asUrn } from '../../../src/model/urn.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../../support/catalog.ts'

const CLIENTS = 32

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

async function versionsOf(urn: string, aspect: string): Promise<readonly number[]> {
  const rows = await c.database.rows<{ version: number }>(
    `select version from (
       select urn_id, name, version from catalog.aspect union all select urn_id, name, version from catalog.aspect_history) v
     join catalog.urn u on u.id = v.urn_id where u.urn = $1 and v.name = $2 order by version`,
    [urn, aspect],
  )
  return rows.map((row) => row.version)
}

const tag = (client: number, n: number) => `urn:li:tag:race${client}x${n}`
const property = (client: number) => `urn:li:structuredProperty:race.p${client}`
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('32 clients add and remove tags on one dataset: nothing is lost, versions have no gap', async () => {
  const urn = hive('race.tags')
  await c.put(urn, { datasetProperties: { name: 'race' } })
  const clients = upTo(CLIENTS)
  for (const client of clients) {
    await c.call('POST', '/aspects?action=ingestProposalBatch', {
      proposals: [1, 2, 3].map((n) => proposalOf(tag(client, n), 'tagProperties', { name: 'n' })),
    })
  }
  const label = (mutation: string, input: object) =>
    c.gql(
      `mutation m($input: ${mutation === 'addTags' ? 'AddTagsInput' : 'TagAssociationInput'}!) { ${mutation}(input: $input) }`,
      { input },
    )
  await Promise.all(
    clients.map(async (client) => {
      for (const n of [1, 2, 3]) await label('addTags', { tagUrns: [tag(client, n)], resourceUrn: urn })
      await label('removeTag', { tagUrn: tag(client, 2), resourceUrn: urn })
    }),
  )
  const stored = (await c.aspect(urn, 'globalTags')).json.aspect['com.linkedin.common.GlobalTags'].tags
  const expected = clients.flatMap((client) => [tag(client, 1), tag(client, 3)])
  expect(stored.map((one: { tag: string }) => one.tag).toSorted()).toEqual(expected.toSorted())
  expect(await versionsOf(urn, 'globalTags')).toEqual(upTo(CLIENTS * 4))
})

test('32 clients patch structured properties of one dataset over two processes: nothing is lost', async () => {
  const urn = hive('race.properties')
  await c.put(urn, { datasetProperties: { name: 'race' } })
  const other = c.replica()
  for (const client of upTo(CLIENTS)) {
    await c.put(property(client), {
      propertyDefinition: {
        qualifiedName: `race.p${client}`,
        valueType: 'urn:li:dataType:datahub.number',
        entityTypes: ['urn:li:entityType:datahub.dataset'],
      },
    })
  }
  const patch = (client: number, value: number) => ({
    entityType: 'dataset',
    entityUrn: asUrn(urn),
    changeType: 'PATCH' as const,
    aspectName: 'structuredProperties',
    aspect: {
      patch: [
        {
          op: 'add',
          path: `/properties/${property(client)}`,
          value: { propertyUrn: property(client), values: [{ double: value }] },
        },
      ],
    },
  })
  await Promise.all(
    upTo(CLIENTS).map(async (client) => {
      const catalog = client % 2 === 0 ? c.catalog : other
      for (const value of [1, 2, 3]) await catalog.ingest([patch(client, value)], asUrn('urn:li:corpuser:racer'))
    }),
  )
  const value = (await c.aspect(urn, 'structuredProperties')).json.aspect[
    'com.linkedin.structured.StructuredProperties'
  ]
  expect(value.properties.map((one: { values: { double: number }[] }) => one.values[0]?.double)).toEqual(
    upTo(CLIENTS).map(() => 3),
  )
  expect(await versionsOf(urn, 'structuredProperties')).toEqual(upTo(CLIENTS * 3))
})

test('two processes on one database: a write of one is seen by the next read of the other', async () => {
  const other = c.replica()
  const actor = asUrn('urn:li:corpuser:racer')
  const [start] = upTo(1).map((n) => asUrn(hive(`race.chain${n - 1}`)))
  await c.put(start!, { status: { removed: false } })
  for (const hop of upTo(20)) {
    const writer = hop % 2 === 0 ? c.catalog : other
    const reader = hop % 2 === 0 ? other : c.catalog
    const upstreams = [{ dataset: hive(`race.chain${hop - 1}`), type: 'COPY' }]
    const entityUrn = asUrn(hive(`race.chain${hop}`))
    await writer.ingest(
      [
        {
          entityType: 'dataset',
          entityUrn,
          changeType: 'UPSERT',
          aspectName: 'upstreamLineage',
          aspect: { upstreams },
        },
      ],
      actor,
    )
    const found = await reader.lineage.search(
      { urn: start!, direction: 'downstream', query: '*' },
      { start: 0, count: 1 },
    )
    expect(found.total).toBe(hop)
  }
})

test('batches with the same entities in any order do not deadlock', async () => {
  const urns = upTo(40).map((n) => hive(`race.batch${n}`))
  await Promise.all(
    upTo(16).map(async (client) => {
      for (const round of upTo(3)) {
        const shuffled = urns.toSorted((a, b) => ((a.length * client + round) % 7) - ((b.length * client) % 5))
        const proposals = shuffled.map((urn) => proposalOf(urn, 'datasetProperties', { name: `${client} ${round}` }))
        const answer = await c.call('POST', '/aspects?action=ingestProposalBatch', { proposals })
        expect(answer.status).toBe(200)
      }
    }),
  )
  for (const urn of urns) {
    const versions = await versionsOf(urn, 'datasetProperties')
    expect(versions).toEqual(upTo(versions.length))
  }
})
