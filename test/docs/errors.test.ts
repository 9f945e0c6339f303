/** Each error code stands in the README's table, and the table has no code that nothing throws. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../support/command.ts'

function textsBelow(folder: string): readonly string[] {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => readFileSync(path, 'utf8'))
}

/** Code → names of the classes that carry it. */
const CLASSES = new Map<string, string[]>()
for (const text of [...textsBelow('src'), ...textsBelow('jobs')]) {
  for (const [, name = '', code = ''] of text.matchAll(
    /class (\w+) extends \w+ \{\s+readonly code(?:: string)? = '([A-Z_]+)'/g,
  )) {
    CLASSES.set(code, [...(CLASSES.get(code) ?? []), name])
  }
}
const CODES = [...CLASSES.keys()].toSorted()

test('the README has a row for each error code and no other', () => {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
  const [, table = ''] = /^## Errors\n([\s\S]*?)^## /m.exec(readme) ?? []
  const rows = [...table.matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1] ?? '')
  expect(rows).toEqual(CODES)
})

test('each error code occurs in a test', () => {
  const tests = textsBelow('test').join('\n')
  const words = new Set(tests.match(/\b[A-Z][A-Z_]+\b/g))
  expect(CODES.filter((code) => !words.has(code))).toEqual([])
})
