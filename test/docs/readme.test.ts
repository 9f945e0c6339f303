/**
 * Everything that the README shows is run (`test/support/console-blocks.ts`). `sh` blocks are not run here and must be in
 * the list below, each with the test that does.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROJECT } from '../support/command.ts'
import { codeBlocks, workplace, type Workplace } from '../support/console-blocks.ts'

const NOT_RUN_HERE: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/e2e/demo.test.ts',
  'npm ci && npm test': 'this is what runs it',
  'curl localhost:8090/api/plans?state=awaiting': 'test/console/console.test.ts',
  [`curl -X POST localhost:8090/api/plans/PLAN/approve -H 'content-type: application/json' -d '{"by": "ann"}'`]:
    'test/console/console.test.ts',
  'curl localhost:8090/metrics': 'test/console/console.test.ts',
  'curl localhost:8090/health/ready': 'test/console/console.test.ts',
  'docker compose up': 'needs a Docker engine; its files are checked by test/e2e/compose.test.ts',
}

const readme = await readFile(join(PROJECT, 'README.md'), 'utf8')
const blocks = codeBlocks(readme)
let place: Workplace

beforeAll(async () => {
  place = await workplace()
})
afterAll(() => place[Symbol.asyncDispose]())

describe('the README', () => {
  for (const block of blocks.filter(({ language }) => language === 'console')) {
    test(`line ${block.line}: ${block.text.split('\n')[0]}`, { timeout: 180_000 }, async () => {
      expect.hasAssertions()
      await place.run(block)
    })
  }

  test('shows the picture that the demo draws', async () => {
    const drawn = await readFile(join(place.folder, '.headwater/demo/warehouse.svg'), 'utf8')
    expect(
      drawn === (await readFile(join(PROJECT, 'docs/demo-lineage.svg'), 'utf8')),
      'draw it anew: npm run demo',
    ).toBe(true)
  })

  test('shows no shell block that nothing runs', () => {
    const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n'))
    const bare = commands.map((line) => line.replace(/ +#.*$/, '').trim()).filter((line) => line !== '')
    expect(bare.filter((command) => !(command in NOT_RUN_HERE))).toEqual([])
  })

  test('links to nothing that is not there', async () => {
    expect.hasAssertions()
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? '')
    for (const target of targets) expect(await readFile(join(PROJECT, target)), target).toBeDefined()
  })
})
