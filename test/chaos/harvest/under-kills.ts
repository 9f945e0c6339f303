/**
 * One harvest while its worker, the catalog and PostgreSQL are killed again and again, at chosen facts and chance times:
 * while it plans, while it writes, and when it saves what the next harvest shall know. Then the same harvest of a twin
 * that nobody disturbs: both must have left the same, in the catalog and in the job's memory.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, type Random } from '../../../src/cli/demo/random.ts'
import { submitRun } from '../../../src/runner/submit.ts'
import { evenIfAway } from '../../../src/store/patience.ts'
import { readPlanOfRun } from '../../../src/store/ledger/plans.ts'
import { readRun } from '../../../src/store/ledger/runs.ts'
import { isFinished, type RunRow } from '../../../src/store/ledger/types.ts'
import type { World } from '../import/world.ts'

/** Who is killed; what carries the queue beside the database is the import's business. */
const VICTIMS = ['worker', 'catalog', 'postgres'] as const
type HarvestVictim = (typeof VICTIMS)[number]
export type Stage = 'planning' | 'writing' | 'saving'

export interface KilledHarvest {
  readonly run: RunRow
  readonly kills: readonly { readonly victim: HarvestVictim; readonly stage: Stage }[]
  /** What differs from the undisturbed twin: `<what> <key>`. */
  readonly differences: readonly string[]
  /** Aspects that were compared. */
  readonly aspects: number
  /** Facts for later harvests that were compared. */
  readonly facts: number
  /** Aspects of the killed harvest that were written more than once. */
  readonly doubled: number
}

export interface KillOptions {
  readonly files: number
  readonly kills: number
  readonly seed: number
  readonly onKill?: (victim: HarvestVictim, stage: Stage) => void
}

/** Longest time that an attempt to plan is left alone, milliseconds. */
const PLANNING_MS = 900

export async function harvestUnderKills(world: World, options: KillOptions): Promise<KilledHarvest> {
  const { files, kills, seed, onKill } = options
  const source = join(world.folder, 'sql')
  await writeSql(source, files)
  const killed: { victim: HarvestVictim; stage: Stage }[] = []
  const random = seededRandom(seed)
  const planning = await submitted(world, source, 'one')
  for (const stage of stagesOf(kills)) {
    const share = killed.filter((one) => one.stage === 'writing').length / kills
    const isDue = await untilDue(world, planning, stage, { share, random })
    if (!isDue) continue
    const victim = random.pick(VICTIMS)
    killed.push({ victim, stage })
    onKill?.(victim, stage)
    await world.kill(victim)
  }
  const run = await endOf(world, planning)
  const twin = await endOf(world, await submitted(world, source, 'two'))
  if (run.state !== twin.state)
    throw new Error(`${run.state}, and its twin ${twin.state}: ${JSON.stringify(run.error)}`)
  const [one, two] = [await leftBy(world, 'one'), await leftBy(world, 'two')]
  return {
    run,
    kills: killed,
    differences: [...differing('aspect', one.aspects, two.aspects), ...differing('fact', one.facts, two.facts)],
    aspects: one.aspects.size,
    facts: one.facts.size,
    doubled: one.doubled,
  }
}

/** A chain of tables in files, so that each downstream but the first is read by the next. */
async function writeSql(folder: string, files: number): Promise<void> {
  await mkdir(folder)
  for (let n = 0; n < files; n++) {
    const table = `create table s.t${n} as select a, b + ${n} as b, upper(c) as c from s.t${n + 1};`
    await writeFile(join(folder, `${String(n).padStart(5, '0')}.sql`), `${table}\n`)
  }
}

/** Platform instance and origin by which the harvests are told apart, and made alike for the comparison. */
const instanceOf = (twin: string): string => `instance-${twin}`
const originOf = (twin: string): string => `origin-${twin}`

async function submitted({ parts }: World, source: string, twin: string): Promise<string> {
  const input = { source, platform: 'hive', instance: instanceOf(twin), origin: originOf(twin) }
  return (await submitRun(parts, { job: 'harvest-lineage', input, mode: 'apply' })).id
}

/** A quarter of the kills while it plans, the last two when it saves. */
function stagesOf(kills: number): readonly Stage[] {
  const planning = Math.floor(kills / 4)
  const saving = Math.min(2, kills - planning)
  const writing = kills - planning - saving
  return [
    ...Array.from({ length: planning }, () => 'planning' as const),
    ...Array.from({ length: writing }, () => 'writing' as const),
    ...Array.from({ length: saving }, () => 'saving' as const),
  ]
}

