import { expect, test } from 'vitest'
import { describeDifference } from '../../../src/client/difference.ts'

const PROPERTY = 'urn:li:structuredProperty:keep'

test('values of a property stand beside its name, when they come and when they go', () => {
  const thirty = {
    properties: [{ propertyUrn: PROPERTY, values: [{ double: 30 }, { string: 'days' }], created: { time: 1 } }],
  }
  expect(describeDifference(undefined, thirty)).toEqual([`+ properties: ${PROPERTY} = 30, days`])
  expect(describeDifference(thirty, { properties: [] })).toEqual([`- properties: ${PROPERTY} = 30, days`])
  const more = { properties: [{ propertyUrn: PROPERTY, values: [{ double: 30 }, { double: 31 }] }] }
  expect(describeDifference(thirty, more)).toEqual([
    `+ properties[${PROPERTY}].values: 31`,
    `- properties[${PROPERTY}].values: days`,
  ])
})

test('what is said of a column for the first time is told, not only that something is', () => {
  const after = {
    editableSchemaFieldInfo: [
      { fieldPath: 'mail', description: 'Where to', globalTags: { tags: [{ tag: 'urn:li:tag:pii' }] } },
    ],
  }
  expect(describeDifference(undefined, after)).toEqual([
    '+ editableSchemaFieldInfo: mail',
    '+ editableSchemaFieldInfo[mail].description: Where to',
    '+ editableSchemaFieldInfo[mail].globalTags: urn:li:tag:pii',
  ])
})

test('the names of new columns of a schema are enough', () => {
  const after = { fields: [{ fieldPath: 'id', nativeDataType: 'int', nullable: false }] }
  expect(describeDifference(undefined, after)).toEqual(['+ fields: id'])
})

test('a text stays on its line, and says nothing to the terminal', () => {
  const after = { description: 'one\ntwo\u001b[2Jthree', name: 'x'.repeat(200) }
  expect(describeDifference(undefined, after)).toEqual([
    '+ description: one\\ntwo\\u001b[2Jthree',
    `+ name: ${'x'.repeat(119)}…`,
  ])
})
