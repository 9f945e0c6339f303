/**
 * 5,000 CSVs that nobody should write, through the whole of the import but for the network: of every row one can say what
 * became of it. Fast-check prints its seed with a failure; HEADWATER_FUZZ_SEED=… runs the same ones again, and
 * HEADWATER_FUZZ_RUNS=… more of them.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Sink, StoredAspect } from '../../../src/client/sink.ts'
import { aspectId } from '../../../src/client/sink.ts'
import { compare, type AspectChange } from '../../../src/client/change.ts'
import type { RowReject } from '../../../src/import/errors.ts'
import { importChanges } from '../../../src/import/import-csv.ts'
import { readDefinition } from '../../../src/import/property-values.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { COLUMNS_THERE, THERE, uglyCsv } from '../../support/csv-generator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const RUNS = Number(process.env['HEADWATER_FUZZ_RUNS'] ?? 5000)
const SEED = process.env['HEADWATER_FUZZ_SEED']

const keep = readDefinition(asUrn('urn:li:structuredProperty:keep'), {
  valueType: 'urn:li:dataType:datahub.number',
  cardinality: 'MULTIPLE',
  entityTypes: ['urn:li:entityType:datahub.dataset'],
})

const stored = new Map<string, StoredAspect>(
  THERE.flatMap((urn) => [
    [aspectId({ urn, aspectName: 'datasetKey' }), { value: { name: urn } }],
    [
      aspectId({ urn, aspectName: 'schemaMetadata' }),
      { value: { fields: COLUMNS_THERE.map((fieldPath) => ({ fieldPath })) } },
    ],
  ]),
)

/** A catalog of four datasets that nobody writes to. */
const sink: Sink = {
  read: (keys) =>
    Promise.resolve(
      new Map(
        keys.flatMap((key) => {
          const aspect = stored.get(aspectId(key))
          return aspect === undefined ? [] : [[aspectId(key), aspect] as const]
        }),
      ),
    ),
  write: () => Promise.reject(new Error('nothing is written here')),
}

async function run(path: string, folder: string) {
  const records = { read: 0, used: 0, duplicate: 0, noEffect: 0, rejected: 0 }
  const rejects: RowReject[] = []
  const changes: AspectChange[] = []
  const settings = {
    files: [path],
    mode: 'patch' as const,
    arrayDelimiter: '|',
    columns: {},
    unknownColumns: 'refuse' as const,
    definitions: keep === undefined ? [] : [keep],
    missing: 'fail' as const,
  }
  for await (const change of importChanges(settings, {
    sink,
    stamp: { time: 1, actor: 'urn:li:corpuser:fuzz' },
    folder,
    signal: new AbortController().signal,
    records: (add) => {
      for (const [key, count] of Object.entries(add)) records[key as keyof typeof records] += count
    },
    reject: (...added) => {
      rejects.push(...added)
      records.rejected += added.length
      return Promise.resolve()
    },
  })) {
    changes.push(change)
  }
  return { records, rejects, changes }
}

test(
  'every row of 5,000 ugly CSVs is written, unchanged, or rejected with its reason',
  { timeout: 600_000 },
  async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'ugly.csv')
    const total = { used: 0, rejected: 0 }
    const codes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(uglyCsv, async ({ text, delimiter, markers }) => {
        writeFileSync(path, text)
        const { records, rejects, changes } = await run(path, folder.path)
        expect(records.used + records.duplicate + records.noEffect + records.rejected).toBe(records.read)
        expect(rejects).toHaveLength(records.rejected)
        total.used += records.used
        total.rejected += records.rejected
        const lines = text.split(/\r\n|\r|\n/).length
        for (const { code, message, place, record } of rejects) {
          codes.add(code)
          expect(code).toMatch(/^[A-Z_]+$/)
          expect(message).not.toBe('')
          expect(place.line).toBeGreaterThan(1)
          expect(place.line).toBeLessThanOrEqual(lines)
          expect(text).toContain(record)
        }
        const asked = JSON.stringify(changes.map(({ urn, aspectName, intent }) => ({ urn, aspectName, intent })))
        const rejected = rejects.map(({ record }) => record).join('\n')
        for (const marker of markers) {
          const found = asked.includes(marker) || rejected.includes(marker)
          expect(found, `${marker} of a file with ${JSON.stringify(delimiter)}`).toBe(true)
        }
        // No two changes of one aspect: rows of an entity come together before any write.
        const aspects = changes.map((change) => aspectId(change))
        expect(new Set(aspects).size).toBe(aspects.length)
        for (const change of changes) expect(compare(change, stored.get(aspectId(change))).kind).not.toBe('refused')
      }),
      { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
    )
    // The files are ugly enough to meet every reason, and not so ugly that nothing is read.
    expect(total.used).toBeGreaterThan(total.rejected)
    expect([...codes].toSorted()).toEqual([
      'BROKEN_QUOTE',
      'CELL_COUNT',
      'CONTRADICTING_ROWS',
      'ENTITY_NOT_FOUND',
      'INVALID_URN',
      'INVALID_VALUE',
      'MISSING_RESOURCE',
      'NOT_APPLICABLE',
      'UNKNOWN_COLUMN',
    ])
  },
)
