import { afterEach, describe, expect, test } from 'vitest'
import { BatchRunner } from '../../../src/sql/workers/batch-runner.ts'
import { dedupeKey } from '../../../src/sql/workers/dedupe.ts'
import { inOrder } from '../../../src/sql/workers/in-order.ts'
import { lineGroups } from '../../../src/sql/workers/line-groups.ts'
import { LineagePool } from '../../../src/sql/workers/pool.ts'
import { Recent } from '../../../src/sql/workers/recent.ts'
import type { LineageRequest } from '../../../src/sql/workers/request.ts'
import { numberOf, Sightings } from '../../../src/sql/workers/sightings.ts'
import { scanTables } from '../../../src/sql/workers/token-scan.ts'
import { pack, unpack } from '../../../src/sql/workers/wire.ts'
import { parseLineage, type ScriptLineage } from '../../../src/sql/index.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function using<T extends { close(): Promise<void> }>(one: T): T {
  open.push(one)
  return one
}

const OPTIONS = { dialect: 'postgres' }

function request(sql: string, options: LineageRequest['options'] = OPTIONS): LineageRequest {
  return { sql, options }
}

describe('the latest entries', () => {
  test('are kept, the oldest let go, and one that is asked for stays', () => {
    const recent = new Recent<number>(8)
    for (let i = 0; i < 100; i++) {
      recent.set(`key ${i}`, i)
      expect(recent.get('key 0')).toBe(0)
    }
    const kept = Array.from({ length: 100 }, (_, i) => i).filter((i) => recent.get(`key ${i}`) === i)
    expect(kept.length).toBeGreaterThanOrEqual(4)
    expect(kept.length).toBeLessThanOrEqual(8)
    expect(kept).toContain(99)
    expect(recent.get('key 50')).toBeUndefined()
  })
})

describe('sightings', () => {
  test('tell what was met before, and forget it once another takes its place', () => {
    const sightings = new Sightings()
    expect(sightings.meet(5)).toBe(false)
    expect(sightings.meet(5)).toBe(true)
    expect(sightings.meet(5 + (1 << 16))).toBe(false)
    expect(sightings.meet(5)).toBe(false)
  })

  test('have a number above 0 for every text, the same for equal ones', () => {
    const texts = ['', 'a', 'b', 'SELECT a FROM t', 'SELECT b FROM t', 'ä'.repeat(100_000)]
    const numbers = texts.map(numberOf)
    expect(numbers).toEqual(texts.map((text) => numberOf(`${text} `.slice(0, -1))))
    expect(new Set(numbers).size).toBe(texts.length)
    for (const number of numbers) expect(number).toBeGreaterThan(0)
  })
})

