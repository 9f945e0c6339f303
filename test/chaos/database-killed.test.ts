import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn } from '../../src/model/urn.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startPiece } from './kit/piece.ts'

/** The postmaster is killed with SIGKILL under a running Headwater: it comes back, and nothing acknowledged is lost. */
function killPostmaster(folder: string): void {
  const pidFile = join(folder, '.headwater/postgres/postmaster.pid')
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL')
}

const IMPATIENT = { retry: { firstDelayMs: 1, maxDelayMs: 1, deadlineMs: 1 } }

function tagProposal(n: number): Proposal {
  return {
    entityType: 'tag',
    entityUrn: asUrn(`urn:li:tag:t${n}`),
    changeType: 'UPSERT',
    aspectName: 'tagProperties',
    aspect: { name: `tag ${n}` },
  }
}

test('the catalog loses no acknowledged write and serves again by itself', async () => {
  await using folder = await temporaryFolder()
  await using up = startPiece({ script: 'headwater', args: ['up', '--port', '0'], cwd: folder.path })
  const [, url = ''] = await up.line(/listening on (http:\S+)/)
  const client = new CatalogClient({ url, timeoutMs: 5_000 }, IMPATIENT)
  await using closing = new AsyncDisposableStack()
  closing.defer(() => client.close())

  const acknowledged: number[] = []
  const enough = new AbortController()
  const writer = (async () => {
    for (let n = 0; !enough.signal.aborted; n++) {
      await client.write([tagProposal(n)]).then(
        () => acknowledged.push(n),
        () => sleep(5),
      )
    }
  })()
  for (let kill = 0; kill < 3; kill++) {
    const before = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 30))
    killPostmaster(folder.path)
    const atKill = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(atKill + 1), 20_000)
  }
  enough.abort()
  await writer

  const keys = acknowledged.map((n) => ({ urn: asUrn(`urn:li:tag:t${n}`), aspectName: 'tagProperties' }))
  const found = await client.read(keys)
  expect(acknowledged.length - found.size).toBe(0)
  expect(await up.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})
