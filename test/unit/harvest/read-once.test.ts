import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LineageReader } from '../../../src/harvest/analyse.ts'
import type { DatasetCatalog } from '../../../src/harvest/catalog-names.ts'
import { openLineageReader } from '../../../src/harvest/reader.ts'
import { aspectId } from '../../../src/client/sink.ts'
import { datasetUrn } from '../../../src/model/urn.ts'
import { EMPTY_CATALOG, harvested } from '../../support/harvest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A catalog that knows `raw.orders` and `mart.daily`, both with columns a and b. */
const catalog: DatasetCatalog = {
  ...EMPTY_CATALOG,
  read: (keys) =>
    Promise.resolve(
      new Map(
        keys
          .filter(({ urn, aspectName }) => aspectName === 'schemaMetadata' && TABLES.includes(urn))
          .map((key) => [aspectId(key), { value: { fields: [{ fieldPath: 'a' }, { fieldPath: 'b' }] } }]),
      ),
    ),
}
const TABLES: readonly string[] = ['raw.orders', 'mart.daily'].map((name) =>
  datasetUrn({ platform: 'postgres', name: `dwh.${name}` }),
)

test('an entry whose tables are known by then is read once, and says the same', async () => {
  await using folder = await temporaryFolder()
  await using own = openReader()
  let read = 0
  const reader: LineageReader = {
    lineages(requests) {
      read += requests.length
      return own.lineages(requests)
    },
  }
  const statements = Array.from(
    { length: 1200 },
    (_, n) => `insert into mart.daily select a, b + ${n} as x${n} from raw.orders`,
  )
  const source = join(folder.path, 'log.ndjson')
  await writeFile(source, statements.map((query) => JSON.stringify({ query })).join('\n'))
  const { changes, counts } = await harvested(
    { source, platform: 'postgres', database: 'dwh', adds: true, takesAway: false },
    { sink: catalog, reader },
  )
  expect(counts['used']).toBe(1200)
  // A group of 256 is read before the catalog was asked for any table, the next one maybe; the others are read once.
  expect(read).toBeGreaterThanOrEqual(1200 + 256)
  expect(read).toBeLessThanOrEqual(1200 + 2 * 256)
  const lineage = changes.find(({ aspectName }) => aspectName === 'upstreamLineage')
  const edges = lineage?.intent['fineGrainedLineages'] as readonly { readonly downstreams: readonly string[] }[]
  expect(new Set(edges.flatMap(({ downstreams }) => downstreams.map((field) => field.slice(-2))))).toEqual(
    new Set(['a)', 'b)']),
  )
})

function openReader(): ReturnType<typeof openLineageReader> & AsyncDisposable {
  const reader = openLineageReader({ threads: 1 })
  return Object.assign(reader, {
    [Symbol.asyncDispose]: async () => {
      await reader.close()
    },
  })
}
