import { access } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import type { Piece } from '../kit/piece.ts'
import { emptyBox, isAlive, isJoined, postmasterPid, query, until, type Box, type JoinedEvent } from './support.ts'

test('the first process starts the server, a later one attaches, the last one out stops it', async () => {
  await using box = await emptyBox()
  await using first = box.member()
  const started = await first.event<JoinedEvent>(isJoined)
  await using second = box.member()
  const attached = await second.event<JoinedEvent>(isJoined)
  expect([started.state, attached.state]).toEqual(['started', 'attached'])
  expect(attached.since).toBe(started.since)
  const pid = await postmasterPid(box.dataDir)

  first.say('close')
  await first.ended
  expect(await query(attached.address, 'select 1 as one')).toEqual([{ one: 1 }])
  second.say('close')
  await second.ended
  expect(await isAlive(pid ?? 0)).toBe(false)
  await expect(access(attached.address.folder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('what was written is there after the server was stopped and started again', async () => {
  await using box = await emptyBox()
  {
    await using server = await openEmbeddedPostgres(box.options)
    await query(server.address, 'create table kept as select 42 as answer')
  }
  await using server = await openEmbeddedPostgres(box.options)
  expect(server.state).toBe('started')
  expect(await query(server.address, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('one process may open the same folder twice, and close each more than once', async () => {
  await using box = await emptyBox()
  const [one, two] = await Promise.all([openEmbeddedPostgres(box.options), openEmbeddedPostgres(box.options)])
  expect([one.state, two.state].toSorted()).toEqual(['attached', 'started'])
  await one.close()
  await one.close()
  expect(await query(two.address, 'select 1 as one')).toEqual([{ one: 1 }])
  await Promise.all([two.close(), two.close()])
  expect(await postmasterPid(box.dataDir)).toBe(undefined)
})

test('open sessions do not keep the last one out from stopping the server', async () => {
  await using box = await emptyBox()
  await using server = await openEmbeddedPostgres(box.options)
  const sleeping = query(server.address, 'select pg_sleep(60)').catch((error: Error) => error.message)
  const sleepers = "select from pg_stat_activity where query = 'select pg_sleep(60)'"
  await until(async () => (await query(server.address, sleepers)).length === 1)
  await server.close()
  expect(await sleeping).toMatch(/terminat|connection/i)
  expect(await postmasterPid(box.dataDir)).toBe(undefined)
})

const PROCESSES = 5

async function joinAtOnce(box: Box, pieces: Piece[]): Promise<readonly JoinedEvent[]> {
  for (let n = 0; n < PROCESSES; n++) pieces.push(box.member())
  return Promise.all(pieces.map((piece) => piece.event<JoinedEvent>(isJoined)))
}

test('five processes that start at the same moment, cold and warm, make one server', async () => {
  for (let cold = 0; cold < 2; cold++) {
    await using box = await emptyBox()
    for (let warm = 0; warm < 4; warm++) {
      await using pieces = new AsyncDisposableStack()
      const members: Piece[] = []
      pieces.defer(async () => void (await Promise.all(members.map((member) => member[Symbol.asyncDispose]()))))
      const joined = await joinAtOnce(box, members)
      expect(joined.filter(({ state }) => state === 'started')).toHaveLength(1)
      expect(new Set(joined.map(({ since }) => since)).size).toBe(1)
      for (const member of members) member.say('close')
      const ends = await Promise.all(members.map((member) => member.ended))
      expect(ends.map(({ code }) => code)).toEqual(members.map(() => 0))
      expect(await postmasterPid(box.dataDir)).toBe(undefined)
    }
  }
})

test('processes that come while the last one leaves get a server that stays', async () => {
  await using box = await emptyBox()
  for (let round = 0; round < 25; round++) {
    const leaving = await openEmbeddedPostgres(box.options)
    const [, ...coming] = await Promise.all([
      leaving.close(),
      openEmbeddedPostgres(box.options),
      openEmbeddedPostgres(box.options),
    ])
    for (const server of coming) expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
    await Promise.all(coming.map((server) => server.close()))
  }
  expect(await postmasterPid(box.dataDir)).toBe(undefined)
})
