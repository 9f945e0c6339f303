import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CatalogClient } from '../../../src/client/catalog-client.ts'
import { replaceAspect, type AspectChange } from '../../../src/client/change.ts'
import { emit, type EmitOptions, type EmitReport } from '../../../src/client/emitter.ts'
import { MemoryJournal } from '../../../src/client/journal.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import { asUrn } from '../../../src/model/urn.ts'
import type { ProgressReport } from '../../../src/observe/progress.ts'
import { eventually } from '../../support/eventually.ts'
import { StubCatalog, type SeenRequest } from '../../support/stub-catalog.ts'

const QUICK = { firstDelayMs: 2, maxDelayMs: 10, deadlineMs: 5000 }

let stub: StubCatalog
let client: CatalogClient
let journal: MemoryJournal

beforeEach(async () => {
  stub = await StubCatalog.start()
  client = new CatalogClient({ url: stub.url, timeoutMs: 300 }, { retry: QUICK })
  journal = new MemoryJournal()
})

afterEach(async () => {
  await client.close()
  await stub.close()
})

const tagUrn = (n: number) => asUrn(`urn:li:tag:t${n}`)

function aTag(n: number, name = `Tag ${n}`): AspectChange {
  return { urn: tagUrn(n), aspectName: 'tagProperties', intent: { name }, merge: replaceAspect }
}

function tags(count: number): readonly AspectChange[] {
  return Array.from({ length: count }, (_, n) => aTag(n))
}

function run(changes: readonly AspectChange[], options: Partial<EmitOptions> = {}): Promise<EmitReport> {
  return emit(changes, { sink: client, journal, runId: 'run-1', policy: QUICK, ...options })
}

/** Adds an item to the end of a list. */
function append(current: JsonObject | undefined, intent: JsonObject): JsonObject {
  return { list: [...((current?.['list'] as string[] | undefined) ?? []), intent['item'] ?? null] }
}

function* endlessTags(): Generator<AspectChange> {
  for (let n = 0; ; n++) yield aTag(n)
}

/** The first `times` writes meet the fault. */
function onWrites(times: number, fault: NonNullable<ReturnType<StubCatalog['fault']>>): void {
  let left = times
  stub.fault = (request) => (request.members.length > 0 && left-- > 0 ? fault : undefined)
}

function versions(): readonly number[] {
  return [...stub.aspects.values()].map((stored) => stored.version)
}

test('writes in batches, and a second run sends nothing', async () => {
  const first = await run(tags(450))
  expect(first).toMatchObject({
    made: 450,
    counts: { written: 450, unchanged: 0, refused: 0, dead: 0 },
    deadLetters: 0,
  })
  // Two are under way at once, so they arrive in any order.
  expect(stub.writes.map((write) => write.members.length).toSorted((a, b) => b - a)).toEqual([200, 200, 50])

  const second = await run(tags(450), { journal: new MemoryJournal() })
  expect(second.counts).toEqual({ written: 0, unchanged: 450, refused: 0, dead: 0 })
  expect(stub.writes).toHaveLength(3)
})

test('sends the inner JSON in ASCII and names the run', async () => {
  await run([aTag(1, 'größe 🦆')])
  const [member] = stub.writes[0]?.members ?? []
  expect(member?.aspect?.value).toBe('{"name":"gr\\u00f6\\u00dfe \\ud83e\\udd86"}')
  expect(member).toMatchObject({ systemMetadata: { runId: 'run-1' }, changeType: 'UPSERT' })
  expect(stub.aspect('urn:li:tag:t1', 'tagProperties')?.value).toEqual({ name: 'größe 🦆' })
})

test('a catalog without batched reads is read one by one', async () => {
  stub.batchedReads = false
  stub.put('urn:li:tag:t1', 'tagProperties', { name: 'Tag 1' })
  const report = await run(tags(3))
  expect(report.counts).toMatchObject({ written: 2, unchanged: 1 })
})

test('changes of one aspect are applied in order, each on what the former wrote', async () => {
  const changes = Array.from({ length: 30 }, (_, n): AspectChange => {
    return { urn: tagUrn(n % 3), aspectName: 'list', intent: { item: n }, merge: append }
  })
  const report = await run(changes, { maxBatch: 4 })
  expect(report.counts.written).toBe(30)
  expect(stub.aspect('urn:li:tag:t1', 'list')?.value).toEqual({ list: [1, 4, 7, 10, 13, 16, 19, 22, 25, 28] })
})

