/** One large import while everything around it is killed again and again, and what came of it, counted in the stores. */
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../src/cli/demo/random.ts'
import { submitRun } from '../../../src/runner/submit.ts'
import { evenIfAway } from '../../../src/store/patience.ts'
import { readPlanOfRun } from '../../../src/store/ledger/plans.ts'
import { readRun } from '../../../src/store/ledger/runs.ts'
import { isFinished, type RunRow } from '../../../src/store/ledger/types.ts'
import { VICTIMS, type Victim, type World } from './world.ts'

export interface Killed {
  readonly run: RunRow
  readonly kills: Readonly<Record<Victim, number>>
  /** Of the aspects that the file asks for: how many the catalog has, and the most versions of one. */
  readonly stored: { readonly aspects: number; readonly wrong: number; readonly mostVersions: number }
  /** Sums over the journal's batches. */
  readonly journal: { readonly members: number; readonly written: number; readonly open: number }
}

const BATCH = 200

/**
 * @param kills in all; a worker is killed less often than the others, since the next one reads the whole file again
 * @param onKill told of each
 */
export async function importUnderKills(
  world: World,
  options: {
    readonly rows: number
    readonly kills: number
    readonly seed: number
    readonly onKill?: (victim: Victim, answered: number) => void
  },
): Promise<Killed> {
  const { rows, kills, seed, onKill } = options
  const { parts } = world
  const file = join(world.folder, 'rows.csv')
  await writeRows(file, rows)
  const { id: planning } = await submitRun(parts, {
    job: 'import-csv',
    input: { file: [file], missing: 'create' },
    mode: 'apply',
  })
  // What is killed is the effect; the plan before it reads the same file.
  const id = await applyRunOf(world, planning)
  const counts: Record<Victim, number> = { worker: 0, catalog: 0, postgres: 0, redis: 0 }
  const batches = Math.ceil(rows / BATCH)
  const moments = momentsOf(kills, seed)
  for (const [index, victims] of moments.entries()) {
    const due = Math.floor(((index + 0.5) * batches) / moments.length)
    const answered = await untilAnswered(world, id, due)
    if (answered === undefined) break
    await Promise.all(
      victims.map(async (victim) => {
        counts[victim]++
        onKill?.(victim, answered)
        await world.kill(victim)
      }),
    )
  }
  const run = await untilEnd(world, id)
  return { run, kills: counts, stored: await storedOf(world, rows), journal: await journalOf(world, id) }
}

/** Several at once, as when a machine goes; with a worker in every third moment. */
function momentsOf(kills: number, seed: number): readonly (readonly Victim[])[] {
  const random = seededRandom(seed)
  const others = VICTIMS.filter((victim) => victim !== 'worker')
  const moments: Victim[][] = []
  for (let left = kills; left > 0;) {
    const first: Victim = moments.length % 3 === 2 ? 'worker' : random.pick(others)
    const more = others.filter((victim) => victim !== first && random.next() < 0.7)
    const victims = [first, ...more].slice(0, left)
    moments.push(victims)
    left -= victims.length
  }
  return moments
}

async function writeRows(file: string, rows: number): Promise<void> {
  const out = createWriteStream(file)
  out.write('resource,tags\n')
  for (let from = 0; from < rows; from += 10_000) {
    const lines = Array.from(
      { length: Math.min(10_000, rows - from) },
      (_, n) => `"${urnOf(from + n)}",t${(from + n) % 7}\n`,
    )
    if (!out.write(lines.join(''))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

const urnOf = (n: number): string => `urn:li:dataset:(urn:li:dataPlatform:hive,kill.t${n},PROD)`

/** @returns how many batches are answered; undefined when the run has ended before */
async function untilAnswered({ parts: { database } }: World, run: string, due: number): Promise<number | undefined> {
  for (;;) {
    const [row] = await evenIfAway(() =>
      database.rows<{ answered: number; ended: boolean }>(
        `select (select count(*) from ledger.batch where run_id = $1 and state = 'answered') as answered,
           finished_ms is not null as ended from ledger.run where id = $1`,
        [run],
      ),
    )
    if (row === undefined || row.ended) return undefined
    if (row.answered >= due) return row.answered
    await sleep(20)
  }
}

/** The run that carries out what the first one plans. */
async function applyRunOf(world: World, planning: string): Promise<string> {
  for (;;) {
    const plan = await evenIfAway(() => readPlanOfRun(world.parts.database, planning))
    if (plan?.applyRunId != null) return plan.applyRunId
    const run = await evenIfAway(() => readRun(world.parts.database, planning))
    if (run?.state === 'failed') throw new Error(`planning failed: ${run.error?.message}`)
    await sleep(50)
  }
}

async function untilEnd(world: World, id: string): Promise<RunRow> {
  for (;;) {
    const run = await evenIfAway(() => readRun(world.parts.database, id))
    if (run !== undefined && isFinished(run.state)) return run
    await sleep(50)
  }
}

async function storedOf({ parts: { database } }: World, rows: number): Promise<Killed['stored']> {
  const [row] = await database.rows<{ aspects: number; wrong: number; mostVersions: number }>(
    `select count(*) as aspects, max(a.version) as "mostVersions",
       count(*) filter (where a.body::json->'tags'->0->>'tag' is distinct from
         'urn:li:tag:t' || (substring(u.urn from 'kill\\.t(\\d+)')::int % 7)) as wrong
     from catalog.aspect a join catalog.urn u on u.id = a.urn_id
     where a.name = 'globalTags' and u.urn like 'urn:li:dataset:(urn:li:dataPlatform:hive,kill.t%'`,
  )
  if (row === undefined) throw new Error(`nothing of ${rows} rows is there`)
  return row
}

async function journalOf({ parts: { database } }: World, run: string): Promise<Killed['journal']> {
  const [row] = await database.rows<{ members: number; written: number; open: number }>(
    `select sum(members)::bigint as members, sum(written)::bigint as written, count(*) filter (where state = 'sent') as open
     from ledger.batch where run_id = $1`,
    [run],
  )
  return row ?? { members: 0, written: 0, open: 0 }
}
