/** Who watches a call learns what it waits for, and that it waits no longer. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { waitText, type Wait } from '../../../src/client/retry.ts'

test('each wait is told with its failure, and then that the answer came', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked++
    if (asked <= 2) response.writeHead(503).end()
    else response.end('{"value":{"indexSizes":[]}}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const retry = { firstDelayMs: 1, maxDelayMs: 1, deadlineMs: 60_000 }
  const client = new CatalogClient({ url: `http://127.0.0.1:${port}` }, { retry })
  const told: (Wait | undefined)[] = []
  try {
    expect(await client.telling((wait) => told.push(wait)).timeseries.indexSizes()).toEqual([])
    // The client that it was made of tells nobody.
    await client.timeseries.indexSizes()
  } finally {
    await client.close()
    server.closeAllConnections()
    server.close()
  }
  expect(told).toMatchObject([
    { failure: { code: 'CATALOG_FAILED' } },
    { failure: { code: 'CATALOG_FAILED' } },
    undefined,
  ])
  expect(waitText({ failure: told[0]?.failure, delayMs: 8400 })).toMatch(
    /^waits 8 s to try again: CATALOG_FAILED .*503/,
  )
})