describe('faults', () => {
  test('429 is obeyed: nothing is sent before Retry-After has passed, and concurrency halves', async () => {
    const times: number[] = []
    let throttled = false
    stub.fault = (request) => {
      if (request.members.length === 0) return undefined
      times.push(performance.now())
      if (throttled) return undefined
      throttled = true
      return { kind: 'status', status: 429, headers: { 'retry-after': '0.2' } }
    }
    const concurrency: number[] = []
    const progress = {
      report: ({ counts }: { counts?: Readonly<Record<string, number>> }) =>
        void concurrency.push(counts?.['concurrency'] ?? 0),
    }
    const report = await run(tags(10), { maxBatch: 1, startConcurrency: 4, maxConcurrency: 4, progress })
    expect(report.counts.written).toBe(10)
    const [first = 0] = times
    // The four under way when the answer came may still arrive; a new one may not.
    expect(times.filter((time) => time - first < 195).length).toBeLessThanOrEqual(4)
    expect(concurrency[0]).toBeLessThanOrEqual(2)
  })

  test('503 may come back more often than five times, and each time is told at once', async () => {
    onWrites(8, { kind: 'status', status: 503 })
    const told: unknown[] = []
    const waits: string[] = []
    const progress = {
      report: ({ done, counts, waiting }: ProgressReport) => {
        if (waiting !== undefined) waits.push(waiting)
        else told.push([done, counts?.['concurrency'], counts?.['backOffs']])
      },
    }
    // Alone, it would be blamed for it, were this not about the catalog.
    const report = await run(tags(1), { progress, startConcurrency: 4 })
    expect(report.counts).toEqual({ written: 1, unchanged: 0, refused: 0, dead: 0 })
    const first = [0, 2, 1]
    const rest = Array.from({ length: 7 }, (_, n) => [0, 1, n + 2])
    expect(told).toEqual([first, ...rest, [1, expect.any(Number), 8]])
    expect(waits).toEqual(Array(8).fill(expect.stringMatching(/^waits \d+ s to try again: CATALOG_FAILED .*503/)))
  })

  test.each([true, false])('an answer lost after the write adds no version (versions told: %s)', async (told) => {
    stub.versions = told
    for (const n of [1, 2, 3]) stub.put(tagUrn(n), 'tagProperties', { name: 'old' })
    onWrites(1, { kind: 'lost' })
    const report = await run(tags(4))
    expect(report.counts).toEqual({ written: 4, unchanged: 0, refused: 0, dead: 0 })
    expect(versions().toSorted((a, b) => a - b)).toEqual([1, 2, 2, 2])
    expect(stub.writes).toHaveLength(1)
  })

  test('a reset connection and a request that hangs are tried again', async () => {
    const faults = [{ kind: 'reset' }, { kind: 'hang' }, { kind: 'reset' }] as const
    let next = 0
    stub.fault = (request) => (request.members.length > 0 ? faults[next++] : undefined)
    expect((await run(tags(5))).counts.written).toBe(5)
    expect(versions()).toEqual([1, 1, 1, 1, 1])
  })

  test('a poisoned member loses only itself', async () => {
    stub.poisoned = (member) => member.entityUrn === 'urn:li:tag:t42' || member.entityUrn === 'urn:li:tag:t142'
    const report = await run(tags(200))
    expect(report.counts).toEqual({ written: 198, unchanged: 0, refused: 2, dead: 0 })
    expect(versions()).toEqual(Array.from({ length: 198 }, () => 1))
    expect(journal.deadLetters.map((letter) => [letter.proposal.entityUrn, letter.code, letter.outcome])).toEqual([
      ['urn:li:tag:t42', 'PROPOSAL_REFUSED', 'refused'],
      ['urn:li:tag:t142', 'PROPOSAL_REFUSED', 'refused'],
    ])
  })

  test('a member that the catalog answers with 500 is given up alone', async () => {
    stub.poisoned = (member) => member.entityUrn === 'urn:li:tag:t7'
    stub.poisonStatus = 500
    expect((await run(tags(16))).counts).toEqual({ written: 15, unchanged: 0, refused: 0, dead: 1 })
    expect(journal.deadLetters).toMatchObject([{ code: 'CATALOG_FAILED', outcome: 'dead' }])
  })

  test('a catalog that only fails ends the run', async () => {
    stub.poisoned = () => true
    stub.poisonStatus = 500
    await expect(run(tags(100), { policy: { ...QUICK, firstDelayMs: 0 } })).rejects.toMatchObject({
      code: 'CATALOG_FAILED',
    })
  })

  test('401 ends the run at once', async () => {
    onWrites(99, { kind: 'status', status: 401 })
    await expect(run(tags(5))).rejects.toMatchObject({ code: 'UNAUTHORIZED', retryable: false })
    expect(stub.writes).toHaveLength(1)
  })

  test('a catalog that stays away ends the run when the deadline has passed', async () => {
    onWrites(9999, { kind: 'reset' })
    await expect(run(tags(5), { policy: { ...QUICK, deadlineMs: 100 } })).rejects.toMatchObject({
      code: 'CATALOG_AWAY',
      retryable: true,
    })
  })

  test('an aspect that changed in between is merged again, not overwritten', async () => {
    stub.put(tagUrn(1), 'list', { list: ['a'] })
    let meddled = false
    stub.fault = (request) => {
      if (request.members.length > 0 && !meddled) {
        meddled = true
        stub.put(tagUrn(1), 'list', { list: ['a', 'theirs'] })
      }
      return undefined
    }
    await run([{ urn: tagUrn(1), aspectName: 'list', intent: { item: 'ours' }, merge: append }])
    expect(stub.aspect('urn:li:tag:t1', 'list')?.value).toEqual({ list: ['a', 'theirs', 'ours'] })
  })

  test.each([true, false])(
    'a catalog that checks versions (%s) is told them, and the report says how',
    async (checks) => {
      stub.versions = checks
      stub.put(tagUrn(0), 'tagProperties', { name: 'old' })
      const { counts, conditions } = await run(tags(3))
      expect(counts.written).toBe(3)
      expect(conditions).toEqual(checks ? { checked: 3, reread: 0 } : { checked: 0, reread: 3 })
      const named = stub.writes.flatMap(({ members }) => members.map(({ headers }) => headers?.['If-Version-Match']))
      expect(named).toEqual(checks ? ['1', '-1', '-1'] : [undefined, undefined, undefined])
    },
  )

  test('a change that its own merge refuses is a dead letter, the rest goes on', async () => {
    const refuse: AspectChange = {
      ...aTag(1),
      merge: () => {
        throw new Error('no such thing')
      },
    }
    const report = await run([refuse, aTag(2)])
    expect(report.counts).toEqual({ written: 1, unchanged: 0, refused: 1, dead: 0 })
  })
})

