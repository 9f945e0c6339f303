/** What the benchmarks ask over HTTP; each makes the body of the n-th request. */
export const ACTOR = 'urn:li:corpuser:bench'
/** Members of a batch of proposals. */
export const BATCH = 200
export const TAGS = Array.from({ length: 16 }, (_, n) => `urn:li:tag:bench${n}`)

export const dataset = (n: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,bench.t${n},PROD)`
/** The aspect that is written of the n-th dataset, as JSON. */
export const aspectOf = (n: number) =>
  JSON.stringify({ name: `table ${n}`, description: 'x'.repeat(400), customProperties: { n: String(n) } })

const ADD = 'mutation a($input: AddTagsInput!) { addTags(input: $input) }'
const REMOVE = 'mutation r($input: TagAssociationInput!) { removeTag(input: $input) }'
const QUERY =
  'query d($urn: String!) { dataset(urn: $urn) { tags { tags { tag { name urn properties { description colorHex } } } } } }'
const FIXED = `query d { __type(name: "ID") { description } } #`.padEnd(QUERY.length, '.')

export const REQUESTS = {
  writes: {
    path: '/aspects?action=ingestProposalBatch',
    body: (n: number) => ({ proposals: Array.from({ length: BATCH }, (_, i) => proposal(n * BATCH + i)) }),
  },
  // Each dataset gets each tag once, then loses it, so that every call changes something.
  mutations: {
    path: '/api/graphql',
    body(n: number) {
      const resourceUrn = dataset(Math.floor(n / TAGS.length) % 100)
      const tag = TAGS[n % TAGS.length]
      const adds = Math.floor(n / (100 * TAGS.length)) % 2 === 0
      return adds
        ? { query: ADD, variables: { input: { tagUrns: [tag], resourceUrn } } }
        : { query: REMOVE, variables: { input: { tagUrn: tag, resourceUrn } } }
    },
  },
  queries: {
    path: '/api/graphql',
    body: (n: number) => ({ query: QUERY, variables: { urn: dataset(n % 100) } }),
  },
  // A request of the same bytes; its answer, which no store is asked for, is as long as the other's within a few bytes.
  fixed: { path: '/api/graphql', body: (n: number) => ({ query: FIXED, variables: { urn: dataset(n % 100) } }) },
} as const

export type RequestName = keyof typeof REQUESTS

function proposal(n: number) {
  return {
    entityType: 'dataset',
    entityUrn: dataset(n),
    changeType: 'UPSERT',
    aspectName: 'datasetProperties',
    aspect: { contentType: 'application/json', value: aspectOf(n) },
  }
}
