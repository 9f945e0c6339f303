import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../support/catalog.ts'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog()
})
afterAll(() => c[Symbol.asyncDispose]())

const PLATFORM = 'urn:li:dataPlatform:mlflow'
const LABELS = `tags { tags { tag { urn name } } } glossaryTerms { terms { term { urn name } } }
  ownership { owners { owner { ... on CorpUser { username } ... on CorpGroup { name } } } }
  domain { domain { urn properties { name description } } }`
/** Without the graphql library beside it, `datahub search` sends its whole query, with a fragment on each of these. */
const FRAGMENTS = `
  ... on Dataset { name properties { name description } ${LABELS} }
  ${['MLModel', 'MLModelGroup', 'MLFeatureTable'].map((type) => `... on ${type} { name properties { description } platform { urn } ${LABELS} }`).join('\n')}
  ${['MLFeature', 'MLPrimaryKey'].map((type) => `... on ${type} { name properties { description } ${LABELS} }`).join('\n')}
  ... on Document { subType info { title } platform { urn } ${LABELS} }`

test('contract §9.5: models, features and documents have types of their own', async () => {
  const written: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    [`urn:li:mlModel:(${PLATFORM},churn,PROD)`]: { mlModelProperties: { description: 'who leaves' } },
    [`urn:li:mlModelGroup:(${PLATFORM},models,PROD)`]: { mlModelGroupProperties: { name: 'all models' } },
    'urn:li:mlFeature:(users,age)': { mlFeatureProperties: { description: 'in years' } },
    [`urn:li:mlFeatureTable:(${PLATFORM},users)`]: { mlFeatureTableProperties: { description: 'of users' } },
    'urn:li:mlPrimaryKey:(users,id)': { mlPrimaryKeyProperties: { sources: [hive('users')] } },
    'urn:li:document:runbook': { documentInfo: { title: 'What to do' }, subTypes: { typeNames: ['Runbook'] } },
  }
  for (const [urn, aspects] of Object.entries(written)) await c.put(urn, aspects)
  const { entities } = await c.gql(
    `query q($urns: [String!]!) { entities(urns: $urns) { __typename type ${FRAGMENTS} } }`,
    {
      urns: Object.keys(written),
    },
  )
  const nothing = { tags: null, glossaryTerms: null, ownership: null, domain: null }
  const platform = { urn: PLATFORM }
  expect(entities).toEqual([
    {
      __typename: 'MLModel',
      type: 'MLMODEL',
      name: 'churn',
      properties: { description: 'who leaves' },
      platform,
      ...nothing,
    },
    {
      __typename: 'MLModelGroup',
      type: 'MLMODEL_GROUP',
      name: 'models',
      properties: { description: null },
      platform,
      ...nothing,
    },
    { __typename: 'MLFeature', type: 'MLFEATURE', name: 'age', properties: { description: 'in years' }, ...nothing },
    {
      __typename: 'MLFeatureTable',
      type: 'MLFEATURE_TABLE',
      name: 'users',
      properties: { description: 'of users' },
      platform,
      ...nothing,
    },
    { __typename: 'MLPrimaryKey', type: 'MLPRIMARY_KEY', name: 'id', properties: { description: null }, ...nothing },
    {
      __typename: 'Document',
      type: 'DOCUMENT',
      subType: 'Runbook',
      info: { title: 'What to do' },
      platform: null,
      ...nothing,
    },
  ])
})