function reads(): number {
  return stub.requests.filter(({ path }) => path.includes('batchGet')).length
}

test('events of one entity travel together: nothing is read, named as a condition, or kept for an undo', async () => {
  stub.versions = true
  stub.put(tagUrn(0), 'tagProperties', { name: 'Tag 0' })
  await client.read([{ urn: tagUrn(0), aspectName: 'tagProperties' }])
  const sent: number[] = []
  const kept = journal.sent.bind(journal)
  journal.sent = (batch) => {
    sent.push(batch.images?.length ?? 0)
    return kept(batch)
  }
  const dataset = asUrn('urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)')
  const { counts } = await run(
    Array.from({ length: 150 }, (_, n) => ({
      urn: dataset,
      aspectName: 'operation',
      intent: { timestampMillis: n, operationType: 'INSERT', lastUpdatedTimestamp: n },
      merge: replaceAspect,
    })),
  )
  expect(counts).toEqual({ written: 150, unchanged: 0, refused: 0, dead: 0 })
  expect([reads(), stub.writes.length, sent]).toEqual([1, 1, [0]])
  expect(stub.writes[0]?.members.map(({ headers }) => headers)).not.toContainEqual(expect.anything())
})

describe('what a plan found', () => {
  const planned: readonly AspectChange[] = [
    { ...aTag(1), found: 'absent' },
    { ...aTag(2), found: 'same' },
  ]

  test('is not read again from a catalog that checks conditions', async () => {
    stub.versions = true
    stub.put(tagUrn(0), 'tagProperties', { name: 'Tag 0' })
    stub.put(tagUrn(2), 'tagProperties', { name: 'Tag 2' })
    await client.read([{ urn: tagUrn(0), aspectName: 'tagProperties' }])
    const { counts } = await run(planned)
    expect(counts).toEqual({ written: 1, unchanged: 1, refused: 0, dead: 0 })
    expect(reads()).toBe(1)
  })

  test('is read again from any other', async () => {
    stub.put(tagUrn(1), 'tagProperties', { name: 'Tag 1' })
    const { counts } = await run(planned)
    expect(counts).toEqual({ written: 1, unchanged: 1, refused: 0, dead: 0 })
    expect(reads()).toBe(1)
  })

  test('is merged with what somebody wrote since', async () => {
    stub.versions = true
    stub.put(tagUrn(1), 'list', { list: ['theirs'] })
    await client.read([{ urn: tagUrn(1), aspectName: 'list' }])
    await run([{ urn: tagUrn(1), aspectName: 'list', intent: { item: 'ours' }, merge: append, found: 'absent' }])
    expect(stub.aspect('urn:li:tag:t1', 'list')?.value).toEqual({ list: ['theirs', 'ours'] })
  })

  test('is read again by a later attempt', async () => {
    stub.versions = true
    const dying = new MemoryJournal()
    dying.answered = () => Promise.reject(new Error('killed'))
    await client.read([{ urn: tagUrn(0), aspectName: 'tagProperties' }])
    const one: readonly AspectChange[] = [{ ...aTag(1), found: 'absent' }]
    await expect(run(one, { journal: dying })).rejects.toThrow('killed')
    dying.answered = (...args) => journal.answered(...args)
    const resumed = await run(one, { journal: dying })
    expect(resumed.counts.written).toBe(1)
    expect(versions()).toEqual([1])
  })
})

