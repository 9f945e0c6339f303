import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
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

test('the catalog loses no acknowledged write and serves again by itself', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder()
  await using up = startPiece({ script: 'headwater', args: ['up', '--port', '0'], cwd: folder.path })
  const [, url = ''] = await up.line(/listening on (http:\S+)/)
  const client = new CatalogClient({ url, timeoutMs: 5_000 }, IMPATIENT)
  await using closing = new AsyncDisposableStack()
  closing.defer(() => client.close())

  const acknowledged: number[] = []
  const enough = new AbortController()
  let next = 0
  const writers = Array.from({ length: 8 }, async () => {
    while (!enough.signal.aborted) {
      const n = next++
      await client.write([tagProposal(n)]).then(
        () => acknowledged.push(n),
        () => sleep(5),
      )
    }
  })
  for (let kill = 0; kill < 3; kill++) {
    const before = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(before + 30))
    killPostmaster(folder.path)
    const atKill = acknowledged.length
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(atKill + 1), 20_000)
  }
  enough.abort()
  await Promise.all(writers)

  const keys = acknowledged.map((n) => ({ urn: asUrn(`urn:li:tag:t${n}`), aspectName: 'tagProperties' }))
  const found = await client.read(keys)
  expect(acknowledged.length - found.size).toBe(0)
  expect(await up.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('an import goes on where it was, and its balances hold', { timeout: 180_000 }, async () => {
  await using folder = await temporaryFolder()
  await using up = startPiece({ script: 'headwater', args: ['up', '--port', '0'], cwd: folder.path })
  const [, url = ''] = await up.line(/listening on (http:\S+)/)
  const rows = 3000
  const urns = Array.from({ length: rows }, (_, n) => `urn:li:dataset:(urn:li:dataPlatform:hive,db.t${n},PROD)`)
  const csv = ['resource,tags', ...urns.map((urn) => `"${urn}",urn:li:tag:pii`), ''].join('\n')
  await writeFile(join(folder.path, 'tags.csv'), csv)

  const args = ['run', 'import-csv', '--file', 'tags.csv', '--missing', 'create', '--apply', '--json']
  await using run = startPiece({ script: 'headwater', args, cwd: folder.path })
  const client = new CatalogClient({ url }, { retry: { firstDelayMs: 20, maxDelayMs: 100, deadlineMs: 20_000 } })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => client.close())
  const isWritten = async (urn: string) =>
    (await client.getAspect({ urn: asUrn(urn), aspectName: 'globalTags' }).catch(() => undefined)) !== undefined
  await eventually(async () => expect(await isWritten(urns[0] ?? '')).toBe(true), 30_000)
  killPostmaster(folder.path)

  const end = await run.ended
  expect(end, run.lines.join('\n')).toEqual({ code: 0, signal: null })
  const report = await run.event<{ applied: { state: string; balance: Record<string, Record<string, number>> } }>(
    ({ applied }) => typeof applied === 'object',
  )
  expect(report.applied.state).toBe('succeeded')
  expect(report.applied.balance['records']).toMatchObject({ read: rows, used: rows, rejected: 0 })
  const { made = 0, written = 0, unchanged = 0, refused, dead } = report.applied.balance['proposals'] ?? {}
  expect({ sum: written + unchanged, refused, dead }).toEqual({ sum: made, refused: 0, dead: 0 })
  const found = await client.read(urns.map((urn) => ({ urn: asUrn(urn), aspectName: 'globalTags' })))
  expect(found.size).toBe(rows)
  expect(await up.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})
