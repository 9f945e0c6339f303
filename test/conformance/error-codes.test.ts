/** Refusals of the catalog by their code: what the wire says of each stands in the tests of its interface. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn } from '../../src/model/urn.ts'
import { hive, proposalOf, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const STATUS = {
  entityUrn: asUrn(hive('codes.t')),
  entityType: 'dataset',
  aspectName: 'status',
  aspect: { removed: false },
} as const

const ACTOR = asUrn('urn:li:corpuser:tester')
const ingest = (proposal: Proposal) => c.catalog.ingest([proposal], ACTOR)

test('INVALID_WRITE: what is there already cannot be created, and a condition must be readable', async () => {
  await ingest({ ...STATUS, changeType: 'CREATE' })
  await expect(ingest({ ...STATUS, changeType: 'CREATE' })).rejects.toMatchObject({ code: 'INVALID_WRITE' })
  const unreadable = { ...STATUS, changeType: 'UPSERT', headers: { 'If-Modified-Since': 'yesterday' } } as const
  await expect(ingest(unreadable)).rejects.toMatchObject({ code: 'INVALID_WRITE' })
})

test('PRECONDITION_FAILED: a write for another version changes nothing', async () => {
  const late = {
    ...STATUS,
    changeType: 'UPSERT',
    aspect: { removed: true },
    headers: { 'If-Version-Match': '7' },
  } as const
  await expect(ingest(late)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' })
})

test('NOT_IMPLEMENTED: a definition of a property is not deleted by the way of aspects', async () => {
  const urn = 'urn:li:structuredProperty:io.acme.codes'
  const definition = { qualifiedName: 'io.acme.codes', valueType: 'urn:li:dataType:datahub.string', entityTypes: [] }
  const made = await c.call('POST', '/aspects?action=ingestProposal', {
    proposal: proposalOf(urn, 'propertyDefinition', definition),
  })
  expect(made.status, made.text).toBe(200)
  const path = `/openapi/v2/entity/structuredProperty/${encodeURIComponent(urn)}/propertyDefinition`
  const { status, text } = await c.call('DELETE', path)
  expect([status, text]).toEqual([501, expect.stringContaining('is not implemented')])
})
