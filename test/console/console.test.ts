import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTokens } from '../../src/catalog/tokens/tokens.ts'
import { startConsole, type ConsoleOptions } from '../../src/console/console.ts'
import { createAuthentication } from '../../src/http/access.ts'
import { asUrn } from '../../src/model/urn.ts'
import { defineJob, Type } from '../../src/runner/define-job.ts'
import { syncSchedules } from '../../src/runner/schedules.ts'
import { readPlan } from '../../src/store/ledger/plans.ts'
import { eventually } from '../support/eventually.ts'
import { testRunner, type TestRunner } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TOKEN = 'the-service-token'

const gated = defineJob({
  name: 'gated',
  summary: 'Waits for a person',
  byHand: 'plan',
  input: Type.Object({ rows: Type.Integer({ default: 1 }) }, { additionalProperties: false }),
  plan: ({ clock, input: { rows } }) =>
    Promise.resolve({
      counts: { rows },
      lines: [`${rows} rows go`],
      body: {},
      expiresAtMs: clock.now() + 600_000,
      nothingToDo: false,
    }),
  check: () => ({ decision: 'ask', reasons: ['always asks'] }),
  run: ({ balance }) => {
    balance.records({ read: 2, used: 2 })
    balance.proposals({ made: 2, written: 2 })
    return Promise.resolve({ report: {}, lines: ['gone'] })
  },
})

interface Answer {
  readonly status: number
  readonly body: Record<string, never>
  readonly text: string
  readonly headers: Headers
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

async function withConsole(
  work: (facts: { readonly call: Call; readonly runner: TestRunner; readonly folder: string }) => Promise<void>,
  { token, ...options }: Partial<ConsoleOptions> & { readonly token?: string } = {},
): Promise<void> {
  await using runner = await testRunner('postgres', [gated])
  await using folder = await temporaryFolder()
  const { parts } = runner
  const console = await startConsole({
    parts,
    metrics: parts.metrics,
    host: '127.0.0.1',
    port: 0,
    closed: token !== undefined,
    authenticate: createAuthentication(token, createTokens(parts)),
    runsFolder: folder.path,
    completeInput: (input) => Promise.resolve(input),
    ...options,
  })
  const call: Call = async (method, path, body, headers = {}) => {
    const response = await fetch(console.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, text, body: json ? JSON.parse(text) : {}, headers: response.headers }
  }
  try {
    await work({ call, runner, folder: folder.path })
  } finally {
    await console.close()
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const basic = (name: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${token}`).toString('base64')}`,
})

test('whoever opens its address learns what there is', () =>
  withConsole(async ({ call }) => {
    const { see = [] } = (await call('GET', '/')).body as Record<string, string[]>
    expect(see).toContain('/api/runs')
    for (const path of see) expect(await call('GET', path), path).toMatchObject({ status: 200 })
  }))

test('a run is asked for, its plan looked at and approved, and who and when are kept', () =>
  withConsole(async ({ call, runner }) => {
    await runner.startWorkers()
    const asked = await call('POST', '/api/runs', { job: 'gated', input: { rows: 7 }, by: 'ann' })
    expect(asked).toMatchObject({ status: 201, body: { run: { requestedBy: 'ann', input: { rows: 7 } } } })
    const { id } = (asked.body as Record<string, Record<string, string>>)['run'] ?? {}
    expect(asked.headers.get('location')).toBe(`/api/runs/${id}`)
    await runner.end(id ?? '')
    const waiting = await call('GET', '/api/plans?state=awaiting')
    const [plan] = (waiting.body as Record<string, Record<string, string>[]>)['plans'] ?? []
    expect(plan).toMatchObject({ job: 'gated', counts: { rows: 7 }, reasons: ['always asks'] })
    const other = await call('POST', `/api/plans/${plan?.['id']}/approve`, { by: 'ann', hash: 'of another plan' })
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'PLAN_CHANGED' } } })
    const before = Date.now()
    const approved = await call('POST', `/api/plans/${plan?.['id']}/approve`, { by: 'ann', hash: plan?.['hash'] })
    expect(approved).toMatchObject({ status: 200, body: { plan: { state: 'approved', decidedBy: 'ann' } } })
    const row = await readPlan(runner.parts.database, plan?.['id'] ?? '')
    expect(row?.decidedMs).toBeGreaterThanOrEqual(before)
    expect((await runner.end(`apply-${plan?.['id']}`)).run.state).toBe('succeeded')
    const again = await call('POST', `/api/plans/${plan?.['id']}/reject`, { by: 'bob' })
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'PLAN_STATE' } } })
    const shown = await call('GET', `/api/runs/apply-${plan?.['id']}`)
    expect(shown.body).toMatchObject({ run: { state: 'succeeded' }, attempts: [{ number: 1 }], deadLetters: [] })
    const log = await call('GET', `/api/runs/${id}/log`)
    expect(log).toMatchObject({ status: 404, body: { error: { code: 'RUN_LOG_NOT_FOUND' } } })
  }))

