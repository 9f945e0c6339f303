import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv, sniffDelimiter, type CsvRow } from '../../../src/import/csv.ts'
import type { BrokenLine } from '../../../src/import/csv-records.ts'

interface ReadBack {
  readonly rows: readonly CsvRow[]
  readonly broken: readonly BrokenLine[]
  readonly delimiter: string
}

/** Reads a text that arrives in pieces of `pieceBytes`. */
async function read(text: string | Buffer, pieceBytes = 7, delimiter?: string): Promise<ReadBack> {
  const bytes = Buffer.from(text as string)
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const result = { rows: [] as CsvRow[], broken: [] as BrokenLine[], delimiter: '' }
  for await (const piece of readCsv(pieces(), 'f.csv', delimiter)) {
    result.rows.push(...piece.rows)
    result.broken.push(...piece.broken)
    result.delimiter = piece.delimiter
  }
  return result
}

async function cellsOf(text: string, pieceBytes?: number): Promise<readonly (readonly string[])[]> {
  return (await read(text, pieceBytes)).rows.map((row) => row.cells)
}

test.each([1, 7, 100])(
  'a line that says the delimiter is none of the rows (pieces of %i bytes)',
  async (pieceBytes) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const told = await read(`sep=;${end}a;b${end}1,5;2${end}`, pieceBytes)
      expect(told.delimiter).toBe(';')
      expect(told.rows).toEqual([
        { cells: ['a', 'b'], line: 2, text: 'a;b' },
        { cells: ['1,5', '2'], line: 3, text: '1,5;2' },
      ])
    }
    expect((await read('sep=;\nsep=,\n', pieceBytes)).rows.map((row) => row.cells)).toEqual([['sep=,']])
    expect((await read('separate,b\n', pieceBytes)).rows.map((row) => row.cells)).toEqual([['separate', 'b']])
  },
)

describe('RFC 4180', () => {
  test.each([
    [
      'lines may end in CRLF, LF or CR',
      'a,b\r\n1,2\n3,4\r5,6',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    ],
    [
      'the last line needs no end',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a quoted field holds delimiters, line breaks and doubled quotes', 'a\n"x,""y""\r\nz"\n', [['a'], ['x,"y"\r\nz']]],
    [
      'an empty quoted field is empty',
      'a,b\n"",""\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    [
      'empty cells stay',
      'a,b,c\n,,\n1,,3\n',
      [
        ['a', 'b', 'c'],
        ['', '', ''],
        ['1', '', '3'],
      ],
    ],
    ['blank lines are passed over', 'a\n\n\r\n1\n\n', [['a'], ['1']]],
    [
      'a byte order mark is left out',
      '\ufeffa,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'blanks belong to the field',
      'a,b\n 1 , 2\n',
      [
        ['a', 'b'],
        [' 1 ', ' 2'],
      ],
    ],
  ])('%s', async (_, text, expected) => {
    for (const pieceBytes of [1, 2, 3, 1000]) expect(await cellsOf(text, pieceBytes)).toEqual(expected)
  })

  test('a row knows the line where it begins', async () => {
    const { rows } = await read('a,b\r\n\r\n"x\r\ny",2\r\n3,4\n')
    expect(rows.map((row) => row.line)).toEqual([1, 3, 5])
  })
})

describe('a broken quote costs its own line', () => {
  test.each([
    [
      'text after a closing quote',
      'a,b\n1,"x"y\n3,4\n',
      { line: 2, column: 6, reason: 'text follows a closing quote' },
    ],
    [
      'a quote inside',
      'a,b\n1,x"y\n3,4\n',
      { line: 2, column: 4, reason: 'a quote stands inside of a field that is not quoted' },
    ],
    ['a quote never closed', 'a,b\n1,"xy\n3,4\n', { line: 2, column: 3, reason: 'this quote is never closed' }],
    [
      'closed by the next one',
      'a,b\n1,"xy\n3,4\n"5",6\n7,8\n',
      { line: 4, column: 2, reason: 'text follows a closing quote' },
    ],
  ])('%s', async (_, text, expected) => {
    for (const pieceBytes of [1, 3, 1000]) {
      const { rows, broken } = await read(text, pieceBytes)
      expect(broken).toMatchObject([expected])
      expect(rows.map((row) => row.cells)).toContainEqual(['3', '4'])
    }
  })
})

test.each([
  ['a,b,c', ','],
  ['a;b;c', ';'],
  ['a\tb\tc', '\t'],
  ['a|b', '|'],
  ['"x,y,z";b', ';'],
  ['alone', ','],
  ['a~b-c~d', '~'],
  ['a\u0001b', '\u0001'],
  ['a^urn:li:structuredProperty:x~y,z', ','],
])('the delimiter of %j is %j', (line, delimiter) => {
  expect(sniffDelimiter(`${line}\n1,2,3,4,5`)).toBe(delimiter)
})

describe('wrong encoding', () => {
  test('names the byte and its place', async () => {
    const latin = Buffer.concat([Buffer.from('a,b\n1,2\n3,gr'), Buffer.from([0xf6]), Buffer.from('ß\n')])
    for (const pieceBytes of [1, 5, 1000]) {
      await expect(read(latin, pieceBytes)).rejects.toMatchObject({
        code: 'WRONG_ENCODING',
        place: { file: 'f.csv', line: 3, column: 5 },
      })
    }
  })

  test('UTF-16 is named', async () => {
    await expect(read(Buffer.from('\ufeffa,b\n', 'utf16le'), 100)).rejects.toThrow('UTF-16')
  })

  test('a file that ends inside a character is refused', async () => {
    await expect(read(Buffer.from([0x61, 0xe2, 0x82]), 1)).rejects.toMatchObject({ place: { line: 1, column: 2 } })
  })
})

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** The characters of a text that leave ink, sorted. */
function inkOf(text: string): readonly string[] {
  return text.replaceAll(/\s/g, '').split('').toSorted()
}

describe('laws', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', ' ', 'é', '🦆') })

  test('what is written by the rules is read back, however it is cut', async () => {
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 20 }), async (rows, pieceBytes) => {
        const text = rows.map((row) => row.map(quote).join(',')).join('\r\n')
        const { rows: back, broken } = await read(text, pieceBytes, ',')
        expect(broken).toEqual([])
        expect(back.map((row) => row.cells)).toEqual(rows)
      }),
    )
  })

  test('any text comes out once, as a row or as a broken line, cut or whole', async () => {
    await fc.assert(
      fc.asyncProperty(cell, fc.integer({ min: 1, max: 9 }), async (text, pieceBytes) => {
        const cut = await read(text, pieceBytes, ',')
        const whole = await read(text, 100_000, ',')
        expect(cut).toEqual(whole)
        const taken = [...whole.rows, ...whole.broken].map((part) => part.text).join('')
        expect(inkOf(taken)).toEqual(inkOf(text))
      }),
      { numRuns: 3000 },
    )
  })
})