describe('the pool', () => {
  test('answers in the order of the questions, whatever each takes', async () => {
    const pool = using(new LineagePool({ threads: 2 }))
    const requests = Array.from({ length: 300 }, (_, i) =>
      request(`INSERT INTO t${i} SELECT ${i % 7 === 0 ? 'a + '.repeat(2000) : ''} a FROM s`),
    )
    const lineages = await pool.lineages(requests)
    expect(lineages.map((lineage) => lineage.tables.outputs[0])).toEqual(requests.map((_, i) => `t${i}`))
  })

  test('reads statements that differ in compared literals once', async () => {
    const pool = using(new LineagePool({ threads: 1 }))
    const [a, b, c] = await pool.lineages([
      request("SELECT x.a FROM x WHERE x.b = 1 AND x.c IN ('p', 'q')"),
      request("SELECT x.a FROM x WHERE x.b = 22 AND x.c IN ('r', 'q')"),
      request("SELECT x.a FROM x WHERE x.d = 22 AND x.c IN ('r', 'q')"),
    ])
    expect(b).toBe(a)
    expect(c).not.toBe(a)
  })

  test('remembers what came a second time, and answers it from then on with the same object', async () => {
    const pool = using(new LineagePool({ threads: 1 }))
    const sights = []
    for (const value of [1, 2, 3, 4])
      sights.push(...(await pool.lineages([request(`SELECT a FROM t WHERE b = ${value}`)])))
    const [first, second, third, fourth] = sights
    expect(second).toEqual(first)
    expect(third).toEqual(first)
    expect(fourth).toBe(third)
  })

  test('a request that takes too long is answered by a scan of its words; its neighbours are read', async () => {
    const pool = using(new LineagePool({ threads: 1, timeLimitMs: 1000 }))
    const slow = `INSERT INTO mart.big SELECT ${'a, '.repeat(3_000_000)} a FROM raw.big`
    const lineages = await pool.lineages([
      request('INSERT INTO a SELECT x FROM b'),
      request(slow),
      request('INSERT INTO c SELECT x FROM d'),
    ])
    expect(lineages.map((lineage) => lineage.tables.outputs)).toEqual([['a'], ['mart.big'], ['c']])
    expect(lineages[1]?.diagnostics).toMatchObject([{ code: 'TIME_LIMIT', severity: 'error' }])
    expect(lineages[0]?.columns).toHaveLength(1)
    expect(lineages[2]?.columns).toHaveLength(1)
  })

  test('a request that takes too much memory does not end the process', async () => {
    const pool = using(new LineagePool({ threads: 1, memoryLimitMb: 24, timeLimitMs: 60_000 }))
    const big = `INSERT INTO mart.big SELECT ${'a + b, '.repeat(1_500_000)} a FROM raw.big`
    const lineages = await pool.lineages([request('INSERT INTO a SELECT x FROM b'), request(big)])
    expect(lineages[0]?.columns).toHaveLength(1)
    expect(lineages[1]?.diagnostics).toMatchObject([{ code: 'MEMORY_LIMIT' }])
  })

  test('schemas and options reach the worker', async () => {
    const pool = using(new LineagePool({ threads: 1 }))
    const schemas = { 'shop.orders': ['id', 'amount'] }
    const [lineage] = await pool.lineages([
      { sql: 'SELECT * FROM orders', options: { dialect: 'postgres', defaultSchema: 'shop' }, schemas },
    ])
    expect(lineage?.columns.map((column) => column.downstream.column)).toEqual(['id', 'amount'])
  })
})

function manySmall(options?: LineageRequest['options']): LineageRequest[] {
  return Array.from({ length: 2000 }, (_, i) =>
    request(`INSERT INTO t${i} SELECT a + ${i} AS b, c FROM s JOIN u${i} USING (id)`, options),
  )
}

describe('the thread that waits for the pool', () => {
  /** Counts how often a statement is read, or a batch packed, in this thread. */
  class Watched {
    looks = 0
    readonly options: LineageRequest['options']
    constructor() {
      const look = (): string => {
        this.looks++
        return 'postgres'
      }
      this.options = {
        get dialect() {
          return look()
        },
      }
    }
  }

  test('reads, too: the same lineage in the same order, and the loop stays open', async () => {
    const watched = new Watched()
    const pool = using(new LineagePool({ threads: 2 }))
    let turns = 0
    const turn = (): void => {
      turns++
      next = setImmediate(turn)
    }
    let next = setImmediate(turn)
    const lineages = await pool.lineages(manySmall(watched.options))
    clearImmediate(next)
    expect(lineages).toStrictEqual(manySmall().map(({ sql }) => parseLineage(sql, OPTIONS)))
    expect(watched.looks).toBeGreaterThan(100)
    expect(turns).toBeGreaterThan(3)
  })

  test('reads the groups of a log in order, and what repeats once', async () => {
    const pool = using(new LineagePool({ threads: 2 }))
    const log = [...manySmall(), ...manySmall()]
    async function* groups(): AsyncGenerator<readonly LineageRequest[]> {
      for (let i = 0; i < log.length; i += 100) yield log.slice(i, i + 100)
    }
    const lineages: ScriptLineage[] = []
    for await (const group of pool.stream(groups())) {
      expect(group).toHaveLength(100)
      lineages.push(...group)
    }
    expect(lineages.map(({ tables }) => tables.outputs[0])).toEqual(log.map((_, i) => `t${i % 2000}`))
    for await (const [again] of pool.stream(groups())) {
      expect(again).toStrictEqual(parseLineage(log[0]?.sql ?? '', OPTIONS))
      break
    }
  })

  test('reads nothing where it is told not to', async () => {
    const watched = new Watched()
    const pool = using(new LineagePool({ threads: 2, callerReads: false }))
    await pool.lineages(manySmall(watched.options))
    expect(watched.looks).toBeLessThan(50)
  })

  test('leaves a short text that never ends to a worker, where the time limit holds', async () => {
    const pool = using(new LineagePool({ threads: 2, timeLimitMs: 500 }))
    const doubling = Array.from({ length: 20 }, (_, i) => `c${i + 1} AS (SELECT x.*, y.* FROM c${i} x, c${i} y)`)
    const endless = `INSERT INTO mart.big WITH c0 AS (SELECT a, b FROM raw.big), ${doubling.join(', ')} SELECT * FROM c20`
    const requests = manySmall().slice(0, 600)
    const lineages = await pool.lineages([...requests.slice(0, 500), request(endless), ...requests.slice(500)])
    expect(lineages.map(({ tables }) => tables.outputs[0])).toEqual([
      ...requests.slice(0, 500).map((_, i) => `t${i}`),
      'mart.big',
      ...requests.slice(500).map((_, i) => `t${i + 500}`),
    ])
    expect(lineages[500]?.tables.inputs).toEqual(['raw.big'])
    expect(lineages[500]?.diagnostics[0]?.code).toMatch(/^(TIME|MEMORY)_LIMIT$/)
    expect(lineages[501]).toStrictEqual(parseLineage(requests[500]?.sql ?? '', OPTIONS))
  })

  test('hears that the pool was closed', async () => {
    const pool = new LineagePool({ threads: 2 })
    const lineages = pool.lineages(manySmall())
    const closed = pool.close()
    await expect(lineages).rejects.toThrow(/terminat|closed/i)
    await closed
  })
})

