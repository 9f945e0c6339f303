/**
 * CSVs as nobody should write them and people do: delimiters, quotes, line ends, byte order marks, NUL, quotes that stand
 * alone, rows too short and too long, cells of any size, and the whole language of cells. Every row that says something
 * carries a marker of its own, so that one can ask of each what became of it.
 */
import * as fc from 'fast-check'
import type { Urn } from '../../src/model/urn.ts'
import { aDataset } from './import-run.ts'

export interface UglyCsv {
  readonly text: string
  readonly delimiter: string
  /** `m0`, `m1`, …: each occurs once in the text, and nowhere by chance. */
  readonly markers: readonly string[]
}

/** What the catalog has; any other name is of nothing. */
export const THERE: readonly Urn[] = ['a', 'b', 'öl', 'wide.t'].map((name) => aDataset(`fuzz.${name}`) as Urn)
export const COLUMNS_THERE: readonly string[] = ['id', 'mail']

const HEADER = ['resource', 'subresource', 'tags', 'glossary_terms', 'owners', 'description', 'domain', 'sp.keep']

/** Mostly as it should be, now and then not: where every cell is wrong somewhere, no row comes far. */
function mostly<T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: good, weight }, { arbitrary: bad, weight: 1 })
}

const resource = mostly(
  fc.constantFrom<string>(...THERE),
  fc.constantFrom(aDataset('fuzz.gone'), '', ' ', 'nonsense', 'urn:li:dataset:(a,b', 'urn:li:'),
)
const subresource = mostly(
  fc.constantFrom('', '', '', 'id', 'id', 'mail', '[version=2.0].[type=string].id'),
  fc.constant('nme'),
)

/** `?` stands for the row's marker. */
const tags = mostly(
  fc.constantFrom('?', '?', '?|x', '+?', '-?', '[?|x]', '\\?', 'urn:li:tag:?', ' ? ', '?|?'),
  fc.constantFrom('+?|-x', '=?', '+|?', '-x|x|?', 'urn:li:corpuser:?'),
)
const terms = mostly(fc.constantFrom('', '', 'x', '[x|y]'), fc.constantFrom('+x|-y', '=', '-', 'urn:li:tag:x'))
const owners = mostly(fc.constantFrom('', '', '', 'ann', 'urn:li:corpGroup:g'), fc.constantFrom('=', '+', '-ann'), 20)
const description = mostly(
  fc.constantFrom('', '', '', '', '=', '\\=', ' two\nlines ', 'a "word"', 'é🦆', '""'),
  fc.oneof(
    fc.constantFrom('"', 'x"y'),
    fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', '\t', '|', '\\', ' ', 'é', '\u0000') }),
    fc.integer({ min: 1, max: 60_000 }).map((length) => 'w'.repeat(length)),
  ),
)
const domain = mostly(fc.constantFrom('', '', '', '', 'd'), fc.constantFrom('+d', '=', 'urn:li:tag:x'), 20)
const number = mostly(fc.constantFrom('', '', '', '30', '-1e3', '1|2'), fc.constantFrom('0x10', 'many'), 20)

const row = fc.record({
  cells: fc.tuple(resource, subresource, tags, terms, owners, description, domain, number),
  /** As a careful program writes it, as a careless one does, cut short, too long, with quotes that do not match. */
  written: mostly(
    fc.constantFrom('quoted', 'needed', 'needed'),
    fc.constantFrom('bare', 'short', 'long', 'open', 'closed'),
    6,
  ),
})

const layout = fc.record({
  delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\n', '\r\n', '\r'),
  mark: fc.constantFrom('', '\ufeff'),
  ends: fc.boolean(),
  blank: fc.boolean(),
  columns: fc.shuffledSubarray(HEADER.slice(1), { minLength: 1 }),
})

/** Shrinks to few rows and a plain layout. */
export const uglyCsv: fc.Arbitrary<UglyCsv> = fc
  .tuple(layout, fc.array(row, { maxLength: 12 }))
  .map(([{ delimiter, lineEnd, mark, ends, blank, columns }, rows]) => {
    const names = ['resource', 'tags', ...columns.filter((name) => name !== 'tags')]
    const lines = rows.map(({ cells, written }, index) => {
      const byName = new Map(HEADER.map((name, at) => [name, (cells[at] ?? '').replaceAll('?', `m${index}_`)]))
      return lineOf(
        names.map((name) => byName.get(name) ?? ''),
        written,
        delimiter,
      )
    })
    const body = [names.join(delimiter), ...lines].join(blank ? lineEnd + lineEnd : lineEnd)
    return {
      text: `${mark}${body}${ends ? lineEnd : ''}`,
      delimiter,
      markers: rows.map((_, index) => `m${index}_`),
    }
  })

function lineOf(cells: readonly string[], written: string, delimiter: string): string {
  const careful = cells.map((cell) => (written === 'quoted' ? quoted(cell) : quotedWhereNeeded(cell)))
  switch (written) {
    case 'bare':
      return cells.join(delimiter)
    case 'short':
      return careful.slice(0, 2).join(delimiter)
    case 'long':
      return [...careful, 'x', 'y'].join(delimiter)
    case 'open':
      return `${careful.join(delimiter)}${delimiter}"open`
    case 'closed':
      return [...careful.slice(0, 2), '"closed" too early', ...careful.slice(3)].join(delimiter)
    default:
      return careful.join(delimiter)
  }
}

function quotedWhereNeeded(cell: string): string {
  return /[",;\t|\r\n]/.test(cell) ? quoted(cell) : cell
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}
