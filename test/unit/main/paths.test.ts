import { expect, test } from 'vitest'
import { resolvePaths } from '../../../src/main/paths.ts'
import { Type } from '../../../src/runner/define-job.ts'

const SCHEMA = Type.Object({
  file: Type.Array(Type.String({ path: true })),
  errors: Type.Optional(Type.String({ path: 'written' })),
  note: Type.Optional(Type.String()),
})
const SIGNED = 'https://bucket.example/a.csv?X-Amz-Signature=abc'

test('paths start in the folder of whoever asks; addresses and other texts stay as they are', async () => {
  const input = { file: ['a.csv', '/b.csv', 'https://h/c.csv?page=2'], errors: '-', note: 'a.csv' }
  expect(await resolvePaths(input, SCHEMA, { workingFolder: '/w' })).toEqual({
    file: ['/w/a.csv', '/b.csv', 'https://h/c.csv?page=2'],
    errors: '/w/-',
    note: 'a.csv',
  })
})

test('what only this process can read is kept, each once; what is written never is', async () => {
  const asked: string[] = []
  const keep = (location: string): Promise<string> => Promise.resolve(`/kept/${asked.push(location)}`)
  const input = { file: ['-', 'a.csv', SIGNED, '/dev/fd/63', '-', 'https://u:p@h/x', 's3://b/k'], errors: '/dev/fd/1' }
  expect(await resolvePaths(input, SCHEMA, { workingFolder: '/w', keep })).toEqual({
    file: ['/kept/1', '/w/a.csv', '/kept/2', '/kept/3', '/kept/1', '/kept/4', 's3://b/k'],
    errors: '/dev/fd/1',
  })
  expect(asked).toEqual(['-', SIGNED, '/dev/fd/63', 'https://u:p@h/x'])
})

test('where nothing can be kept, an address with a secret is refused; one that stands in a variable is none', async () => {
  const where = { workingFolder: '/w', at: 'nightly.input' }
  await expect(resolvePaths({ file: ['a.csv', SIGNED] }, SCHEMA, where)).rejects.toMatchObject({
    code: 'DECODE',
    badInput: true,
    message: expect.stringMatching(/nightly\.input\.file: .*signature/) as string,
    remedy: expect.stringContaining('HEADWATER_SOURCE_') as string,
  })
  const file = ['https://h/a.csv?sig=${HEADWATER_SOURCE_SIG}', 'https://h/a.csv?${HEADWATER_SOURCE_QUERY}']
  expect(await resolvePaths({ file }, SCHEMA, where)).toEqual({ file })
})

test("where nothing can be kept, standard input is not the worker's", async () => {
  expect(await resolvePaths({ file: ['-'] }, SCHEMA, { workingFolder: '/w' })).toEqual({ file: ['/w/-'] })
})
