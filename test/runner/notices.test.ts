import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { HeadwaterError } from '../../src/model/errors.ts'
import { Secret } from '../../src/model/secret.ts'
import { defineJob, Type } from '../../src/runner/define-job.ts'
import { tellNews, type NoticeSettings, type Receiver } from '../../src/runner/notices/notices.ts'
import { syncSchedules, tick } from '../../src/runner/schedules.ts'
import { listNotices } from '../../src/store/ledger/notices.ts'
import { webhookReceiver } from '../support/receiver.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'

class BrokenSourceError extends HeadwaterError {
  readonly code = 'SOURCE_UNREADABLE'
}

const TOKEN = 'tok-0123456789'

const fails = defineJob({
  name: 'fails',
  summary: 'Fails',
  byHand: 'apply',
  input: Type.Object({}),
  run: () => {
    throw new BrokenSourceError(`cannot read postgres://me:hunter2@db/x with ${TOKEN}`)
  },
})

const reads = defineJob({
  name: 'reads',
  summary: 'Reads as much as it is told to',
  byHand: 'apply',
  input: Type.Object({ rows: Type.Integer() }),
  run: ({ input: { rows }, balance }) => {
    balance.records({ read: rows, used: rows })
    return Promise.resolve({ report: {}, lines: [] })
  },
})

const asks = defineJob({
  name: 'asks',
  summary: 'Waits for a person',
  byHand: 'plan',
  input: Type.Object({}),
  plan: ({ clock }) =>
    Promise.resolve({
      counts: { rows: 9 },
      lines: [],
      body: {},
      expiresAtMs: clock.now() + 3_600_000,
      nothingToDo: false,
    }),
  check: () => ({ decision: 'ask', reasons: ['too many'] }),
  run: () => Promise.resolve({ report: {}, lines: [] }),
})

const worries = defineJob({
  ...reads,
  name: 'worries',
  run: ({ balance }) => {
    balance.records({ read: 1, used: 1 })
    return Promise.resolve({ report: { alarms: ['coverage of columns falls'] }, lines: [] })
  },
})

const quiet = defineJob({ ...reads, name: 'quiet', quietWhenEmpty: true })

interface Stage {
  readonly runner: TestRunner
  readonly clock: { at: number }
  readonly receiver: Awaited<ReturnType<typeof webhookReceiver>>
  readonly settings: NoticeSettings
  readonly tell: () => Promise<void>
  /** Kinds of what was delivered, in order. */
  readonly kinds: () => readonly unknown[]
}

async function onStage(work: (stage: Stage) => Promise<void>, changed: Partial<Receiver> = {}): Promise<void> {
  await using receiver = await webhookReceiver()
  const clock = { at: Date.UTC(2026, 10, 21, 2) }
  await using runner = await testRunner('postgres', [fails, reads, asks, quiet, worries], {
    clock: { now: () => clock.at, monotonic: () => performance.now() },
  })
  const settings: NoticeSettings = {
    receivers: [
      {
        name: 'on-call',
        url: new Secret(receiver.url),
        secret: new Secret('shared'),
        on: ['failed', 'late', 'zero-rows', 'plan-waiting', 'alarm'],
        lateMs: 900_000,
        foldMs: 3_600_000,
        ...changed,
      },
    ],
    secrets: [new Secret(TOKEN), new Secret(receiver.url)],
    intervalMs: 1,
    firstRetryMs: 1_000,
    maxAttempts: 3,
    chance: () => 1,
  }
  const tell = () => tellNews(runner.parts, settings)
  await tell() // from here on the receiver is told
  const kinds = () => receiver.deliveries.map(({ body }) => body['kind'])
  await work({ runner, clock, receiver, settings, tell, kinds })
}

async function runOf(runner: TestRunner, job: string, input: object = {}): Promise<string> {
  const { id } = await runner.submit({ job, input })
  await runner.end(id)
  return id
}

test('a failed run is told once, however many look for news, signed and without secrets', () =>
  onStage(async ({ runner, receiver, tell }) => {
    await runner.startWorkers()
    const id = await runOf(runner, 'fails')
    await Promise.all([tell(), tell(), tell()])
    await tell()
    expect(receiver.deliveries).toHaveLength(1)
    const [{ headers, text, body } = { headers: {}, text: '', body: {} }] = receiver.deliveries
    expect(body).toMatchObject({
      kind: 'failed',
      subject: 'fails',
      run: { id, state: 'failed', error: { code: 'SOURCE_UNREADABLE' } },
    })
    expect(body['text']).toBe(`fails: run ${id} failed: SOURCE_UNREADABLE cannot read postgres://me:***@db/x with ***`)
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain(TOKEN)
    expect(headers['x-headwater-delivery']).toBe(`failed:${id}`)
    const signature = createHmac('sha256', 'shared').update(text).digest('hex')
    expect(headers['x-headwater-signature']).toBe(`sha256=${signature}`)
  }))

