import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/observe/logger.ts'
import { openDatabase, transaction, type Database } from '../../../src/store/database.ts'
import { changeEdges } from '../../../src/store/edge-store.ts'
import { createSqlGraph, type WalkQuery } from '../../../src/store/graph.ts'
import { createLogKeeper, readLog, trimLog } from '../../../src/store/lineage-log.ts'
import { createMemoryGraph } from '../../../src/store/memory-graph.ts'
import { migrate } from '../../../src/store/migrate.ts'
import { testDatabase } from '../../support/embedded.ts'

const NODES = 12
const logger = silentLogger()

async function graphs(run: (database: Database) => Promise<void>): Promise<void> {
  await using server = await testDatabase()
  const database = openDatabase(server.address, { max: 4, applicationName: 'test', logger })
  await migrate(database)
  await database.execute(
    `insert into catalog.urn (urn) select 'urn:li:tag:' || n from generate_series(1, ${NODES}) as n`,
  )
  await run(database)
  await database.close()
}

const key = (e: { kind: number; upId: number; downId: number }) => `${e.kind} ${e.upId} ${e.downId}`

const edge = fc.record({
  kind: fc.constantFrom(2, 3, 100),
  upId: fc.integer({ min: 1, max: NODES }),
  downId: fc.integer({ min: 1, max: NODES }),
})
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), edges: fc.array(edge, { minLength: 1, maxLength: 6 }) }),
  fc.record({ do: fc.constant('remove' as const), edges: fc.array(edge, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('see' as const), node: fc.integer({ min: 1, max: NODES }) }),
  fc.record({ do: fc.constant('hide' as const), node: fc.integer({ min: 1, max: NODES }) }),
  fc.record({
    do: fc.constant('walk' as const),
    query: fc.record({
      start: fc.integer({ min: 1, max: NODES }),
      direction: fc.constantFrom('upstream' as const, 'downstream' as const),
      level: fc.constantFrom('entity' as const, 'column' as const),
      seenOnly: fc.boolean(),
    }),
    maxHops: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  }),
)

