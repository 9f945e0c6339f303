import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { request } from 'undici'
import { expect, test } from 'vitest'

import { pgConfig, testDatabase } from '../../support/embedded.ts'
import { Client } from 'pg'

import { always, byChance, every, first, onlyFor, PASS, type FaultPlan } from './faults.ts'
import { FaultProxy } from './fault-proxy.ts'
import { killAgainAndAgain } from './killing.ts'
import { startPiece } from './piece.ts'
import { Wire } from './wire.ts'

/** A server that counts what it has carried out and answers with 1000 bytes. */
async function counter() {
  const done: string[] = []
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      done.push(`${incoming.method} ${incoming.url}`)
      response.end('x'.repeat(1000))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, done, [Symbol.asyncDispose]: close }
}

/** Status and length of the answer, or the code of the error. */
async function ask(url: string): Promise<string> {
  try {
    const answer = await request(`${url}/thing?a=1`, { method: 'POST', body: 'data', headersTimeout: 100 })
    return `${answer.statusCode} ${(await answer.body.text()).length}`
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a proxy without a plan changes nothing, and counts', async () => {
  await using target = await counter()
  await using proxy = await FaultProxy.open(target.url)
  expect(await ask(proxy.url)).toBe('200 1000')
  expect(target.done).toEqual(['POST /thing?a=1'])
  expect(proxy.seen).toEqual([{ method: 'POST', path: '/thing?a=1', fault: 'pass' }])
  expect(proxy.counts.pass).toBe(1)
})

test('each fault looks to the client as it should, and happens or does not happen at the target', async () => {
  await using target = await counter()
  await using proxy = await FaultProxy.open(target.url)
  const broken = expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/)
  const outcome = async (plan: FaultPlan) => {
    proxy.plan = plan
    const before = target.done.length
    return { client: await ask(proxy.url), carriedOut: target.done.length - before }
  }
  expect(await outcome(always({ kind: 'status', status: 503, body: 'away' }))).toEqual({
    client: '503 4',
    carriedOut: 0,
  })
  expect(await outcome(always({ kind: 'status', status: 429, retryAfter: 1 }))).toMatchObject({ carriedOut: 0 })
  expect(await outcome(always({ kind: 'reset' }))).toEqual({ client: broken, carriedOut: 0 })
  expect(await outcome(always({ kind: 'lost-answer' }))).toEqual({ client: broken, carriedOut: 1 })
  expect(await outcome(always({ kind: 'half-answer' }))).toEqual({ client: broken, carriedOut: 1 })
  expect(await outcome(always({ kind: 'hang' }))).toEqual({ client: 'UND_ERR_HEADERS_TIMEOUT', carriedOut: 0 })
  expect(await outcome(always({ kind: 'slow', delayMs: 5 }))).toEqual({ client: '200 1000', carriedOut: 1 })
})

test('plans choose requests by order, by turn, by chance and by kind', () => {
  const asked = { method: 'GET', path: '/a' }
  const kinds = (plan: FaultPlan, times: number) => Array.from({ length: times }, () => plan(asked).kind)
  const [reset, hang] = [{ kind: 'reset' } as const, { kind: 'hang' } as const]
  expect(kinds(first(reset, PASS, hang), 5)).toEqual(['reset', 'pass', 'hang', 'pass', 'pass'])
  expect(kinds(every(2, reset, hang), 6)).toEqual(['pass', 'reset', 'pass', 'hang', 'pass', 'reset'])
  expect(kinds(byChance(7, 0.3, reset), 50)).toEqual(kinds(byChance(7, 0.3, reset), 50))
  expect(new Set(kinds(byChance(7, 0.3, reset), 50))).toEqual(new Set(['pass', 'reset']))
  expect(
    kinds(
      onlyFor(({ method }) => method === 'POST', always(reset)),
      2,
    ),
  ).toEqual(['pass', 'pass'])
})

test('a wire to PostgreSQL can be cut, stalled and mended', async () => {
  await using db = await testDatabase()
  const { folder, port } = db.address
  await using wire = await Wire.to({ path: `${folder}/.s.PGSQL.${port}` })
  const connected = async () => {
    const client = new Client({
      ...pgConfig(db.address),
      host: '127.0.0.1',
      port: wire.port,
      connectionTimeoutMillis: 300,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const client = await connected()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  wire.stall()
  const late = client.query('select 2 as two')
  await expect(connected()).rejects.toThrow(/timeout/)
  wire.mend()
  expect((await late).rows).toEqual([{ two: 2 }])
  wire.cut()
  await expect(client.query('select 3')).rejects.toThrow(/terminated|reset|connection/i)
  await expect(connected()).rejects.toThrow(/terminated|reset|connection/i)
  wire.mend()
  const again = await connected()
  expect((await again.query('select 4 as four')).rows).toEqual([{ four: 4 }])
  await again.end()
})

const TALKER = 'test/chaos/kit/talker.ts'

test('a piece is watched by its lines, spoken to, and killed', async () => {
  await using piece = startPiece({ script: TALKER, args: ['hello'] })
  expect((await piece.line(/^hello (\d+)$/))[1]).toBe(String(piece.pid))
  piece.say('what you hear')
  expect(await piece.event<{ heard: string }>((value) => 'heard' in value)).toEqual({ heard: 'what you hear' })
  expect(await piece.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
})

test('waiting for a line of a piece that ends without it fails and shows what it said', async () => {
  await using piece = startPiece({ script: TALKER, args: ['bye'] })
  const waiting = piece.line(/never said/)
  piece.say('exit')
  await expect(waiting).rejects.toThrow(/ended \(0\) without never said[^]*bye/)
})

test('a piece is killed as often as asked, and the last one may finish', async () => {
  const { kills, end, last } = await killAgainAndAgain({
    start: () => startPiece({ script: TALKER, args: ['hello', 'finish'] }),
    kills: 3,
    moment: (piece) => piece.line(/^hello/),
  })
  expect({ kills, end }).toEqual({ kills: 3, end: { code: 0, signal: null } })
  expect(last.lines.at(-1)).toBe('finished')
})
