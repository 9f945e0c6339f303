import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defineJob, Type } from '../../../src/runner/define-job.ts'
import { createJobRegistry, loadJobModules } from '../../../src/runner/registry.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const JOB = (name: string) =>
  `{ name: '${name}', summary: 's', byHand: 'apply', input: { type: 'object', properties: {} }, run: async () => ({ report: {}, lines: [] }) }`

test('jobs come from files by their paths, one or several in each', async () => {
  await using folder = await temporaryFolder()
  const one = join(folder.path, 'one.mjs')
  const several = join(folder.path, 'several.mjs')
  await writeFile(one, `export default ${JOB('one')}`)
  await writeFile(several, `export const jobs = [${JOB('two')}, ${JOB('three')}]`)
  const jobs = createJobRegistry([aJob('built-in'), ...(await loadJobModules([one, several]))])
  expect(jobs.names).toEqual(['built-in', 'one', 'three', 'two'])
  expect(jobs.get('two').summary).toBe('s')
})

test('a module that cannot be used is named, with the reason', async () => {
  await using folder = await temporaryFolder()
  await mkdir(folder.path, { recursive: true })
  const broken = join(folder.path, 'broken.mjs')
  const none = join(folder.path, 'none.mjs')
  await writeFile(broken, 'export default {')
  await writeFile(none, 'export default { name: "half" }')
  for (const module of [broken, none, join(folder.path, 'absent.mjs'), 'no-such-package-anywhere']) {
    await expect(loadJobModules([module])).rejects.toMatchObject({
      code: 'JOB_MODULE',
      message: expect.stringContaining(module),
      badInput: true,
    })
  }
})

test('names are those of queues, and unique', () => {
  expect(() => createJobRegistry([aJob('a:b')])).toThrow(expect.objectContaining({ code: 'JOB_MODULE' }))
  expect(() => createJobRegistry([aJob('same'), aJob('same')])).toThrow(/two jobs of this name/)
  expect(() => createJobRegistry([aJob('harvest')]).get('harvst')).toThrow(/harvest/)
})

function aJob(name: string) {
  return defineJob({
    name,
    summary: name,
    byHand: 'apply',
    input: Type.Object({}),
    run: () => Promise.resolve({ report: {}, lines: [] }),
  })
}
