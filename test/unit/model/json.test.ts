import { array, assert, constantFrom, dictionary, letrec, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, sameJson, type JsonValue } from '../../../src/model/json.ts'

// Few keys and few values, so that equal ones are drawn often.
const { value } = letrec<{ value: JsonValue }>((tie) => ({
  value: oneof(
    { maxDepth: 3 },
    constantFrom<JsonValue>(null, true, 0, -0, 1, '', 'a'),
    array(tie('value'), { maxLength: 2 }),
    dictionary(constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 2 }),
  ),
}))

test('two values are the same exactly when their canonical texts are', () => {
  let same = 0
  assert(
    property(value, value, (a, b) => {
      const expected = canonicalJson(a) === canonicalJson(b)
      if (expected) same++
      expect(sameJson(a, b)).toBe(expected)
      expect(sameJson(a, structuredClone(a))).toBe(true)
    }),
    { numRuns: 2000 },
  )
  expect(same).toBeGreaterThan(50)
})

test('the order of keys makes no difference, that of items does', () => {
  expect(sameJson({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toBe(true)
  expect(sameJson([1, 2], [2, 1])).toBe(false)
  expect(sameJson({ a: null }, {})).toBe(false)
  expect(sameJson([], {})).toBe(false)
})