/** @returns false where the stage is over */
async function untilDue(
  world: World,
  planning: string,
  stage: Stage,
  { share, random }: { readonly share: number; readonly random: Random },
): Promise<boolean> {
  const delayMs = random.between(0, PLANNING_MS)
  for (;;) {
    const plan = await evenIfAway(() => readPlanOfRun(world.parts.database, planning))
    if (stage === 'planning') {
      if (plan !== undefined) return false
      const run = await evenIfAway(() => readRun(world.parts.database, planning))
      if (run?.state === 'running') {
        await sleep(delayMs)
        return true
      }
    } else if (plan?.applyRunId != null) {
      const { change = 0, create = 0, unchanged = 0 } = plan.counts
      const due = stage === 'saving' ? change + create + unchanged : share * (change + create + unchanged)
      const answered = await answeredOf(world, plan.applyRunId)
      if (answered === undefined) return false
      if (answered >= due) return true
    }
    await sleep(15)
  }
}

/** Changes that were answered; undefined when the run has ended. */
async function answeredOf({ parts: { database } }: World, run: string): Promise<number | undefined> {
  const [row] = await evenIfAway(() =>
    database.rows<{ answered: number; ended: boolean }>(
      `select (select coalesce(sum(members), 0)::int from ledger.batch where run_id = $1 and state = 'answered') as answered,
         finished_ms is not null as ended from ledger.run where id = $1`,
      [run],
    ),
  )
  return row === undefined || row.ended ? undefined : row.answered
}

/** The run that carried the plan out, at its end. */
async function endOf({ parts: { database } }: World, planning: string): Promise<RunRow> {
  for (;;) {
    const plan = await evenIfAway(() => readPlanOfRun(database, planning))
    const run = await evenIfAway(() => readRun(database, plan?.applyRunId ?? planning))
    if (run !== undefined && isFinished(run.state) && (plan?.applyRunId != null || run.state !== 'succeeded'))
      return run
    await sleep(50)
  }
}

interface Left {
  readonly aspects: ReadonlyMap<string, string>
  readonly facts: ReadonlyMap<string, string>
  readonly doubled: number
}

/** What a harvest left, without what must differ between two: times, runs, and their names. */
async function leftBy({ parts: { database } }: World, twin: string): Promise<Left> {
  const rows = await database.rows<{ urn: string; name: string; version: number; body: string }>(
    `select u.urn, a.name, a.version, a.body::text as body from catalog.aspect a join catalog.urn u on u.id = a.urn_id
     where u.urn like $1 or (u.urn like 'urn:li:query:%' and exists (select from catalog.aspect s
       where s.urn_id = u.id and s.name = 'querySubjects' and s.body::text like $1))`,
    [`%${instanceOf(twin)}.%`],
  )
  const facts = await database.rows<{ key: string; value: string }>(
    'select key, value from ledger.memory where key like $1',
    [`${originOf(twin)}/%`],
  )
  return {
    aspects: new Map(rows.map(({ urn, name, body }) => [plain(`${name} ${urn}`, twin), plain(body, twin)])),
    facts: new Map(facts.map(({ key, value }) => [plain(key, twin), plain(value, twin)])),
    doubled: rows.filter(({ version }) => version > 1).length,
  }
}

function plain(text: string, twin: string): string {
  return (
    text
      .replaceAll(instanceOf(twin), 'INSTANCE')
      .replaceAll(originOf(twin), 'ORIGIN')
      .replaceAll(/urn:li:query:headwater\.[0-9a-f]+\./g, 'QUERY.')
      .replaceAll(/(apply-plan|run|plan)-\d{8}T[0-9a-z-]+/g, 'RUN')
      .replaceAll(/\b1[6-9]\d{11}\b/g, 'TIME')
      // Hashes of a unit and of its tables' columns hold the names.
      .replaceAll(/"hash":\s?"[^"]+"/g, 'HASH')
  )
}

function differing(
  what: string,
  one: ReadonlyMap<string, string>,
  two: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...one.keys(), ...two.keys()])]
    .filter((key) => one.get(key) !== two.get(key))
    .map((key) => `${what} ${key}: ${one.get(key)} and ${two.get(key)}`)
}