test('the graph in memory walks as SQL does, after any changes of other processes', async () => {
  await graphs(async (database) => {
    const sql = createSqlGraph(database)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        await database.execute('delete from catalog.lineage_edge')
        await database.execute('delete from catalog.entity')
        const memory = createMemoryGraph({ database, logger, nodesATurn: 3 })
        // Held in memory at times, and at times too large for it.
        const small = createMemoryGraph({ database, logger, maxEdges: 6 })
        const present = new Set<string>()
        const differences: string[] = []
        for (const one of steps) {
          if (one.do === 'add' || one.do === 'remove') {
            const wanted = new Map(one.edges.map((e) => [key(e), { ...e, ownerId: e.downId }]))
            const rows = [...wanted].filter(([k]) => present.has(k) === (one.do === 'remove'))
            for (const [k] of rows) present[one.do === 'add' ? 'add' : 'delete'](k)
            const edges = rows.map(([, row]) => row)
            const changes = one.do === 'add' ? { added: edges, removed: [] } : { added: [], removed: edges }
            await transaction(database, async (tx) => changeEdges(tx, { ...changes, visibility: [] }))
          } else if (one.do === 'walk') {
            const query: WalkQuery = { ...one.query, ...(one.maxHops === undefined ? {} : { maxHops: one.maxHops }) }
            const targets = Array.from({ length: NODES }, (_, i) => i + 1)
            const answers = [memory, sql, small].map(async (graph) => {
              const lengths = [...(await graph.paths(query, targets))].map(([to, way]) => `${to}: ${way.length}`)
              return JSON.stringify([layers(await graph.walk(query)), lengths])
            })
            const [ours, theirs, mixed] = await Promise.all(answers)
            if (ours !== theirs) differences.push(`${JSON.stringify(query)}: ${ours} and not ${theirs}`)
            if (mixed !== theirs) differences.push(`small, ${JSON.stringify(query)}: ${mixed} and not ${theirs}`)
          } else await show(database, one.node, one.do === 'see')
        }
        expect(differences).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

test('a process that is behind a trimmed log loads the graph anew', async () => {
  await graphs(async (database) => {
    const memory = createMemoryGraph({ database, logger })
    const query: WalkQuery = { start: 1, direction: 'downstream', level: 'entity' }
    await memory.walk(query)
    for (const downId of [2, 3, 4]) await addEdge(database, downId - 1, downId)
    const before = await memory.walk(query)
    expect([...before.ids]).toEqual([2, 3, 4])
    for (const downId of [5, 6, 7]) await addEdge(database, downId - 1, downId)
    expect(await trimLog(database, 1)).toBe(5)
    expect(await readLog(database, 3, 100)).toBeUndefined()
    expect([...(await memory.walk(query)).ids]).toEqual([2, 3, 4, 5, 6, 7])
  })
})

test('whoever writes the log trims it, so that it stays bounded', async () => {
  await graphs(async (database) => {
    const keeper = createLogKeeper(database, logger, { kept: 10, every: 7 })
    for (let i = 0; i < 50; i++) {
      keeper.added(await addEdge(database, 1 + (i % NODES), 1 + ((i * 5) % NODES)))
      await keeper.close()
      const [row] = await database.rows<{ lines: number }>('select sum(size) as lines from catalog.lineage_log')
      expect(row?.lines).toBeLessThan(10 + 7)
    }
    const tail = await readLog(database, 45, 100)
    expect([tail?.seq, tail?.lines.length]).toEqual([50, 5])
    expect(await readLog(database, 45, 4), 'more lines than asked for').toBeUndefined()
  })
})

test('a process that writes little trims the log that others before it left', async () => {
  await graphs(async (database) => {
    for (let i = 0; i < 30; i++) await addEdge(database, 1 + (i % NODES), 1 + ((i * 5) % NODES))
    const keeper = createLogKeeper(database, logger, { kept: 10, every: 1000 })
    keeper.added(await addEdge(database, 1, 2))
    await keeper.close()
    const [row] = await database.rows<{ lines: number }>('select sum(size) as lines from catalog.lineage_log')
    expect(row?.lines).toBeLessThanOrEqual(10)
  })
})

function addEdge(database: Database, upId: number, downId: number): Promise<number> {
  const added = [{ ownerId: downId, kind: 2, upId, downId }]
  return transaction(database, async (tx) => changeEdges(tx, { added, removed: [], visibility: [] }))
}

const way = ([up, down]: readonly [number, number]) => ({ ownerId: 1, kind: 2, upId: up, downId: down })

test('a long walk lets others have the thread, and sees one state of the graph', async () => {
  await graphs(async (database) => {
    // 1 → 2 … 11 → 12 and back; each change moves the last edge of the way from 12 to 1 or from 1 to 12.
    const chain = Array.from({ length: NODES - 2 }, (_, i) => way([i + 1, i + 2]))
    const swap = async (added: typeof chain, removed: typeof chain) =>
      transaction(database, async (tx) => changeEdges(tx, { added, removed, visibility: [] }))
    await swap([...chain, way([NODES - 1, NODES])], [])
    const memory = createMemoryGraph({ database, logger, nodesATurn: 1 })
    const query: WalkQuery = { start: 1, direction: 'downstream', level: 'entity' }
    for (let round = 0; round < 40; round++) {
      const long = [NODES - 1, NODES] as const
      const [from, to] = round % 2 === 0 ? [long, [2, NODES] as const] : [[2, NODES] as const, long]
      let turns = 0
      let done = false
      const turn = () => {
        turns++
        if (!done) setImmediate(turn)
      }
      const walks = [memory.walk(query), memory.walk(query)]
      setImmediate(turn)
      const change = swap([way(to)], [way(from)]).then(() => memory.walk(query))
      const lengths = (await Promise.all(walks)).map((walk) => walk.starts.length)
      done = true
      // Twelve is found at its distance of the one state or of the other, never twice and never not at all.
      for (const length of lengths) expect([NODES, NODES - 1]).toContain(length)
      expect(turns).toBeGreaterThan(1)
      expect((await change).starts.length).toBe(round % 2 === 0 ? NODES - 1 : NODES)
      for (const walk of await Promise.all(walks)) expect(walk.ids.length).toBe(NODES - 1)
    }
  })
})

test('with more edges than may be held, walks go by SQL', async () => {
  await graphs(async (database) => {
    const added = [2, 3].map((downId) => ({ ownerId: downId, kind: 2, upId: downId - 1, downId }))
    await transaction(database, async (tx) => changeEdges(tx, { added, removed: [], visibility: [] }))
    const memory = createMemoryGraph({ database, logger, maxEdges: 1 })
    const walk = await memory.walk({ start: 1, direction: 'downstream', level: 'entity' })
    expect([[...walk.ids], walk.starts]).toEqual([
      [2, 3],
      [0, 1, 2],
    ])
  })
})

async function show(database: Database, node: number, seen: boolean): Promise<void> {
  await transaction(database, async (tx) => {
    const [row] = await tx.rows<{ removed: boolean }>('select removed from catalog.entity where urn_id = $1', [node])
    if (row === undefined && !seen) return
    if (row?.removed === !seen) return
    await tx.execute(
      `insert into catalog.entity (urn_id, entity_type, removed, created_ms, created_by) values ($1, 'tag', $2, 0, '')
       on conflict (urn_id) do update set removed = excluded.removed`,
      [node, !seen],
    )
    changeEdges(tx, { added: [], removed: [], visibility: [{ urnId: node, change: seen ? 1 : -1 }] })
  })
}

/** The ids at each distance, in any order. */
function layers(walk: { ids: Int32Array; starts: readonly number[] }): readonly (readonly number[])[] {
  const all = walk.starts
    .slice(1)
    .map((end, i) => [...walk.ids.subarray(walk.starts[i], end)].toSorted((a, b) => a - b))
  while (all.at(-1)?.length === 0) all.pop()
  return all
}
