import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EditRow } from '../../../src/import/edits.ts'
import { groupByEntity } from '../../../src/import/group.ts'
import { asUrn } from '../../../src/model/urn.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** In pieces of seven. */
async function* rows(count: number, entities: number): AsyncGenerator<readonly EditRow[]> {
  for (let from = 0; from < count; from += 7) {
    yield Array.from({ length: Math.min(7, count - from) }, (_, at) => {
      const n = from + at
      return { file: 'f.csv', line: n, text: '', urn: asUrn(`urn:li:tag:t${n % entities}`), edits: {} }
    })
  }
}

interface Grouped {
  readonly groups: ReadonlyMap<string, readonly number[]>
  /** Most rows that were held together at once. */
  readonly most: number
}

async function group(folder: string, maxRowsHeld: number, maxSliceBytes = 1_000_000): Promise<Grouped> {
  const groups = new Map<string, readonly number[]>()
  let most = 0
  for await (const some of groupByEntity(rows(1000, 30), { folder, maxRowsHeld, maxSliceBytes })) {
    most = Math.max(
      most,
      some.reduce((sum, { rows: together }) => sum + together.length, 0),
    )
    for (const { urn, rows: together } of some) {
      expect(groups.has(urn)).toBe(false)
      groups.set(
        urn,
        together.map((row) => row.line),
      )
    }
  }
  return { groups, most }
}

test('rows that do not fit into memory come together as those that do, and leave nothing behind', async () => {
  await using folder = await temporaryFolder()
  const inMemory = await group(folder.path, 10_000)
  const onDisk = await group(folder.path, 70)
  expect(inMemory.groups.size).toBe(30)
  expect(Object.fromEntries(onDisk.groups)).toEqual(Object.fromEntries(inMemory.groups))
  expect([...(await group(folder.path, 70)).groups.keys()]).toEqual([...onDisk.groups.keys()])
  expect(existsSync(join(folder.path, 'rows'))).toBe(false)
})

test('a slice that is too large is cut again, and nothing of it is lost or out of order', async () => {
  await using folder = await temporaryFolder()
  const inMemory = await group(folder.path, 10_000)
  const slices = await group(folder.path, 70)
  const cut = await group(folder.path, 70, 500)
  expect(Object.fromEntries(cut.groups)).toEqual(Object.fromEntries(inMemory.groups))
  // An entity has 33 or 34 rows; some slices have two entities, which cutting parts.
  expect([inMemory.most, slices.most > 34, cut.most]).toEqual([1000, true, 34])
  expect(existsSync(join(folder.path, 'rows'))).toBe(false)
})
