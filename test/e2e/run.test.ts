import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater, PROJECT, runCommand } from '../support/command.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TAGS = join(PROJECT, 'examples/warehouse/tags.csv')
const TAG_DEFINITIONS = join(PROJECT, 'examples/warehouse/tags.yaml')
const IMPORT = ['run', 'import-csv', '--file', TAGS, '--tags', TAG_DEFINITIONS, '--missing', 'create']

interface RunJson {
  readonly run: { readonly id: string; readonly state: string }
  readonly applied: { readonly balance: { readonly proposals: Counts } } | null
  readonly plan: { readonly id: string; readonly state: string } | null
}
type Counts = Readonly<Record<'made' | 'written' | 'unchanged', number>>

function runJson(stdout: string): RunJson {
  return JSON.parse(stdout) as RunJson
}

test('an import plans by hand, writes with --apply, and finds nothing to write the second time', async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  const planned = await headwater(IMPORT, at)
  expect(planned.code, planned.stderr).toBe(2)
  expect(planned.stdout).toMatch(/headwater approve plan-\S+/)
  expect(planned.stdout).toContain('tags.csv:55:1  INVALID_URN')

  const first = await headwater([...IMPORT, '--apply', '--json'], at)
  expect(first.code, first.stderr).toBe(2)
  const { made = 0, written = 0, unchanged = 0 } = runJson(first.stdout).applied?.balance.proposals ?? {}
  expect(written).toBeGreaterThan(100)
  expect(written + unchanged).toBe(made)

  const second = await headwater([...IMPORT, '--apply'], at)
  expect(second.stdout).toContain(`nothing to write: all ${made} aspects are as the files want them`)
})

test('a run goes to the instance that serves its data folder', async () => {
  await using folder = await temporaryFolder()
  await using server = startServer(['up', '--port', '0'], { cwd: folder.path })
  await server.waitFor(/listening on/)
  const { code, stdout } = await headwater([...IMPORT, '--apply', '--json'], { cwd: folder.path })
  expect(code).toBe(2)
  expect(server.output()).toContain(runJson(stdout).run.id)
})

test('standard input is read wherever the worker stands', async () => {
  await using folder = await temporaryFolder()
  await using server = startServer(['up', '--port', '0'], { cwd: folder.path })
  await server.waitFor(/listening on/)
  const csv = 'resource,tags\n"urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)",urn:li:tag:pii\n'
  const args = ['run', 'import-csv', '--file', '-', '--missing', 'create', '--apply', '--json']
  const { code, stdout, stderr } = await headwater(args, { cwd: folder.path, stdin: csv })
  expect(code, stderr).toBe(0)
  expect(runJson(stdout).applied?.balance.proposals.written).toBeGreaterThan(0)
})

test('--plan and --apply exclude each other, and an unknown job is named with the nearest one', async () => {
  const both = await headwater([...IMPORT, '--plan', '--apply'])
  expect(both.code).toBe(4)
  const unknown = await headwater(['run', 'import-cvs'])
  expect(unknown.code).toBe(4)
  expect(unknown.stderr).toContain('Did you mean import-csv?')
})

test('a flag that must be given, and a file beside the input that is not there, are named: 4', async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  const without = await headwater(['run', 'import-csv'], at)
  expect(without).toMatchObject({ code: 4, stderr: expect.stringContaining('--file must be given') })
  const policy = await headwater(['run', 'retention', '--policy', 'gone.yaml'], at)
  expect(policy).toMatchObject({ code: 4, stderr: expect.stringMatching(/SOURCE_UNREADABLE .*gone\.yaml/) })
  expect(policy.stderr).not.toContain('at async')
})

test('a data folder that cannot be made is an error with a code', async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, 'taken'), '')
  // /proc takes no folders, and a file none below it.
  for (const data of ['taken', 'taken/below', '/proc/headwater']) {
    const { code, stderr } = await headwater(['runs', '--data', data], { cwd: folder.path, timeoutMs: 30_000 })
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DATA_FOLDER_RIGHTS') })
  }
})

test('a job of one’s own is a file that the configuration names', async () => {
  await using folder = await temporaryFolder()
  const at = { cwd: folder.path }
  await runCommand('mkdir', ['config'], at)
  await writeFile(join(folder.path, 'config/headwater.yaml'), 'jobs: [./count-lines.ts]\n')
  const architecture = await readFile(join(PROJECT, 'ARCHITECTURE.md'), 'utf8')
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(architecture) ?? []
  const source = example
    .replace("'headwater/job'", `'${join(PROJECT, 'src/runner/define-job.ts')}'`)
    .replace(/^import/, "import { readFile } from 'node:fs/promises'\nimport")
  const countLines =
    "\nasync function countLines(file: string) {\n  return (await readFile(file, 'utf8')).split('\\n').length - 1\n}\n"
  await writeFile(join(folder.path, 'config/count-lines.ts'), source + countLines)
  await writeFile(join(folder.path, 'three.txt'), 'a\nb\nc\n')
  const { code, stdout, stderr } = await headwater(['run', 'count-lines', '--file', join(folder.path, 'three.txt')], at)
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('3 lines')
  expect(stdout).toContain('records    read 3 = used 3')
})

test('a connection that nobody named, and a job module that is none, are refused with 4', async () => {
  await using folder = await temporaryFolder()
  const unknown = await headwater(['connect', '--test', '--to', 'prod'], { cwd: folder.path })
  expect(unknown.code).toBe(4)
  expect(unknown.stderr).toContain('UNKNOWN_CONNECTION')
  await runCommand('mkdir', ['config'], { cwd: folder.path })
  await writeFile(join(folder.path, 'config/headwater.yaml'), 'jobs: [./empty.mjs]\n')
  await writeFile(join(folder.path, 'config/empty.mjs'), 'export const nothing = 1\n')
  const broken = await headwater(['run', 'import-csv', '--file', 'x.csv'], { cwd: folder.path })
  expect(broken.code).toBe(4)
  expect(broken.stderr).toContain('JOB_MODULE')
})
