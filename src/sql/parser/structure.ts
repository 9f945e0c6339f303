/** ClickHouse: table functions are told their columns by a string, `s3('path', 'CSV', 'id Int32, tags Array(String)')`. */

import type { RowsetColumn } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { type Cursor, stringValue } from './cursor.ts'

const STRUCTURE =
  /^\s*(?:`[^`]+`|"[^"]+"|\w+)\s+(?:U?Int\d+|B?Float\d+|Bool|String|FixedString|Date|Date32|DateTime|DateTime64|Time|Decimal|Decimal\d+|UUID|Enum\d*|LowCardinality|Array|Map|Tuple|Nested|Nullable|Variant|Dynamic|Object|JSON|IPv[46]|Point|Ring|Polygon|SimpleAggregateFunction|AggregateFunction)\b/

/** The columns that the call between `open` and the cursor is told; undefined where it is told none. */
export function structureColumns(c: Cursor, name: string, open: number): readonly RowsetColumn[] | undefined {
  const closing = c.closing(open)
  for (let i = open + 1; i < closing; i++) {
    if (c.types[i] !== T.STRING || c.types[i - 1] === T.EQUALS) continue
    const text = stringValue(c.textAt(i))
    if (STRUCTURE.test(text)) return splitList(text).map((column) => ({ name: firstName(column), from: 'args' }))
  }
  return name === 'values' ? rowColumns(c, open) : undefined
}

/** Databricks: read_files('path', schema => 'id INT, v STRING'). */
export function schemaColumns(c: Cursor, open: number): readonly RowsetColumn[] | undefined {
  const closing = c.closing(open)
  for (let i = open + 1; i < closing; i++)
    if (c.types[i] === T.STRING && c.types[i - 1] === T.FAT_ARROW && c.isWord(i - 2, 'schema'))
      return splitList(stringValue(c.textAt(i))).map((column) => ({ name: firstName(column), from: 'args' }))
  return undefined
}

/** `values((1, 'a'), (2, 'b'))` has c1 and c2. */
function rowColumns(c: Cursor, open: number): readonly RowsetColumn[] {
  let count = 1
  if (c.types[open + 1] === T.LPAREN) {
    const end = c.closing(open + 1)
    for (let i = open + 2; i < end; i++) {
      if (c.types[i] === T.LPAREN) i = c.closing(i)
      else if (c.types[i] === T.COMMA) count++
    }
  }
  return Array.from({ length: count }, (_, i) => ({ name: `c${i + 1}`, from: 'args' }))
}

/** Parts between commas outside of parentheses. */
function splitList(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  parts.push(text.slice(start))
  return parts.filter((part) => part.trim() !== '')
}

function firstName(column: string): string {
  const [, quoted, plain = ''] = /^\s*(?:[`"]([^`"]+)[`"]|(\w+))/.exec(column) ?? []
  return quoted ?? plain
}