describe('the journal', () => {
  test('a batch that was answered in an earlier attempt is not sent again, and its counts stay', async () => {
    await run(tags(5))
    const requests = stub.requests.length
    const second = await run(tags(5))
    expect(second.counts).toEqual({ written: 5, unchanged: 0, refused: 0, dead: 0 })
    expect(stub.requests).toHaveLength(requests)
  })

  test('a batch that was sent and not answered counts as written where it arrived', async () => {
    stub.put(tagUrn(0), 'tagProperties', { name: 'Tag 0' })
    const dying = new MemoryJournal()
    dying.answered = () => Promise.reject(new Error('killed'))
    await expect(run(tags(5), { journal: dying })).rejects.toThrow('killed')
    expect(versions()).toEqual([1, 1, 1, 1, 1])

    dying.answered = (...args) => journal.answered(...args)
    const resumed = await run(tags(5), { journal: dying })
    expect(resumed.counts).toEqual({ written: 4, unchanged: 1, refused: 0, dead: 0 })
    expect(versions()).toEqual([1, 1, 1, 1, 1])
  })
})

test('stop ends at a batch border: what is under way is finished and counted', async () => {
  const stop = new AbortController()
  const counted: number[] = []
  const stopped = emit(endlessTags(), {
    sink: client,
    journal,
    runId: 'run-1',
    stop: stop.signal,
    maxBatch: 10,
    onBatch(made) {
      counted.push(made)
      if (counted.length === 3) stop.abort(new Error('stopped'))
    },
  })
  await expect(stopped).rejects.toThrow('stopped')
  expect(counted.length * 10).toBe(stub.aspects.size)
})

test('concurrency grows with success and is bounded', async () => {
  const seen: number[] = []
  const progress = {
    report: ({ counts }: { counts?: Readonly<Record<string, number>> }) => void seen.push(counts?.['concurrency'] ?? 0),
  }
  await run(tags(300), { maxBatch: 2, startConcurrency: 1, maxConcurrency: 3, progress })
  expect(seen.at(-1)).toBe(3)
  expect(stub.peakWrites).toBeLessThanOrEqual(3)
})

function isWrite(request: SeenRequest): boolean {
  return request.members.length > 0
}

test('batches are bounded in bytes', async () => {
  const long = 'x'.repeat(1000)
  await run(
    Array.from({ length: 20 }, (_, n) => aTag(n, long)),
    { maxBatchBytes: 5000 },
  )
  const sizes = stub.requests.filter(isWrite).map((request) => Number(request.headers['content-length']))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5100)
  expect(sizes.length).toBeGreaterThanOrEqual(5)
})

test('a signal ends everything at once, with its own reason, also while the catalog is waited for', async () => {
  onWrites(99, { kind: 'status', status: 429, headers: { 'retry-after': '30' } })
  const end = new AbortController()
  const ended = run(tags(50), { maxBatch: 5, signal: end.signal, policy: { ...QUICK, deadlineMs: 60_000 } })
  await Promise.all([
    expect(ended).rejects.toThrow('told to end'),
    eventually(() => expect(stub.writes.length).toBeGreaterThan(0)).then(() => end.abort(new Error('told to end'))),
  ])
})
