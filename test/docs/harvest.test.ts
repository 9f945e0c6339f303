/** What docs/harvest.md shows is run, and it names what there is. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import harvestLineage from '../../jobs/harvest-lineage.ts'
import { kebabCase } from '../../src/cli/flags.ts'
import { LOG_FIELDS, LOG_PRESETS } from '../../src/harvest/log/shape.ts'
import { readNaming } from '../../src/harvest/naming.ts'
import { PROJECT } from '../support/command.ts'
import { codeBlocks, workplace, type Workplace } from '../support/console-blocks.ts'

const page = await readFile(join(PROJECT, 'docs/harvest.md'), 'utf8')
const blocks = codeBlocks(page)

describe('docs/harvest.md', () => {
  let place: Workplace
  beforeAll(async () => {
    place = await workplace()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  for (const block of blocks.filter(({ language }) => language === 'console')) {
    test(`line ${block.line}: ${block.text.split('\n')[0]}`, { timeout: 180_000 }, async () => {
      expect.hasAssertions()
      await place.run(block)
    })
  }
})

test('its naming files can be read', () => {
  const namings = blocks.filter(({ language }) => language === 'yaml')
  expect(namings).toHaveLength(1)
  for (const { text } of namings) expect(readNaming(text, 'docs/harvest.md').sources.length).toBeGreaterThan(0)
})

test('its flags exist, and every preset and field of a log is named', () => {
  const own = new Set([...Object.keys(harvestLineage.input.properties).map(kebabCase), 'plan'])
  const named = [...page.matchAll(/`--([a-z-]+)/g)].map(([, flag = '']) => flag)
  expect(named.filter((flag) => !own.has(flag))).toEqual([])
  for (const preset of LOG_PRESETS) expect(page).toContain(`\`${preset}\``)
  for (const field of LOG_FIELDS) expect(page).toMatch(new RegExp(`\\b${field}\\b`))
})
