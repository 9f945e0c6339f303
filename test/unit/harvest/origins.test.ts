import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsEdgesOf, lineageIntent, lineageMerge } from '../../../src/harvest/lineage-aspect.ts'
import { queryPrefix, type DatasetLineage, type Evidence } from '../../../src/harvest/fold.ts'
import { objectsAt, type JsonObject } from '../../../src/model/json.ts'
import { asUrn, datasetUrn, schemaFieldUrn, type DatasetUrn } from '../../../src/model/urn.ts'

const table = (name: string): DatasetUrn => datasetUrn({ platform: 'postgres', name })
const STAMP = { time: 1, actor: 'urn:li:corpuser:x' }
const TARGET = table('mart.daily')

function aLineage(origin: string, upstreams: readonly string[]): DatasetLineage {
  const evidence: Evidence = {
    query: asUrn(`${queryPrefix(origin)}q`),
    at: 'a.sql:1',
    sql: '',
    platform: 'postgres',
    timeMs: undefined,
  }
  const field = schemaFieldUrn(TARGET, 'x')
  const sources = new Set(upstreams.map((name) => schemaFieldUrn(table(name), 'x')))
  return {
    upstreams: new Map(upstreams.map((name) => [table(name), { dataset: table(name), type: 'TRANSFORMED', evidence }])),
    fields:
      upstreams.length === 0
        ? new Map()
        : new Map([
            [
              field,
              [{ downstream: field, upstreams: sources, operation: 'COPY', confidence: 1, reasons: [], evidence }],
            ],
          ]),
  }
}

/** The aspect after a harvest of an origin that found these upstreams. */
function harvest(
  current: JsonObject | undefined,
  origin: string,
  upstreams: readonly string[],
  time = 1,
): JsonObject | undefined {
  const intent = lineageIntent(aLineage(origin, upstreams), { adds: false, spared: [] })
  const merge = lineageMerge({ origin, run: `run-${time}`, stamp: { ...STAMP, time } })
  return merge(current, intent) ?? current
}

const MANUAL = { dataset: table('manual'), type: 'TRANSFORMED', auditStamp: STAMP, properties: { source: 'UI' } }
const OTHER_TOOL = { upstreamType: 'FIELD_SET', upstreams: [], downstreamType: 'FIELD', downstreams: ['x'] }

function edgesOf(aspect: JsonObject | undefined): readonly string[] {
  const upstreams = (aspect?.['upstreams'] ?? []) as readonly { readonly dataset: string }[]
  return upstreams.map((edge) => /postgres,([^,]+),/.exec(edge.dataset)?.[1] ?? '')
}

test('a harvest that finds the same again changes nothing, stamps included', () => {
  const once = harvest(undefined, 'a', ['r', 's'])
  expect(harvest(once, 'a', ['s', 'r'], 99)).toEqual(once)
})

test('an edge that is gone goes, those of people and other tools stay', () => {
  const current = { upstreams: [MANUAL], fineGrainedLineages: [OTHER_TOOL] }
  const first = harvest(current, 'a', ['r', 's'])
  expect(edgesOf(first)).toEqual(['manual', 'r', 's'])
  const second = harvest(first, 'a', ['s'])
  expect(edgesOf(second)).toEqual(['manual', 's'])
  const none = harvest(second, 'a', [])
  expect(none).toEqual(current)
  expect(holdsEdgesOf('a', second ?? {})).toBe(true)
  expect(holdsEdgesOf('a', none ?? {})).toBe(false)
})

test('an edge that somebody else drew is not drawn twice', () => {
  const current = { upstreams: [MANUAL] }
  expect(edgesOf(harvest(current, 'a', ['manual', 'r']))).toEqual(['manual', 'r'])
})

/** As the oldest DataHubs keep an aspect. */
function kept(aspect: JsonObject | undefined): JsonObject {
  return {
    upstreams: objectsAt(aspect, 'upstreams').map(({ properties: _p, query: _q, created: _c, ...edge }) => edge),
    fineGrainedLineages: objectsAt(aspect, 'fineGrainedLineages').map(({ query: _q, ...edge }) => edge),
  }
}

test('a catalog that keeps neither properties nor queries of edges does not fill up', () => {
  const once = kept(harvest(undefined, 'a', ['r', 's']))
  expect(harvest(once, 'a', ['r', 's'], 2)).toEqual(once)
})

describe('several origins', () => {
  test('share an edge, which goes when the last of them no longer has it', () => {
    const both = harvest(harvest(undefined, 'b', ['r']), 'a', ['r'])
    expect(edgesOf(both)).toEqual(['r'])
    const left = harvest(both, 'a', [])
    expect(edgesOf(left)).toEqual(['r'])
    expect(left).toEqual(harvest(undefined, 'b', ['r']))
    expect(edgesOf(harvest(left, 'b', []))).toEqual([])
  })

  test('come to the same end whatever the order of their harvests', () => {
    const names = fc.subarray(['r', 's', 't'])
    const harvests = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), names), { maxLength: 8 })
    fc.assert(
      fc.property(harvests, fc.nat(), (all, seed) => {
        const last = new Map(all)
        const [manual] = [{ upstreams: [MANUAL], fineGrainedLineages: [] }]
        const inOrder = all.reduce<JsonObject | undefined>((at, [origin, found]) => harvest(at, origin, found), manual)
        const shuffled = [...last].toSorted(
          ([a], [b]) => ((a.charCodeAt(0) * (seed + 7)) % 5) - ((b.charCodeAt(0) * (seed + 7)) % 5),
        )
        const direct = shuffled.reduce<JsonObject | undefined>(
          (at, [origin, found]) => harvest(at, origin, found),
          manual,
        )
        expect(inOrder).toEqual(direct)
      }),
    )
  })
})
