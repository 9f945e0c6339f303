import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { CatalogClient, type CatalogConnection } from '../../../src/client/catalog-client.ts'

/** Gives up at once: these tests look at one answer. */
const ONCE = { firstDelayMs: 1, maxDelayMs: 1, deadlineMs: 0 }

/** What the client makes of a server that answers so. */
async function failureOf(
  answer: RequestListener,
  call: (client: CatalogClient) => Promise<unknown> = (client) => client.timeseries.indexSizes(),
  connection: Partial<CatalogConnection> = {},
): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new CatalogClient({ url: `http://127.0.0.1:${port}`, ...connection }, { retry: ONCE })
  try {
    return await call(client).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    await client.close()
    server.closeAllConnections()
    server.close()
  }
}

function answering(status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener {
  return (_request, response) => response.writeHead(status, headers).end(body)
}

test.each([
  [401, '{"message":"Unauthorized to perform this action."}', {}, { code: 'UNAUTHORIZED', retryable: false }],
  [403, '{"message":"no privilege"}', {}, { code: 'FORBIDDEN', retryable: false }],
  [413, '', {}, { code: 'PAYLOAD_TOO_LARGE', retryable: false }],
  [429, '', { 'retry-after': '7' }, { code: 'THROTTLED', retryable: true, retryAfterMs: 7000 }],
  [503, '', { 'retry-after': '1' }, { code: 'THROTTLED', retryable: true }],
  [503, '', {}, { code: 'CATALOG_FAILED', retryable: true }],
  [500, '<html><body>oops</body></html>', {}, { code: 'CATALOG_FAILED', status: 500 }],
  [422, '{"message":"bad urn"}', {}, { code: 'PROPOSAL_REFUSED', retryable: false }],
  [422, '{"message":"Expected version 3, actual version 4"}', {}, { code: 'VERSION_CONFLICT' }],
  [302, '', { location: '/login' }, { code: 'NOT_A_CATALOG' }],
])('%i with %j is an error of its own', async (status, body, headers, expected) => {
  const failure = await failureOf(answering(status, body, headers))
  expect(failure).toMatchObject({ ...expected, message: expect.stringMatching(/http:|refused|changed/) as string })
  expect(failure).toHaveProperty('remedy', expect.any(String))
})

test('a token that was not given is missed; one that was given is not accepted', async () => {
  expect(await failureOf(answering(401, ''))).toMatchObject({
    message: expect.stringContaining('none was given') as string,
  })
  expect(await failureOf(answering(401, ''), undefined, { token: 'abc' })).toMatchObject({
    message: expect.stringContaining('does not accept the token') as string,
  })
})

test('a server that never answers is given up in time', async () => {
  const failure = await failureOf(() => {}, undefined, { timeoutMs: 100 })
  expect(failure).toMatchObject({ code: 'CATALOG_TIMEOUT', retryable: true })
})

test('an answer that does not end is cut off', async () => {
  const failure = await failureOf(answering(200, 'x'.repeat(5000)), undefined, { maxAnswerBytes: 1000 })
  expect(failure).toMatchObject({ code: 'ANSWER_TOO_LARGE' })
})

test('something that answers and is no catalog is told from one', async () => {
  const failure = await failureOf(answering(200, '<html>the frontend</html>'), (client) => client.config())
  expect(failure).toMatchObject({ code: 'NOT_A_CATALOG' })
})

test('GraphQL that fails with status 200 is a failure, with the code that it tells', async () => {
  const body = JSON.stringify({ data: null, errors: [{ message: 'no such tag', extensions: { code: 404 } }] })
  const failure = await failureOf(answering(200, body), (client) => client.graphql('query { me { urn } }', {}))
  expect(failure).toMatchObject({ code: 'GRAPHQL_FAILED', status: 404 })
})

test('a token never stands in an error', async () => {
  const failure = await failureOf(answering(401, ''), undefined, { token: 'hunter2' })
  expect(JSON.stringify(failure) + String(failure)).not.toContain('hunter2')
})
