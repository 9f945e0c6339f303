import { expect, test } from 'vitest'
import { silentLogger } from '../../../src/observe/logger.ts'
import { bigints, booleans, ints, jsonbs, smallints, texts, tsvectors } from '../../../src/store/arrays.ts'
import { openDatabase, transaction } from '../../../src/store/database.ts'
import { testDatabase } from '../../support/embedded.ts'

const TEXTS = ['', 'a', 'ä"\\{},NULL', '𝄞', null, 'x'.repeat(5000)]
const LISTS = [
  ['int[]', ints, [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)]],
  ['smallint[]', smallints, [0, 1, -1, 32_767]],
  ['bigint[]', bigints, [0, 1, -1, 2 ** 32, -(2 ** 32) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]],
  ['boolean[]', booleans, [true, false]],
  ['text[]', texts, TEXTS],
] as const

test('PostgreSQL reads the lists that we write, and reads them as its own text form', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
  for (const [type, encode, values] of LISTS) {
    const read = async (list: readonly unknown[]) =>
      (await database.rows<{ list: unknown }>(`select to_json($1::${type}) as list`, [encode(list as never)]))[0]?.list
    expect(await read(values)).toEqual(values)
    expect(await read([])).toEqual([])
  }
  const [jsonb] = await database.rows('select $1::jsonb[] = $2::jsonb[] as same', [
    jsonbs(['{"a": [1, null, "ü"]}', '{}']),
    ['{"a": [1, null, "ü"]}', '{}'],
  ])
  expect(jsonb).toEqual({ same: true })
  const [words] = await database.rows('select $1::tsvector[] = $2::tsvector[] as same', [
    tsvectors([['zebra', 'ape', 'übel'], []]),
    ["'ape' 'zebra' 'übel'", ''],
  ])
  expect(words).toEqual({ same: true })
  await expect(database.rows('select $1::text[]', [texts(['a\u0000b'])])).rejects.toMatchObject({
    code: 'UNSTORABLE_VALUE',
  })
  await database.close()
})

test('a statement that was only sent fails its transaction, and with its own error', async () => {
  await using server = await testDatabase()
  const database = openDatabase(server.address, { max: 1, applicationName: 'test', logger: silentLogger() })
  await database.execute('create table public.t (n int primary key)')
  const add = { name: 'add', text: 'insert into public.t select unnest($1::int[])' }
  await transaction(database, async (tx) => tx.send(add, [ints([1, 2])]))
  const failing = [
    transaction(database, async (tx) => {
      tx.send(add, [ints([3])])
      tx.send(add, [ints([1])])
      tx.send(add, [ints([4])])
    }),
    transaction(database, async (tx) => {
      tx.send(add, [ints([2])])
      await tx.rows('select n from public.t')
    }),
  ]
  for (const one of failing) await expect(one).rejects.toMatchObject({ code: '23505' })
  const rows = await database.rows<{ n: number }>('select n from public.t order by n')
  expect(rows.map((row) => row.n)).toEqual([1, 2])
  await database.close()
})
