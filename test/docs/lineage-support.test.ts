import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { goldenSuite } from '../support/golden/suite.ts'
import { withGeneratedParts } from '../support/golden/support-table.ts'

const PATH = resolve(import.meta.dirname, '../../docs/lineage.md')

/** `UPDATE_DOCS=1 npx vitest run test/docs/lineage-support.test.ts` writes them anew. */
test('the tables of docs/lineage.md are what the golden suite and the diagnostics say', () => {
  const document = readFileSync(PATH, 'utf8')
  const current = withGeneratedParts(document, goldenSuite())
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PATH, current)
  expect(withoutPadding(readFileSync(PATH, 'utf8'))).toBe(withoutPadding(current))
})

/** Tables are padded by the formatter. */
function withoutPadding(text: string): string {
  return text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
}
