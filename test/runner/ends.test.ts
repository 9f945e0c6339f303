/** Ends that no job chooses: its result does not fit, its worker stops, is lost, or is no longer its worker. */
import { expect, test } from 'vitest'
import { postNotice } from '../../src/client/webhook.ts'
import { Secret } from '../../src/model/secret.ts'
import { defineJob, Type, type RunContext } from '../../src/runner/define-job.ts'
import { readRun } from '../../src/store/ledger/runs.ts'
import { webhookReceiver } from '../support/receiver.ts'
import { WORKER_DEFAULTS } from '../../src/runner/workers.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'

function job(name: string, work: (context: RunContext<object>) => Promise<object | void>) {
  return defineJob({
    name,
    summary: name,
    byHand: 'apply',
    input: Type.Object({}),
    queue: { attempts: 1 },
    run: async (context) => ({ report: { told: (await work(context)) ?? {} } as never, lines: [] }),
  })
}

test('a report or a checkpoint that does not fit its row fails the run, and says where to put it', async () => {
  const talks = job('talks', () => Promise.resolve({ text: 'x'.repeat(300_000) }))
  const notes = job('notes', ({ checkpoints }) => checkpoints.save('all', 'x'.repeat(70_000)))
  await using runner = await testRunner('postgres', [talks, notes])
  await runner.startWorkers()
  for (const name of ['talks', 'notes']) {
    const { id } = await runner.submit({ job: name, input: {} })
    expect((await runner.end(id)).run).toMatchObject({
      state: 'failed',
      error: { code: 'RESULT_TOO_LARGE', remedy: expect.stringContaining('artifacts') },
    })
  }
})

test('a worker that was overtaken cannot write any more, and leaves the run to the other', async () => {
  const refused = Promise.withResolvers<unknown>()
  const begun = Promise.withResolvers<void>()
  const overtaken = Promise.withResolvers<void>()
  const slow = job('slow', async ({ checkpoints }) => {
    begun.resolve()
    await overtaken.promise
    await checkpoints.save('late', 1).catch((error: unknown) => refused.resolve(error))
  })
  await using runner = await testRunner('postgres', [slow])
  await runner.startWorkers({ heartbeatMs: 60_000 })
  const { id } = await runner.submit({ job: 'slow', input: {} })
  await begun.promise
  await runner.parts.database.execute(
    `update ledger.run set attempt = 2, worker = 'another', heartbeat_ms = 4e12 where id = $1`,
    [id],
  )
  overtaken.resolve()
  await expect(refused.promise).resolves.toMatchObject({ code: 'RUN_TAKEN_OVER' })
  expect(await readRun(runner.parts.database, id)).toMatchObject({ state: 'running', attempt: 2, worker: 'another' })
})

test('a run that loses too many workers fails for good', async () => {
  const begun = Promise.withResolvers<void>()
  const stuck = job('stuck', async ({ signal }) => {
    begun.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  })
  await using runner = await testRunner('postgres', [stuck])
  await runner.startWorkers({ heartbeatMs: 60_000, graceMs: 50 })
  const { id } = await runner.submit({ job: 'stuck', input: {} })
  await begun.promise
  await runner.parts.database.execute('update ledger.run set heartbeat_ms = 0 where id = $1', [id])
  await runner.sweepNow({ maxStalls: 0 })
  expect((await runner.end(id)).run).toMatchObject({
    state: 'failed',
    error: { code: 'WORKER_LOST', message: 'the run lost its worker once' },
  })
})

test('a job learns that its worker stops by the reason of its signal', async () => {
  const begun = Promise.withResolvers<void>()
  const reasons: unknown[] = []
  const listens = job('listens', async ({ stop }) => {
    begun.resolve()
    await new Promise<void>((done) => stop.addEventListener('abort', () => done()))
    reasons.push(stop.reason)
    stop.throwIfAborted()
  })
  await using runner = await testRunner('postgres', [listens])
  const workers = await runner.startWorkers()
  const { id } = await runner.submit({ job: 'listens', input: {} })
  await begun.promise
  await workers.close()
  expect(reasons).toMatchObject([{ code: 'WORKER_STOPPING', retryable: true }])
  expect(await readRun(runner.parts.database, id)).toMatchObject({ state: 'queued', failures: 0 })
})

test('a receiver that refuses a notice is named, and its address is not', async () => {
  await using receiver = await webhookReceiver()
  receiver.answer(403)
  const webhook = { name: 'on-call', url: new Secret(receiver.url) }
  const notice = { delivery: 'failed:run-1', body: { kind: 'failed' } }
  await expect(postNotice(webhook, notice)).rejects.toMatchObject({
    code: 'WEBHOOK_FAILED',
    message: 'the webhook on-call did not take a notice: it answered 403',
  })
})

test('the queue locks a run for as long as its job says, a minute where it says nothing', async () => {
  const locked: Record<string, number> = {}
  const noting = (name: string, lockDurationMs?: number) =>
    defineJob({
      name,
      summary: 'Notes how long it is locked',
      byHand: 'apply',
      input: Type.Object({}),
      queue: { attempts: 1, ...(lockDurationMs === undefined ? {} : { lockDurationMs }) },
      async run({ runId }) {
        const [row] = await runner.parts.database.rows<{ ms: number }>(
          `select (locked_until_ms - extract(epoch from clock_timestamp()) * 1000)::float8 as ms from bullmq.job
           where locked_until_ms is not null and data::text like '%' || $1 || '%'`,
          [runId],
        )
        locked[name] = row?.ms ?? 0
        return { report: {}, lines: [] }
      },
    })
  await using runner: TestRunner = await testRunner('postgres', [noting('usual'), noting('long', 600_000)])
  await runner.startWorkers({ ...WORKER_DEFAULTS, lockDurationMs: undefined })
  for (const name of ['usual', 'long']) await runner.end((await runner.submit({ job: name, input: {} })).id)
  expect(locked['usual']).toBeGreaterThan(20_000)
  expect(locked['usual']).toBeLessThanOrEqual(60_000)
  expect(locked['long']).toBeGreaterThan(500_000)
})
