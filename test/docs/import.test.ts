/** Everything that docs/import.md shows is done: its files are written, its commands run, its table of cells tried out. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectsAt, textAt } from '../../src/model/json.ts'
import { PROJECT } from '../support/command.ts'
import { codeBlocks, workplace, type Workplace } from '../support/console-blocks.ts'
import { aDataset, runImport } from '../support/import-run.ts'
import { StubCatalog } from '../support/stub-catalog.ts'

const page = await readFile(join(PROJECT, 'docs/import.md'), 'utf8')
let place: Workplace

beforeAll(async () => {
  place = await workplace()
  for (const [, name = '', text = ''] of page.matchAll(/<!-- file (\S+) -->\n+```\w+\n([\s\S]*?)^```$/gm)) {
    await writeFile(join(place.folder, name), text)
  }
})
afterAll(() => place[Symbol.asyncDispose]())

describe('commands', () => {
  for (const block of codeBlocks(page).filter(({ language }) => language === 'console')) {
    test(`line ${block.line}: ${block.text.split('\n')[0]}`, { timeout: 240_000 }, async () => {
      expect.hasAssertions()
      await place.run(block)
    })
  }
})

describe('cells', () => {
  const [, table = ''] = /^## What a cell says\n([\s\S]*?)^## /m.exec(page) ?? []
  const rows = table
    .split('\n')
    .filter((line) => line.startsWith('| `') || line.startsWith('| (empty)'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

  test('the table is found', () => expect(rows.length).toBeGreaterThan(6))

  for (const [cell = '', patch = '', override = ''] of rows) {
    const written = cell === '(empty)' ? '' : cell.slice(1, -1).replaceAll('\\|', '|')
    test.each([
      ['patch', patch],
      ['override', override],
    ] as const)(`${cell} in mode %s leaves %s`, async (mode, left) => {
      await using stub = await StubCatalog.start()
      const urn = aDataset('t')
      stub.put(urn, 'datasetKey', { name: urn })
      stub.put(urn, 'globalTags', { tags: [{ tag: 'urn:li:tag:old' }, { tag: 'urn:li:tag:kept' }] })
      await runImport(stub.url, `resource,tags,description\n"${urn}",${written},x\n`, { mode })
      const names = objectsAt(stub.aspect(urn, 'globalTags')?.value, 'tags').map((item) =>
        (textAt(item, 'tag') ?? '').replace('urn:li:tag:', ''),
      )
      const expected = left === '(none)' ? [] : left.split(' ').map((name) => name.replaceAll('\\|', '|'))
      expect(names).toEqual(expected)
    })
  }
})
