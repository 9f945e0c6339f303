import { expect, test } from 'vitest'
import {
  asDatasetUrn,
  asUrn,
  datasetParts,
  datasetUrn,
  encodedUrnBytes,
  entityTypeOf,
  parseUrn,
  schemaFieldParts,
  schemaFieldUrn,
} from '../../../src/model/urn.ts'
import { simpleFieldPath } from '../../../src/model/field-path.ts'
import { nearest } from '../../../src/model/near.ts'
import { asciiJson, canonicalJson } from '../../../src/model/json.ts'

test('a dataset URN is built from its parts and read back', () => {
  const urn = datasetUrn({ platform: 'snowflake', name: 'db.s.t', instance: 'eu', env: 'DEV' })
  expect(urn).toBe('urn:li:dataset:(urn:li:dataPlatform:snowflake,eu.db.s.t,DEV)')
  expect(datasetParts(urn)).toEqual({ platform: 'snowflake', name: 'eu.db.s.t', env: 'DEV' })
  expect(entityTypeOf(urn)).toBe('dataset')
})

test('tuples split at commas of depth one only', () => {
  const job = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,f,prod),task)'
  expect(parseUrn(job)).toEqual({ urn: job, entityType: 'dataJob', key: ['urn:li:dataFlow:(airflow,f,prod)', 'task'] })
})

test.each([
  'tag:pii',
  'urn:li:tag',
  'urn:li:tag:',
  'urn:li::x',
  'urn:li:dataset:(a,b',
  'urn:li:dataset:(a,,b)',
  'urn:li:dataset:(a)b,c)',
  'urn:li:tag:a\u0000b',
])('%j is refused as a URN', (text) => {
  expect(() => asUrn(text)).toThrow(expect.objectContaining({ code: 'INVALID_URN' }))
})

test('an environment that nobody knows is refused for a dataset', () => {
  expect(() => asDatasetUrn('urn:li:dataset:(urn:li:dataPlatform:hive,t,PRODUCTION)')).toThrow('environment')
})

test('in a column URN only the field path is encoded, and only three characters of it', () => {
  const dataset = datasetUrn({ platform: 'hive', name: 'a(b)' })
  const urn = schemaFieldUrn(dataset, 'f(x,y)%z')
  expect(urn).toBe('urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:hive,a(b),PROD),f%28x%2Cy%29%z)')
  expect(schemaFieldParts(urn)).toEqual({ parent: dataset, fieldPath: 'f(x,y)%z' })
})

test('the length rule counts the Java URL-encoding', () => {
  expect(encodedUrnBytes('urn:li:tag:a b(c)')).toBe('urn%3Ali%3Atag%3Aa+b%28c%29'.length)
})

test('a versioned field path keeps its plain tokens', () => {
  expect(simpleFieldPath('[version=2.0].[type=struct].order.[type=string].id')).toBe('order.id')
  expect(simpleFieldPath('order.[odd].id')).toBe('order.[odd].id')
})

test('nearest names come best first and far ones not at all', () => {
  expect(nearest('dialekt', ['dialect', 'dialects', 'profile'], 2)).toEqual(['dialect', 'dialects'])
  expect(nearest('xyz', ['profile'])).toEqual([])
  expect(nearest('prot', ['port', 'prototype'])).toEqual(['port'])
})

test('canonical JSON ignores the order of keys, ASCII JSON escapes what is above it', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[1,{"c":"x","d":null}]}')
  expect(asciiJson({ n: 'größe 🙂' })).toBe(String.raw`{"n":"gr\u00f6\u00dfe \ud83d\ude42"}`)
})
