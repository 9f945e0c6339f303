import { expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { eventually } from '../../support/eventually.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { startPiece } from '../kit/piece.ts'

const IMPATIENT = { retry: { firstDelayMs: 1, maxDelayMs: 1, deadlineMs: 1 } }

test('a catalog server killed under load has every write that it acknowledged', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder()
  const acknowledged: number[] = []
  let next = 0
  for (let kill = 0; kill < 2; kill++) {
    const server = startPiece({ script: 'headwater', args: ['catalog', 'serve', '--port', '0'], cwd: folder.path })
    const [, url = ''] = await server.line(/listening on (http:\S+)/)
    const client = new CatalogClient({ url, timeoutMs: 5_000 }, IMPATIENT)
    const enough = new AbortController()
    const writers = [1, 2, 3, 4].map(async () => {
      while (!enough.signal.aborted) {
        const n = next++
        const proposal = {
          entityType: 'tag',
          entityUrn: asUrn(`urn:li:tag:k${n}`),
          changeType: 'UPSERT' as const,
          aspectName: 'tagProperties',
          aspect: { name: `tag ${n}` },
        }
        await client.write([proposal]).then(
          () => acknowledged.push(n),
          () => undefined,
        )
      }
    })
    const before = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 50))
    await server.kill('SIGKILL')
    enough.abort()
    await Promise.all(writers)
    await client.close()
    await server[Symbol.asyncDispose]()
  }
  await using server = startPiece({ script: 'headwater', args: ['catalog', 'serve', '--port', '0'], cwd: folder.path })
  const [, url = ''] = await server.line(/listening on (http:\S+)/)
  const client = new CatalogClient({ url, timeoutMs: 5_000 }, IMPATIENT)
  const keys = acknowledged.map((n) => ({ urn: asUrn(`urn:li:tag:k${n}`), aspectName: 'tagProperties' }))
  const found = await client.read(keys)
  expect(found.size).toBe(acknowledged.length)
  await client.close()
})
