import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater, type CommandResult } from '../support/command.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A command takes a second or two where the machine is busy. */
const PATIENCE = { timeout: 180_000 }

const CSV = `resource,tags
"urn:li:dataset:(urn:li:dataPlatform:hive,db.a,PROD)",urn:li:tag:pii
"urn:li:dataset:(urn:li:dataPlatform:hive,db.b,PROD",urn:li:tag:pii
`

test(
  'a plan is listed, shown, approved and carried out once; runs tell what was rejected and where',
  PATIENCE,
  async () => {
    await using folder = await temporaryFolder()
    const at = { cwd: folder.path }
    await writeFile(join(folder.path, 'tags.csv'), CSV)
    const planned = await headwater(['run', 'import-csv', '--file', 'tags.csv', '--missing', 'create'], at)
    expect(planned.code, planned.stderr).toBe(2)

    const id = await onlyPlan(at.cwd)
    const shown = await headwater(['plans', 'show', id, '--data', join(folder.path, '.headwater')])
    expect(shown.stdout).toContain(`headwater approve ${id}`)
    expect(shown.stdout).toContain('urn:li:tag:pii')

    const approved = await headwater(['approve', id], at)
    expect(approved.code, approved.stderr).toBe(2)
    expect(approved.stdout).toMatch(/written [1-9]/)
    const again = await headwater(['approve', id], at)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('PLAN_STATE') })
    const late = await headwater(['reject', id], at)
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('carried out already') })

    const listed = await headwater(['runs', '--state', 'partial'], at)
    expect(listed.stdout).toContain(`apply-${id}`)
    // Nothing is cut where a program reads it.
    expect(listed.stdout + (await headwater(['plans'], at)).stdout).not.toContain('…')
    const details = await headwater(['runs', 'show', `apply-${id}`], at)
    expect(details.stdout).toMatch(/records +read 2 = used 1 \+ duplicate 0 \+ no effect 0 \+ rejected 1/)
    expect(details.stdout).toMatch(/tags\.csv:3:1 +INVALID_URN/)
    // The rows were read by the run that made the plan; who asks for the other one means them too, and sees them whole.
    const dead = await headwater(['dead', 'list', `apply-${id}`], at)
    expect(dead.stdout).toMatch(
      /rejected {2}INVALID_URN {2}\S+tags\.csv:3:1 {2}.* do not match\): "urn:li:dataset:.*PROD"\n/,
    )
    const others = await headwater(['dead', 'list', `apply-${id}`, '--code', 'CELL_COUNT'], at)
    expect(others.stdout).toBe('no dead letters\n')
    const replayed = await headwater(['dead', 'replay', `apply-${id}`], at)
    expect(replayed.stderr).toContain('1 are rejected records, not proposals: mend them and import them again')
    const log = await headwater(['logs', `apply-${id}`, '--follow'], at)
    expect(log.stdout).toMatch(/^\d\d:\d\d:\d\d info {2}run started {2}mode=apply\n[^]*run finished/)
    const lines = (await headwater(['logs', `apply-${id}`, '--json'], at)).stdout.trim().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ run: `apply-${id}`, job: 'import-csv', attempt: 1 })
  },
)

test('a plan that was rejected stays in the list and cannot be approved', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  await writeFile(join(folder.path, 'tags.csv'), CSV)
  await headwater(['run', 'import-csv', '--file', 'tags.csv', '--missing', 'create'], at)
  const id = await onlyPlan(at.cwd)
  expect(await headwater(['reject', id], at)).toMatchObject({ code: 0, stdout: `${id} rejected\n` })
  expect(await headwater(['approve', id], at)).toMatchObject({ code: 1, stderr: expect.stringContaining('rejected') })
  expect((await headwater(['plans', '--state', 'rejected'], at)).stdout).toContain(id)
})

test('what is not there is named, with the command that lists what is', PATIENCE, async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  expect((await headwater(['runs'], at)).stdout).toBe('no runs\n')
  expect((await headwater(['plans'], at)).stdout).toBe('no plans\n')
  expect((await headwater(['schedules'], at)).stdout).toContain('no schedules')
  for (const [args, code] of [
    [['runs', 'show', 'run-1'], 'RUN_NOT_FOUND'],
    [['plans', 'show', 'plan-1'], 'PLAN_NOT_FOUND'],
    [['approve', 'plan-1'], 'PLAN_NOT_FOUND'],
    [['runs', 'cancel', 'run-1'], 'RUN_NOT_FOUND'],
    [['logs', 'run-1'], 'RUN_NOT_FOUND'],
    [['schedules', 'pause', 'nightly'], 'SCHEDULE_NOT_FOUND'],
    [['runs', '--state', 'lost'], 'USAGE'],
  ] as const) {
    expect(await headwater(args, at)).toMatchObject({ code: 4, stderr: expect.stringContaining(code) })
  }
})

