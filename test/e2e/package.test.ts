import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { PROJECT, runCommand, type CommandOptions } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** PATH as a user has it who knows nothing of our node_modules. */
const USERS_PATH = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

function npm(args: readonly string[], options: CommandOptions) {
  return runCommand('npm', args, { timeoutMs: 300_000, ...options, env: { PATH: USERS_PATH, ...options.env } })
}

const OUR_JOB = `import { defineJob, Type } from 'headwater/job'
export default defineJob({
  name: 'greet',
  summary: 'Greet somebody',
  input: Type.Object({ whom: Type.String() }),
  byHand: 'apply',
  run: async ({ input }) => ({ report: {}, lines: ['hello, ' + input.whom] }),
})
`

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  return () => folder[Symbol.asyncDispose]()
})

test(
  'the packed tarball works by npx from the empty folder that it was installed in',
  { timeout: 300_000 },
  async () => {
    const packed = await npm(['pack', '--json', '--pack-destination', folder.path], { cwd: PROJECT })
    expect(packed.code, packed.stderr).toBe(0)
    const [{ filename }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [{ filename: string }]

    const target = join(folder.path, 'empty')
    await mkdir(target)
    const installed = await npm(['install', '--ignore-scripts', join(folder.path, filename)], { cwd: target })
    expect(installed.code, installed.stderr).toBe(0)

    const version = await npm(['exec', '--', 'headwater', '--version'], { cwd: target })
    expect(version.stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)

    const wrong = await npm(['exec', '--', 'headwater', 'confg'], { cwd: target })
    expect(wrong.code).toBe(4)

    const csv = 'resource,tags\n"urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)",urn:li:tag:pii\n'
    await writeFile(join(target, 'tags.csv'), csv)
    const args = ['run', 'import-csv', '--file', 'tags.csv', '--missing', 'create', '--apply']
    const imported = await npm(['exec', '--', 'headwater', ...args], { cwd: target })
    expect(imported.code, imported.stderr).toBe(0)
    expect(imported.stdout).toContain('records    read 1 = used 1')

    // A job of another installed package, named in the configuration.
    const jobs = join(target, 'node_modules/our-jobs')
    await mkdir(jobs)
    await mkdir(join(target, 'config'))
    await writeFile(join(target, 'config/headwater.yaml'), 'jobs: [our-jobs]\n')
    await writeFile(join(jobs, 'package.json'), '{ "name": "our-jobs", "type": "module", "exports": "./index.js" }')
    await writeFile(join(jobs, 'index.js'), OUR_JOB)
    const greeted = await npm(['exec', '--', 'headwater', 'run', 'greet', '--whom', 'all'], { cwd: target })
    expect(greeted.code, greeted.stderr).toBe(0)
    expect(greeted.stdout).toContain('hello, all')

    const library =
      "import { parseLineage } from 'headwater/sql'; console.log(parseLineage('select a from t').tables.inputs[0])"
    const read = await runCommand(process.execPath, ['--input-type=module', '-e', library], { cwd: target })
    expect(read.stdout.trim(), read.stderr).toBe('t')

    const pool = `import { LineagePool } from 'headwater/sql/pool'
      const pool = new LineagePool({ threads: 2 })
      const requests = Array.from({ length: 500 }, (_, i) => ({ sql: 'select a from t' + i, options: {} }))
      console.log((await pool.lineages(requests)).flatMap(({ tables }) => tables.inputs).join())
      await pool.close()`
    const readByMany = await runCommand(process.execPath, ['--input-type=module', '-e', pool], { cwd: target })
    expect(readByMany.stdout.trim(), readByMany.stderr).toBe(Array.from({ length: 500 }, (_, i) => `t${i}`).join())
  },
)
