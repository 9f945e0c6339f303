import { readdir } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import type { Piece } from '../kit/piece.ts'
import { emptyBox, isAlive, isJoined, postmasterPid, query, until, type JoinedEvent } from './support.ts'

function acknowledged(piece: Piece): readonly number[] {
  return piece.lines.filter((line) => line.includes('"written"')).map((line) => JSON.parse(line).n)
}

async function missing(address: JoinedEvent['address'], numbers: readonly number[]): Promise<readonly number[]> {
  const rows = await query<{ n: string }>(address, 'select n from written')
  const found = new Set(rows.map(({ n }) => Number(n)))
  return numbers.filter((n) => !found.has(n))
}

test('a starter killed with SIGKILL leaves a server that the next start attaches to, with all it acknowledged', async () => {
  await using box = await emptyBox()
  await using writer = box.member()
  const { since } = await writer.event<JoinedEvent>(isJoined)
  writer.say('write')
  await until(() => acknowledged(writer).length > 200)
  await writer.kill('SIGKILL')

  await using next = box.member()
  const joined = await next.event<JoinedEvent>(isJoined)
  expect(joined).toMatchObject({ state: 'attached', since })
  expect(await missing(joined.address, acknowledged(writer))).toEqual([])
})

test('with all its users killed the server runs until the next command leaves', async () => {
  await using box = await emptyBox()
  const killed = [box.member(), box.member()]
  await Promise.all(killed.map((piece) => piece.event(isJoined)))
  await Promise.all(killed.map((piece) => piece.kill('SIGKILL')))
  const pid = (await postmasterPid(box.dataDir)) ?? 0
  expect(await isAlive(pid)).toBe(true)

  const next = await openEmbeddedPostgres(box.options)
  expect(next.state).toBe('attached')
  await next.close()
  expect(await isAlive(pid)).toBe(false)
})

test('a starter killed at any moment of its start leaves a folder that the next one starts', async () => {
  for (let round = 0; round < 3; round++) {
    await using box = await emptyBox()
    const moments = [
      async () => (await readdir(box.folder)).some((name) => name.includes('.initdb-')),
      async () => (await readdir(box.folder)).includes('postgres'),
      async () => (await postmasterPid(box.dataDir)) !== undefined,
    ]
    for (const hasCome of moments) {
      await using starter = box.member()
      await Promise.race([until(hasCome), starter.line(/"joined"/)])
      await starter.kill('SIGKILL')
    }
    await using server = await openEmbeddedPostgres(box.options)
    expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(box.folder)).toEqual(['postgres'])
  }
})

test('after kill -9 of the postmaster under busy backends its members run it again, and nothing acknowledged is lost', async () => {
  await using box = await emptyBox()
  await using survivor = await openEmbeddedPostgres(box.options)
  for (let round = 0; round < 3; round++) {
    await using writer = box.member()
    const { address } = await writer.event<JoinedEvent>(isJoined)
    writer.say('hold')
    const { pid: busy } = await writer.event<{ pid: number }>(({ event }) => event === 'holding')
    writer.say('write')
    await until(() => acknowledged(writer).length > 100)
    const postmaster = (await postmasterPid(box.dataDir)) ?? 0

    process.kill(postmaster, 'SIGKILL')
    await writer.line(/"embedded database back"/)
    expect(await isAlive(busy)).toBe(false)
    expect(await postmasterPid(box.dataDir)).not.toBe(postmaster)
    expect(await missing(address, acknowledged(writer))).toEqual([])
    await query(address, 'drop table written')
  }
  expect(await query(survivor.address, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('after kill -9 of the postmaster and of everybody, the next start runs it again', async () => {
  await using box = await emptyBox()
  await using writer = box.member()
  await writer.event(isJoined)
  writer.say('hold')
  const { pid: busy } = await writer.event<{ pid: number }>(({ event }) => event === 'holding')
  writer.say('write')
  await until(() => acknowledged(writer).length > 100)
  await writer.kill('SIGKILL')
  process.kill((await postmasterPid(box.dataDir)) ?? 0, 'SIGKILL')
  expect(await isAlive(busy)).toBe(true)

  await using next = box.member()
  const joined = await next.event<JoinedEvent>(isJoined)
  expect(joined.state).toBe('started')
  expect(await isAlive(busy)).toBe(false)
  expect(await missing(joined.address, acknowledged(writer))).toEqual([])
})

test('a member whose session was ended counts again: it is not stopped by another that leaves', async () => {
  await using box = await emptyBox()
  await using member = box.member()
  const { address, since } = await member.event<JoinedEvent>(isJoined)
  await query(
    address,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'headwater-member'",
  )
  await member.line(/"embedded database back"/)

  const other = await openEmbeddedPostgres(box.options)
  await other.close()
  expect(await query(address, 'select pg_postmaster_start_time()::text as since')).toEqual([{ since }])
})