test('a run is cancelled and asked for again; its log is read', () =>
  withConsole(async ({ call, runner, folder }) => {
    const { id } = await runner.submit({ job: 'gated', input: {} })
    await mkdir(join(folder, id))
    await writeFile(join(folder, id, 'run.ndjson'), '{"msg":"run started"}\n')
    expect((await call('GET', `/api/runs/${id}/log`)).text).toBe('{"msg":"run started"}\n')
    expect(await call('POST', `/api/runs/${id}/cancel`, { by: 'ann' })).toMatchObject({
      status: 200,
      body: { ended: true, run: { state: 'cancelled', cancelRequestedBy: 'ann' } },
    })
    expect(await call('POST', `/api/runs/${id}/retry`)).toMatchObject({
      status: 201,
      body: { run: { retryOf: id, requestedBy: 'http' } },
    })
    expect((await call('GET', '/api/runs?state=cancelled&job=gated')).body).toMatchObject({ runs: [{ id }] })
  }))

test('schedules are listed with their next slots, paused, triggered and filled', () =>
  withConsole(async ({ call, runner }) => {
    await syncSchedules(runner.parts, [
      {
        id: 'nightly',
        cron: '0 2 * * *',
        timeZone: 'Europe/Berlin',
        job: 'gated',
        input: {},
        apply: true,
        catchUp: 'latest',
        catchUpMax: 1,
        overlap: 'allow',
        resources: [],
        enabled: true,
      },
    ])
    const listed = (await call('GET', '/api/schedules')).body as Record<string, { slots: number[] }[]>
    expect(listed['schedules']?.[0]?.slots).toHaveLength(5)
    expect((await call('POST', '/api/schedules/nightly/pause')).body).toEqual({ schedule: 'nightly', paused: true })
    expect((await call('GET', '/api/schedules')).body).toMatchObject({ schedules: [{ paused: true, slots: [] }] })
    await call('POST', '/api/schedules/nightly/resume')
    expect(await call('POST', '/api/schedules/nightly/trigger', { by: 'ann' })).toMatchObject({
      status: 201,
      body: { run: { scheduleId: 'nightly', trigger: 'hand', requestedBy: 'ann' } },
    })
    const span = { from: '2026-03-01T00:00:00Z', to: '2026-03-03T12:00:00Z' }
    const dry = await call('POST', '/api/schedules/nightly/backfill', { ...span, dryRun: true })
    expect(dry.body).toMatchObject({ runs: [] })
    const filled = await call('POST', '/api/schedules/nightly/backfill', span)
    expect((filled.body as Record<string, unknown[]>)['runs']).toHaveLength(3)
    expect(await call('POST', '/api/schedules/nightl/pause')).toMatchObject({ status: 404 })
  }))

test('what is wrong with a request is named with its place', () =>
  withConsole(async ({ call }) => {
    const wrong = [
      [await call('POST', '/api/runs', { job: 'gated', inptu: {} }), 400, 'DECODE', 'body.inptu'],
      [await call('POST', '/api/runs', { job: 'gated', input: { rows: 'many' } }), 400, 'DECODE', 'rows'],
      [await call('POST', '/api/runs', { job: 'gate' }), 404, 'JOB_UNKNOWN', 'gated'],
      [await call('GET', '/api/runs?state=runing'), 400, 'DECODE', 'running'],
      [await call('GET', '/api/runs?limit=0'), 400, 'DECODE', 'query.limit'],
      [await call('GET', '/api/runs/nothing'), 404, 'RUN_NOT_FOUND', 'nothing'],
      [await call('GET', '/api/plans/nothing'), 404, 'PLAN_NOT_FOUND', 'nothing'],
      [await call('GET', '/api/nothing'), 404, 'NOT_FOUND', '/api/nothing'],
      [await call('POST', '/api/runs', '{"job":'), 400, 'FST_ERR_CTP_INVALID_JSON_BODY', 'JSON'],
      [await call('POST', '/api/runs', '{"__proto__":{}}'), 400, 'FST_ERR_CTP_INVALID_JSON_BODY', ''],
      [await call('POST', '/api/runs', `"${'x'.repeat(2_000_000)}"`), 413, 'FST_ERR_CTP_BODY_TOO_LARGE', ''],
    ] as const
    for (const [answer, status, code, words] of wrong) {
      expect(answer).toMatchObject({ status, body: { error: { code } } })
      expect(answer.text).toContain(words)
    }
  }))

