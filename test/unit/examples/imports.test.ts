import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { definitionChanges, tagChanges } from '../../../src/import/definitions.ts'

const WAREHOUSE = resolve(import.meta.dirname, '../../../examples/warehouse')

function textOf(file: string): string {
  return readFileSync(join(WAREHOUSE, file), 'utf8')
}

test('every tag that tags.csv hangs on something is in tags.yaml, and each tag there is used', () => {
  const defined = tagChanges(textOf('tags.yaml'), 'tags.yaml').map((change) => String(change.urn))
  const used = new Set(textOf('tags.csv').match(/urn:li:tag:[a-z-]+/g))
  expect(defined.toSorted()).toEqual([...used].map(String).toSorted())
})

test('every property column of properties.csv is defined', () => {
  const defined = definitionChanges(textOf('property-definitions.yaml'), 'property-definitions.yaml')
  const [header = ''] = textOf('properties.csv').split('\n')
  const columns = header.split(',').filter((name) => name.startsWith('sp.'))
  expect(columns.map((name) => `urn:li:structuredProperty:${name.slice(3)}`)).toEqual(defined.map(({ urn }) => urn))
})
