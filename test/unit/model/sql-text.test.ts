import { describe, expect, test } from 'vitest'
import { decodeSqlText, sqlTextOf } from '../../../src/model/sql-text.ts'

const SQL = "SELECT größe AS g -- für später\nFROM lager WHERE art = 'ß€'"
const utf16le = Buffer.from(SQL, 'utf16le')
const utf16be = Buffer.from(utf16le).swap16()

const encodings: readonly (readonly [string, Buffer])[] = [
  ['UTF-8', Buffer.from(SQL)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${SQL}`)],
  ['UTF-16 as SQL Server writes it', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16le])],
  ['UTF-16, high byte first', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be])],
  ['UTF-16 without a mark', utf16le],
  ['UTF-16, high byte first, without a mark', utf16be],
  ['Windows-1252', Buffer.from(SQL.replace('€', '\x80'), 'latin1')],
]

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function streamed(bytes: Buffer, size: number): Promise<string> {
  const pieces: string[] = []
  for await (const piece of decodeSqlText(inPieces(bytes, size))) pieces.push(piece)
  return pieces.join('')
}

describe.each(encodings)('%s', (_, bytes) => {
  test('as a whole', () => expect(sqlTextOf(bytes)).toBe(SQL))
  test.each([1, 2, 3, 5, 7, 1000])('in pieces of %i bytes', async (size) => {
    expect(await streamed(bytes, size)).toBe(SQL)
  })
})

test.each(['', 'a', 'ab', 'ä'])('a text as short as "%s"', async (text) => {
  expect(sqlTextOf(Buffer.from(text))).toBe(text)
  expect(await streamed(Buffer.from(text), 1)).toBe(text)
})