test(
  'a schedule fires in the running instance, and is paused, triggered and filled from outside',
  PATIENCE,
  async () => {
    await using folder = await temporaryFolder()
    const at = { cwd: folder.path }
    await writeFile(join(folder.path, 'tags.csv'), CSV)
    await mkdir(join(folder.path, 'config'))
    await writeFile(
      join(folder.path, 'config/schedules.yaml'),
      `schedules:
  - id: often
    cron: '* * * * * *'
    timeZone: Europe/Berlin
    job: import-csv
    input: { file: [tags.csv], missing: create }
    apply: true
    overlap: allow
  - id: yearly
    cron: '30 2 1 1 *'
    job: import-csv
    input: { file: [tags.csv], missing: create }
`,
    )
    await using server = startServer(['up', '--port', '0'], at)
    await server.waitFor(/listening on/)
    const fired = await headwaterUntil(['runs', '--schedule', 'often', '--state', 'partial', '--json'], at.cwd, (out) =>
      out.includes('"scheduleId":"often"'),
    )
    expect(json(fired)).toMatchObject({
      runs: expect.arrayContaining([expect.objectContaining({ trigger: 'schedule', mode: 'plan' })]),
    })

    const listed = await headwater(['schedules'], at)
    expect(listed.stdout).toMatch(/often {2}\* \* \* \* \* \* {2}Europe\/Berlin {2}import-csv[^]*GMT\+[12] {2}.* UTC\n/)
    expect(listed.stdout).toMatch(/yearly[^]*\n {2}\d{4}-01-01 02:30:00 UTC\n/)
    expect(await headwater(['schedules', 'pause', 'often'], at)).toMatchObject({ code: 0, stdout: 'often paused\n' })
    expect((await headwater(['schedules'], at)).stdout).toMatch(/often .* paused/)

    const triggered = await headwater(['schedules', 'trigger', 'yearly'], at)
    expect(triggered.code, triggered.stderr).toBe(2)
    expect(triggered.stdout).toMatch(/import-csv yearly\.\d{8}T\d{6,9}Z/)
    const span = ['--from', '2024-06-01', '--to', '2026-06-01']
    const dry = await headwater(['schedules', 'backfill', 'yearly', ...span, '--dry-run'], at)
    expect(dry.stdout).toBe('2025-01-01 02:30:00 UTC\n2026-01-01 02:30:00 UTC\n2 slots, 0 runs queued\n')
    const filled = await headwater(['schedules', 'backfill', 'yearly', ...span], at)
    expect(filled.stdout).toContain('2 slots, 2 runs queued')
    expect(filled.stdout).toContain('yearly.20250101T023000Z')
  },
)

test(
  'an expression that can be read in two ways is refused at start, with a spelling that cannot',
  PATIENCE,
  async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 'config'))
    const file = join(folder.path, 'config/schedules.yaml')
    await writeFile(file, `schedules:\n  - id: odd\n    job: import-csv\n    input: { file: [a.csv] }\n`)
    await appendFile(file, `    cron: '0 0 13 * 5'\n`)
    const { code, stderr } = await headwater(['up', '--port', '0'], { cwd: folder.path })
    expect(code).toBe(4)
    expect(stderr).toContain('SCHEDULE_EXPRESSION schedule odd: ')
    expect(stderr).toContain('"0 0 13 * *" and "0 0 * * 5"')
  },
)

async function onlyPlan(cwd: string): Promise<string> {
  const listed = json(await headwater(['plans', '--json'], { cwd })) as { readonly plans: readonly { id: string }[] }
  const [plan] = listed.plans
  if (plan === undefined || listed.plans.length > 1) throw new Error(`${listed.plans.length} plans`)
  return plan.id
}

function json({ stdout, stderr }: CommandResult): unknown {
  if (stdout === '') throw new Error(`no JSON: ${stderr}`)
  return JSON.parse(stdout)
}

/** Asks until the answer is as wanted, at most 20 times; a command takes a while itself. */
async function headwaterUntil(
  args: readonly string[],
  cwd: string,
  isWanted: (stdout: string) => boolean,
): Promise<CommandResult> {
  for (let asked = 0; asked < 20; asked++) {
    const result = await headwater(args, { cwd })
    if (isWanted(result.stdout)) return result
  }
  throw new Error(`headwater ${args.join(' ')} never said so`)
}
