/** What docs/retention.md shows is run, and it names every key of the policy. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPolicy, RetentionFile, Rule } from '../../src/retention/policy.ts'
import { QuietHours } from '../../src/retention/quiet-hours.ts'
import { startPiece, type Piece } from '../chaos/kit/piece.ts'
import { PROJECT } from '../support/command.ts'
import { codeBlocks, workplace, type Workplace } from '../support/console-blocks.ts'

const page = await readFile(join(PROJECT, 'docs/retention.md'), 'utf8')
const blocks = codeBlocks(page)

describe('docs/retention.md', () => {
  let place: Workplace
  let server: Piece
  beforeAll(async () => {
    place = await workplace()
    server = startPiece({ script: 'headwater', args: ['up', '--port', '0', '--console-port', '0'], cwd: place.folder })
    await server.line(/listening/)
  }, 60_000)
  afterAll(async () => {
    await server.kill('SIGTERM')
    await place[Symbol.asyncDispose]()
  }, 60_000)

  for (const block of blocks.filter(({ language }) => language === 'console')) {
    test(`line ${block.line}: ${block.text.split('\n')[0]}`, { timeout: 180_000 }, async () => {
      expect.hasAssertions()
      await place.run(block)
    })
  }
})

test('its policies can be read', () => {
  const policies = blocks.filter(({ language }) => language === 'yaml')
  expect(policies).toHaveLength(1)
  for (const { text } of policies) expect(readPolicy(text, 'docs/retention.md').rules.length).toBeGreaterThan(0)
})

test('it has a row for each key of the policy and no other', () => {
  const [, section = ''] = /^## The policy\n([\s\S]*?)^## /m.exec(page) ?? []
  const rows = [...section.matchAll(/^\| `([^|]+?) *\|/gm)].flatMap(([, cell = '']) => cell.match(/[\w.]+/g) ?? [])
  const own = Object.keys(RetentionFile.properties)
  const quiet = Object.keys(QuietHours.properties).map((key) => (key === 'to' ? key : `quietHours.${key}`))
  const rule = Object.keys(Rule.properties).map((key) => (own.includes(key) ? `rules.${key}` : key))
  expect(rows.toSorted()).toEqual([...own, ...quiet, ...rule].toSorted())
})

test('config/retention.yaml shows each key', async () => {
  const text = await readFile(join(PROJECT, 'config/retention.yaml'), 'utf8')
  const keys = [...Object.keys(RetentionFile.properties), ...Object.keys(Rule.properties)]
  expect(keys.filter((key) => !new RegExp(`^[-# ]*${key}:`, 'm').test(text))).toEqual([])
})
