import { expect, test } from 'vitest'
import { readListCell, readTextCell } from '../../../src/import/cells.ts'

test.each([
  ['  a b  ', 'a b'],
  ['\\  a b  ', '  a b  '],
  ['  \\  a  ', '  a  '],
  ['\\=', '='],
  ['\\\\', '\\'],
  [' = ', null],
  ['   ', undefined],
])('the text cell %j says %j', (cell, text) => {
  expect(readTextCell(cell)).toBe(text)
})

test.each([
  [' a | b ', ['a', 'b']],
  ['\\ a |\\ b ', [' a ', ' b ']],
  ['[ a |\\ b ]', ['a', ' b ']],
  ['\\a\\|b|c', ['a|b', 'c']],
])('the list cell %j holds %j', (cell, items) => {
  expect(readListCell(cell, '|', 'patch', 'tags')).toEqual({ replace: false, add: items, remove: [] })
})