test('case lines come back as result lines', async () => {
  const runner = using(
    new BatchRunner('caseLines', (lines: readonly string[]) => lines, {
      threads: 1,
      timeLimitMs: 5000,
      youngLimitMb: 24,
      memoryLimitMb: 256,
      shared: { profile: 'datahub' },
    }),
  )
  const [one, two] = await runner.run([JSON.stringify({ id: 1, sql: 'SELECT a FROM t' }), '{'])
  expect(one).toMatchObject({ ok: true, answer: expect.stringContaining('"inputs":["t"]') as string })
  expect(two).toMatchObject({ ok: true, answer: expect.stringContaining('"error"') as string })
})

describe('on the wire', () => {
  const scripts = [
    'SELECT a, b + 1 AS c FROM s.t WHERE d > 1 GROUP BY a ORDER BY b',
    'CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL); INSERT INTO t SELECT * FROM unknown_table u, other',
    'CREATE TEMP TABLE x AS SELECT a FROM b; INSERT INTO c SELECT a FROM x; SELECT FROM WHERE ((',
    `MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a + 1
     WHEN NOT MATCHED THEN INSERT (id, a) VALUES (s.id, s.a)`,
    "CREATE PROCEDURE p() LANGUAGE SQL AS $$ BEGIN INSERT INTO t (a) SELECT a FROM s; UPDATE t SET a = 'x'; END $$; CALL p()",
    'INSERT INTO a (x) SELECT x FROM b; INSERT INTO a (x) SELECT y FROM c',
    '',
  ]

  test.each(scripts)('%s comes out as it went in', (sql) => {
    const lineage = parseLineage(sql, { dialect: 'snowflake', file: 'a.sql' })
    expect(unpack(pack(lineage))).toStrictEqual(lineage)
  })

  test('a column of the script and of its statement stays one object', () => {
    const { columns, statements } = unpack(pack(parseLineage('SELECT a FROM t')))
    expect(columns[0]).toBe(statements[0]?.columns[0])
  })
})

