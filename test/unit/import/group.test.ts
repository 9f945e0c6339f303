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

async function group(
  folder: string,
  maxRowsHeld: number,
  maxSliceBytes = 1_000_000,
): Promise<Map<string, readonly number[]>> {
  const groups = new Map<string, readonly number[]>()
  for await (const some of groupByEntity(rows(1000, 30), { folder, maxRowsHeld, maxSliceBytes })) {
    for (const { urn, rows: together } of some) {
      expect(groups.has(urn)).toBe(false)
      groups.set(
        urn,
        together.map((row) => row.line),
      )
    }
  }
  return groups
}

test('rows that do not fit into memory come together as those that do, and leave nothing behind', async () => {
  await using folder = await temporaryFolder()
  const inMemory = await group(folder.path, 10_000)
  const onDisk = await group(folder.path, 70)
  expect(inMemory.size).toBe(30)
  expect(Object.fromEntries(onDisk)).toEqual(Object.fromEntries(inMemory))
  expect([...(await group(folder.path, 70)).keys()]).toEqual([...onDisk.keys()])
  expect(existsSync(join(folder.path, 'rows'))).toBe(false)
})

test('a slice that is too large is cut again, and nothing of it is lost or out of order', async () => {
  await using folder = await temporaryFolder()
  const inMemory = await group(folder.path, 10_000)
  expect(Object.fromEntries(await group(folder.path, 70, 500))).toEqual(Object.fromEntries(inMemory))
  expect(existsSync(join(folder.path, 'rows'))).toBe(false)
})
