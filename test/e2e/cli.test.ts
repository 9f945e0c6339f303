import { readFile, readdir, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('init writes a commented configuration, and writes nothing the second time', async () => {
  await using folder = await temporaryFolder()
  const first = await headwater(['init'], { cwd: folder.path })
  expect(first.code).toBe(0)
  expect(await readdir(join(folder.path, 'config'))).toEqual(expect.arrayContaining(['headwater.yaml', 'schema']))
  await writeFile(join(folder.path, 'config/headwater.yaml'), '# mine\n')
  const second = await headwater(['init', '--json'], { cwd: folder.path })
  expect(JSON.parse(second.stdout)).toMatchObject({ written: [] })
  expect(await readFile(join(folder.path, 'config/headwater.yaml'), 'utf8')).toBe('# mine\n')
})

test('config show tells the values, where they come from, and no secret', async () => {
  await using folder = await temporaryFolder()
  const { code, stdout } = await headwater(['config', 'show', '--data', 'state'], {
    cwd: folder.path,
    env: { DATABASE_URL: 'postgres://me:hunter2@db.example/x' },
  })
  expect(code).toBe(0)
  expect(stdout).toMatch(/dataFolder +".*state" +--data/)
  expect(stdout).toMatch(/catalog\.port +8080 +default/)
  expect(stdout).toMatch(/databaseUrl +"\*\*\*" +DATABASE_URL/)
  expect(stdout).not.toContain('hunter2')
})

test('a mistake in a configuration file ends with 4, its place and the nearest key', async () => {
  await using folder = await temporaryFolder()
  await mkdir(join(folder.path, 'config'))
  await writeFile(join(folder.path, 'config/headwater.yaml'), 'catalog:\n  prot: 1\n')
  const { code, stderr } = await headwater(['config', 'show'], { cwd: folder.path })
  expect(code).toBe(4)
  expect(stderr).toContain('headwater.yaml:2:3 at catalog.prot: unknown key "prot", did you mean "port"?')
})

test.each([
  [['confg'], 'Did you mean config?'],
  [['init', '--jsn'], 'Did you mean --json?'],
])('%j is refused with 4 and the nearest word', async (args, hint) => {
  const { code, stderr } = await headwater(args)
  expect(code).toBe(4)
  expect(stderr).toContain(hint)
})

test('flags before a subcommand are the subcommand’s; one that it does not have is refused', async () => {
  await using folder = await temporaryFolder()
  const cwd = folder.path
  const before = await headwater(['plans', '--data', 'elsewhere', '--json', 'show', 'nothing'], { cwd })
  expect(before.code).toBe(4)
  expect(JSON.parse(before.stdout)).toMatchObject({ error: { code: 'PLAN_NOT_FOUND' } })
  expect(await readdir(cwd)).toEqual(['elsewhere'])
  const foreign = await headwater(['runs', '--limit', '3', 'show', 'nothing'], { cwd })
  expect(foreign.code).toBe(4)
  expect(foreign.stderr).toContain("--limit belongs to 'runs', not to 'show'")
})

test('a catalog that is not there is named once, with what to do', async () => {
  const { code, stderr } = await headwater(['connect', '--test', '--catalog', 'http://127.0.0.1:1'])
  expect(code).toBe(1)
  expect(stderr.match(/ECONNREFUSED/g)).toHaveLength(1)
  expect(stderr).not.toContain('connect --test')
})
