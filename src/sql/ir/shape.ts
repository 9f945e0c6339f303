/**
 * Fields that a type's text names: `STRUCT<a INT64, b STRING>`, `struct<a:int>`, `ROW(a bigint)`, `Tuple(a Int32)`,
 * `struct(a int)[]`, `Nested(a Int32)`, with arrays around them, and maps of them.
 */

import { withoutComments } from './comment.ts'

/** A field of a struct type; '' where the type does not name it. */
export interface Shape {
  readonly name: string
  readonly type: string
}

/** What a type is, under the arrays around it. */
export interface TypeShape {
  readonly fields: readonly Shape[]
  /** It is an array of such structs. */
  readonly isList: boolean
  /** A map, whose entries have `key` and `value`. */
  readonly isMap?: boolean
}

const STRUCT = /^\s*(?:struct|row|tuple|record|nested|object)\s*([<(])/i
const ARRAY = /^\s*(?:array|list|multiset|nullable|lowcardinality)\s*([<(])/i
const MAP = /^\s*map\s*([<(])/i

const OPENS = /[<(]/

/** The longest type that is read, and how deep arrays nest. */
const MAX_LENGTH = 20_000
const MAX_DEPTH = 20

/** The fields of a type's text; undefined where it is no struct, nor made of structs or a map. */
export function shapeOf(written: string, depth = 0): TypeShape | undefined {
  if (written.length > MAX_LENGTH || depth > MAX_DEPTH || !OPENS.test(written)) return undefined
  const text = withoutComments(written).trimEnd()
  const bare = text.replace(/\s*(?:\[\d*\]\s*)+$/, '').replace(/\s+array\s*$/i, '')
  const isList = bare.length < text.length
  const array = ARRAY.exec(bare)
  if (array) {
    const inner = shapeOf(inside(bare, array[0].length), depth + 1)
    return inner && { ...inner, isList: inner.isList || isList || !/^\s*(?:nullable|lowcard)/i.test(bare) }
  }
  const map = MAP.exec(bare)
  if (map) {
    const [key, value] = parts(inside(bare, map[0].length))
    if (key === undefined || value === undefined) return undefined
    return {
      fields: [
        { name: 'key', type: key },
        { name: 'value', type: value },
      ],
      isList: true,
      isMap: true,
    }
  }
  const struct = STRUCT.exec(bare)
  if (!struct) return undefined
  const fields = parts(inside(bare, struct[0].length)).map(fieldOf)
  return fields.length === 0 ? undefined : { fields, isList: isList || /^\s*nested/i.test(bare) }
}

/** What stands in the brackets that were opened before `from`. */
function inside(text: string, from: number): string {
  return text.slice(from, text.trimEnd().length - 1)
}

const PART = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|[<>(),]/g

/** Split at the commas of this level. */
function parts(text: string): string[] {
  const result: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: part, index } of text.matchAll(PART)) {
    if (part === '<' || part === '(') depth++
    else if (part === '>' || part === ')') depth--
    else if (part === ',' && depth === 0) {
      result.push(text.slice(start, index))
      start = index + 1
    }
  }
  const last = text.slice(start)
  if (last.trim() !== '') result.push(last)
  return result
}

const NAMED = /^\s*(?:"([^"]+)"|`([^`]+)`|([\p{L}_][\p{L}\p{N}_$]*))\s*(:\s*|\s+)(?=\S)/u
/** Types of two words, which are no name and a type. */
const TWO_WORDS = /^\s*(?:double\s+precision|timestamp\s+with|time\s+with|character\s+varying|not\s+null)\b/i

function fieldOf(text: string): Shape {
  const named = TWO_WORDS.test(text) ? null : NAMED.exec(text)
  if (!named) return { name: '', type: text.trim() }
  return { name: named[1] ?? named[2] ?? named[3]!, type: text.slice(named[0].length).trim() }
}
