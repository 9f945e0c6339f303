import { expect, test } from 'vitest'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn } from '../../src/model/urn.ts'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

const ACTOR = asUrn('urn:li:corpuser:import')

async function exported(c: TestCatalog, after = 0): Promise<readonly object[]> {
  const { text } = await c.call('GET', `/openapi/operations/export?after=${after}`)
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

const isProposal = (line: object): line is Proposal => 'entityUrn' in line

test('an export read into an empty catalog gives the same export; importing it again writes nothing', async () => {
  await using c = await testCatalog()
  await using empty = await testCatalog()
  const [a, b] = [hive('export.a'), hive('export.b')]
  await c.put(a, { datasetProperties: { name: 'a' }, globalTags: { tags: [{ tag: 'urn:li:tag:x' }] } })
  const property = 'urn:li:structuredProperty:export.p'
  await c.put(property, {
    propertyDefinition: {
      qualifiedName: 'export.p',
      valueType: 'urn:li:dataType:datahub.string',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    },
  })
  await c.put(a, { structuredProperties: { properties: [{ propertyUrn: property, values: [{ string: 'v' }] }] } })
  await c.put(b, {
    upstreamLineage: { upstreams: [{ dataset: a, type: 'COPY' }] },
    status: { removed: true },
    operation: { timestampMillis: 5, operationType: 'INSERT', lastUpdatedTimestamp: 5 },
  })
  const lines = await exported(c)
  const proposals = lines.filter(isProposal)
  await empty.catalog.ingest(proposals, ACTOR)
  const again = await exported(empty)
  const sorted = (all: readonly object[]) =>
    all
      .filter(isProposal)
      .map((one) => JSON.stringify(one))
      .toSorted()
  expect(sorted(again)).toEqual(sorted(lines))
  const second = await empty.catalog.ingest(
    proposals.filter((one) => one.aspectName !== 'operation'),
    ACTOR,
  )
  expect(new Set(second.map((result) => result.outcome))).toEqual(new Set(['unchanged']))
})

test('an export goes on from the last position that was read', async () => {
  await using c = await testCatalog()
  await c.put(hive('export.one'), { status: { removed: false } })
  const first = await exported(c)
  const position = first.findLast((line) => 'position' in line) as { readonly position: number }
  await c.put(hive('export.two'), { status: { removed: false } })
  const rest = (await exported(c, position.position)).filter(isProposal)
  expect(new Set(rest.map((one) => one.entityUrn))).toEqual(new Set([hive('export.two')]))
})