test('a receiver that does not take a notice is asked again, later and later, until it is given up', () =>
  onStage(async ({ runner, receiver, clock, tell }) => {
    await runner.startWorkers()
    const first = await runOf(runner, 'fails')
    receiver.answer(500)
    await tell()
    await tell()
    expect(receiver.deliveries).toHaveLength(1)
    clock.at += 1_001
    receiver.answer(204)
    await tell()
    await tell()
    expect(receiver.deliveries.map(({ headers }) => headers['x-headwater-delivery'])).toEqual([
      `failed:${first}`,
      `failed:${first}`,
    ])
    clock.at += 3_600_000
    receiver.answer(404)
    await runOf(runner, 'fails')
    for (const waitMs of [0, 1_001, 2_001, 60_000]) {
      clock.at += waitMs
      await tell()
    }
    expect(receiver.deliveries).toHaveLength(5)
    const [given] = await listNotices(runner.parts.database, 1)
    expect(given).toMatchObject({ state: 'dead', attempts: 3, error: expect.stringContaining('it answered 404') })
    expect(given?.error).not.toContain('s3cret-path')
  }))

test('a receiver that is away does not learn its address from the log, and is told when it is back', () =>
  onStage(
    async ({ runner, tell }) => {
      await runner.startWorkers()
      await runOf(runner, 'fails')
      await tell()
      expect(await listNotices(runner.parts.database, 5)).toMatchObject([
        { state: 'waiting', error: 'the webhook on-call did not take a notice: ECONNREFUSED' },
      ])
    },
    { url: new Secret('http://127.0.0.1:1/s3cret') },
  ))

test('the same of the same subject is folded for a while, and the next notice says how many', () =>
  onStage(async ({ runner, receiver, clock, tell }) => {
    await runner.startWorkers()
    for (let n = 0; n < 3; n++) {
      await runOf(runner, 'fails')
      await tell()
      clock.at += 60_000
    }
    expect(receiver.deliveries).toHaveLength(1)
    clock.at += 3_600_000
    await runOf(runner, 'fails')
    await tell()
    expect(receiver.deliveries.map(({ body }) => body['folded'])).toEqual([undefined, 2])
  }))

test('a run that reads nothing, and each plan that waits, are told', () =>
  onStage(async ({ runner, receiver, tell, kinds }) => {
    await runner.startWorkers()
    await runOf(runner, 'reads', { rows: 3 })
    await runOf(runner, 'quiet', { rows: 0 })
    await runOf(runner, 'reads', { rows: 0 })
    await runOf(runner, 'asks')
    await runOf(runner, 'asks')
    await tell()
    expect(kinds().map(String).toSorted()).toEqual(['plan-waiting', 'plan-waiting', 'zero-rows'])
    const plan = receiver.deliveries.find(({ body }) => body['kind'] === 'plan-waiting')
    expect(plan?.body['plan']).toMatchObject({ counts: { rows: 9 }, reasons: ['too many'], hash: expect.any(String) })
  }))

test('what a job says a person should look at is told, although its run succeeded', () =>
  onStage(async ({ runner, receiver, tell }) => {
    await runner.startWorkers()
    await runOf(runner, 'reads', { rows: 1 })
    const id = await runOf(runner, 'worries', { rows: 1 })
    await tell()
    await tell()
    expect(receiver.deliveries.map(({ body }) => body)).toMatchObject([
      {
        kind: 'alarm',
        subject: 'worries',
        alarms: ['coverage of columns falls'],
        text: `worries: run ${id}: coverage of columns falls`,
        run: { id, state: 'succeeded' },
      },
    ])
  }))

test('a slot that no worker takes, and one that no scheduler fires, are late', () =>
  onStage(async ({ runner, clock, tell, kinds, receiver }) => {
    const schedule = {
      cron: '0 * * * *',
      timeZone: 'UTC',
      job: 'reads',
      input: { rows: 1 },
      apply: true,
      catchUp: 'latest',
      catchUpMax: 1,
      overlap: 'allow',
      resources: [],
      enabled: true,
    } as const
    await syncSchedules(runner.parts, [{ ...schedule, id: 'hourly' }])
    clock.at += 3_600_000
    await tick(runner.parts) // there is no worker
    await tell()
    expect(kinds()).toEqual([])
    clock.at += 900_001
    await tell()
    expect(receiver.deliveries.map(({ body }) => body['text'])).toEqual([
      expect.stringMatching(/^hourly: run hourly\..* has not begun: no worker takes it$/),
    ])
    await syncSchedules(runner.parts, [
      { ...schedule, id: 'hourly' },
      { ...schedule, id: 'other' },
    ])
    clock.at += 7_200_000 // nobody ticks
    await tell()
    expect(receiver.deliveries.at(-1)?.body).toMatchObject({
      kind: 'late',
      subject: 'other',
      text: expect.stringContaining('no scheduler ticks'),
    })
  }))

test('what happened before a receiver was configured is not told', () =>
  onStage(
    async ({ runner, clock, receiver, settings }) => {
      await runner.startWorkers()
      await runOf(runner, 'fails')
      clock.at += 1_000
      const [known] = settings.receivers
      if (known === undefined) throw new Error('there is no receiver')
      const later = { ...settings, receivers: [{ ...known, name: 'new-one' }] }
      await tellNews(runner.parts, later)
      expect(receiver.deliveries).toHaveLength(0)
    },
    { on: ['late'] },
  ))