describe('in order', () => {
  test('an answer comes out before the source says more', async () => {
    const more = Promise.withResolvers<void>()
    async function* source(): AsyncGenerator<number> {
      yield 1
      await more.promise
      yield 2
    }
    const out = inOrder(source(), (n) => Promise.resolve(n * 10), 4)
    expect(await out.next()).toEqual({ done: false, value: 10 })
    more.resolve()
    expect(await out.next()).toEqual({ done: false, value: 20 })
    expect(await out.next()).toMatchObject({ done: true })
  })

  test('no more groups are in flight than the limit, and a failure comes at its turn', async () => {
    let flying = 0
    let most = 0
    const run = async (n: number): Promise<number> => {
      most = Math.max(most, ++flying)
      await new Promise((resolve) => setImmediate(resolve))
      flying -= 1
      if (n === 10) throw new Error('ten')
      return n
    }
    const seen: number[] = []
    await expect(async () => {
      for await (const n of inOrder(upTo(20), run, 3)) seen.push(n)
    }).rejects.toThrow('ten')
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(most).toBeLessThanOrEqual(3)
  })
})

test('lines are grouped as they arrive, also where a chunk ends inside a character', async () => {
  const bytes = Buffer.from('eins\n\nzwö\ndrei')
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes.subarray(0, 9)
    yield bytes.subarray(9)
  }
  const groups: (readonly string[])[] = []
  for await (const group of lineGroups(chunks())) groups.push(group)
  expect(groups).toEqual([['eins'], ['zwö'], ['drei']])
})

async function* upTo(end: number): AsyncGenerator<number> {
  for (let i = 0; i < end; i++) yield i
}

function same(a: string, b: string): boolean {
  return dedupeKey(request(a)) === dedupeKey(request(b))
}

describe('literals that may differ', () => {
  test.each([
    ['SELECT a FROM t WHERE b = 1', 'SELECT a FROM t WHERE b = 234'],
    ["SELECT a FROM t WHERE b LIKE 'x%' LIMIT 5", "SELECT a FROM t WHERE b LIKE 'yy%' LIMIT 10"],
    ["SELECT a FROM t WHERE b IN ('x', 'y')", "SELECT a FROM t WHERE b IN ('v', 'w')"],
    ['SELECT a FROM t WHERE b BETWEEN 1 AND 2', 'SELECT a FROM t WHERE b BETWEEN 3 AND 4'],
    ["SELECT a FROM t WHERE b = 'it''s'", "SELECT a FROM t WHERE b = 'that''s it'"],
    ['SELECT a FROM t WHERE b IN (1, 2,\n 3)', 'SELECT a FROM t WHERE b IN (7, 8,\n 9)'],
  ])('%s', (a, b) => expect(same(a, b)).toBe(true))

  test.each([
    ["SELECT a FROM 'one.csv'", "SELECT a FROM 'two.csv'"],
    ["SELECT COLUMNS('a.*') FROM t", "SELECT COLUMNS('b.*') FROM t"],
    ["SELECT a AS 'x' FROM t", "SELECT a AS 'y' FROM t"],
    ["EXEC('SELECT a FROM t')", "EXEC('SELECT a FROM u')"],
    ["SELECT a FROM t # it's b = 'q\nFROM u\n'", "SELECT a FROM t # it's b = 'q\nFROM v\n'"],
    ['SELECT a1 FROM t', 'SELECT a2 FROM t'],
    ["SELECT -- a =\n'x' FROM t", "SELECT -- a =\n'y' FROM t"],
    ["SELECT f('a', 'x') FROM t", "SELECT f('a', 'y') FROM t"],
    ['SELECT /* b IN ( */ 5 FROM t', 'SELECT /* b IN ( */ 6 FROM t'],
    ['SELECT a FROM t WHERE "b" = 1', 'SELECT a FROM t WHERE "c" = 1'],
  ])('not in %s', (a, b) => expect(same(a, b)).toBe(false))
})

test.each([
  ['INSERT INTO mart.a SELECT x FROM raw.b JOIN "R"."c" ON 1 = 1', ['raw.b', 'R.c'], ['mart.a']],
  ["WITH q AS (SELECT 'FROM nope' FROM raw.b) SELECT * FROM q -- FROM no", ['raw.b'], []],
  ['MERGE INTO mart.a t USING raw.b s ON 1 = 1', ['raw.b'], ['mart.a']],
  ['CREATE TABLE IF NOT EXISTS mart.a AS SELECT * FROM `raw`.`b`', ['raw.b'], ['mart.a']],
])('the words of %s tell its tables', (sql, inputs, outputs) => {
  expect(scanTables(sql, 'time').tables).toEqual({ inputs, outputs, intermediates: [] })
})