test('with a token nothing but health answers without it; scopes hold; a personal token names its user', () =>
  withConsole(
    async ({ call, runner }) => {
      const routes = [
        '/metrics',
        '/queues',
        '/queues/api/queues',
        '/api/runs',
        '/api/plans',
        '/api/schedules',
        '/api/jobs',
      ]
      for (const path of routes) {
        expect((await call('GET', path)).status, path).toBe(401)
        expect((await call('GET', path, undefined, bearer('wrong'))).status, path).toBe(401)
        expect((await call('GET', path, undefined, bearer(TOKEN))).status, path).toBe(200)
        expect((await call('GET', path, undefined, basic('ann', TOKEN))).status, path).toBe(200)
      }
      expect((await call('GET', '/api/runs')).headers.get('www-authenticate')).toContain('Basic')
      expect((await call('GET', '/health/live')).status).toBe(200)
      expect((await call('GET', '/health/ready')).status).toBe(200)

      const tokens = createTokens(runner.parts)
      const bob = { actor: asUrn('urn:li:corpuser:bob'), owner: asUrn('urn:li:corpuser:bob') }
      const reader = await tokens.create({ ...bob, name: 'reads', scopes: ['read'] })
      const operator = await tokens.create({ ...bob, name: 'operates', scopes: ['read', 'operate'] })
      const run = { job: 'gated', by: 'somebody else' }
      expect((await call('GET', '/api/runs', undefined, bearer(reader.text))).status).toBe(200)
      expect(await call('POST', '/api/runs', run, bearer(reader.text))).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN' } },
      })
      expect(await call('POST', '/api/runs', run, bearer(operator.text))).toMatchObject({
        status: 201,
        body: { run: { requestedBy: 'bob' } },
      })
      expect(await call('POST', '/api/runs', { job: 'gated' }, basic('ann', TOKEN))).toMatchObject({
        body: { run: { requestedBy: 'ann' } },
      })
    },
    { token: TOKEN },
  ))

test('an open console refuses foreign names and pages; beyond loopback it does not start', async () => {
  await withConsole(async ({ call }) => {
    const foreign = { origin: 'http://evil.example' }
    expect(await call('POST', '/api/runs', { job: 'gated' }, foreign)).toMatchObject({ status: 403 })
    expect((await call('GET', '/api/runs')).body).toEqual({ runs: [] })
  })
  await expect(withConsole(() => Promise.resolve(), { host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'OPEN_BEYOND_LOOPBACK',
    message: expect.stringContaining('the console'),
  })
})

test('ready says which part is missing, and why', () =>
  withConsole(
    async ({ call, runner }) => {
      const late = await call('GET', '/health/ready')
      expect(late).toMatchObject({
        status: 503,
        body: {
          ready: false,
          parts: {
            database: { ok: true },
            queue: { ok: true },
            scheduler: { ok: false, reason: expect.stringContaining('60 s ago') },
            worker: { ok: false },
          },
        },
      })
      await runner.parts.database.execute(`insert into headwater.migration (version, name) values (9999, 'later')`)
      expect((await call('GET', '/health/ready')).body).toMatchObject({
        parts: { database: { ok: false, reason: expect.stringContaining('schema version 9999') } },
      })
      expect((await call('GET', '/health/live')).status).toBe(200)
    },
    { ticking: { lastTickMs: () => Date.now() - 60_000 }, working: () => false },
  ))

test('metrics tell what the ledger holds and what this process did', () =>
  withConsole(async ({ call, runner }) => {
    const waiting = await runner.submit({ job: 'gated', input: {} })
    const value = async (series: string) => {
      const { text } = await call('GET', '/metrics')
      const line = text.split('\n').find((each) => each.startsWith(`${series} `))
      return line === undefined ? undefined : Number(line.slice(series.length))
    }
    expect(await value('headwater_runs_open{job="gated",state="queued"}')).toBe(1)
    expect(await value('headwater_queue_jobs{queue="gated",state="waiting"}')).toBe(1)
    expect(await value('headwater_postgres_bytes{schema="ledger"}')).toBeGreaterThan(10_000)
    await runner.startWorkers()
    await runner.end(waiting.id)
    expect(await value('headwater_plans_open{job="gated",state="awaiting"}')).toBe(1)
    expect(await value('headwater_runs_open{job="gated",state="queued"}')).toBeUndefined()
    const [plan] = ((await call('GET', '/api/plans')).body as Record<string, { id: string }[]>)['plans'] ?? []
    await call('POST', `/api/plans/${plan?.id}/approve`)
    await runner.end(`apply-${plan?.id}`)
    await eventually(async () =>
      expect(await value('headwater_plans_open{job="gated",state="awaiting"}')).toBeUndefined(),
    )
    expect(await value('headwater_up{part="database"}')).toBe(1)
  }))

test('the page of the queues shows them, and changes nothing', () =>
  withConsole(async ({ call, runner }) => {
    const { id } = await runner.submit({ job: 'gated', input: {} })
    const page = await call('GET', '/queues')
    expect(page.text).toContain('<title>')
    const asset = /(?:src|href)="([^"]+\.(?:js|css))"/.exec(page.text)?.[1] ?? ''
    expect((await call('GET', new URL(asset, 'http://x/queues/').pathname)).status).toBe(200)
    const { body } = await call('GET', '/queues/api/queues?activeQueue=gated&status=waiting')
    expect(body).toMatchObject({ queues: [{ name: 'gated', readOnlyMode: true, counts: { waiting: 1 } }] })
    const moved = await call('PUT', `/queues/api/queues/gated/${id}/clean`, {})
    expect(moved.status).toBeGreaterThanOrEqual(400)
  }))
