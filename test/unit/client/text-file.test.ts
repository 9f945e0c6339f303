import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TextFile } from '../../../src/client/text-file.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('pieces stand in the file in their order, behind what stood there where that is asked', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.txt')
  for (const [text, flags] of [
    ['first', 'w'],
    ['second', 'a'],
  ] as const) {
    const file = new TextFile(path, flags)
    await file.write(`${text}\n`)
    await file.close()
  }
  expect(await readFile(path, 'utf8')).toBe('first\nsecond\n')
})

test.each([
  ['/dev/full', 'ENOSPC'],
  ['/proc/no/such/folder.txt', 'ENOENT'],
])('what is wrong with %s is thrown by the next call, and ends nothing else', async (path, code) => {
  const file = new TextFile(path)
  await expect(
    (async () => {
      for (let n = 0; n < 1000; n++) {
        await file.write('x'.repeat(1000))
        await turn()
      }
      await file.close()
    })(),
  ).rejects.toMatchObject({ code })
  await expect(file.close()).rejects.toMatchObject({ code })
})
