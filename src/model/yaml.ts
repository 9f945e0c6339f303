/** YAML documents that a person wrote, decoded with the file, line and column of whatever is wrong. */
import type { Static, TSchema } from 'typebox'
import { isMap, isSeq, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml'
import { decode, type Locate } from './decode.ts'
import { DecodeError } from './errors.ts'

/** Something that a schema cannot say: what is wrong, and the path of the value that it is about. */
export interface YamlFault {
  readonly path: readonly string[]
  readonly what: string
}

/**
 * Reads one YAML (or JSON) document by a schema. Anchors may be used; aliases are bounded at 100, so that a small file
 * cannot grow into a large value.
 * @param file name for messages
 * @param check finds what the schema cannot say; asked once the shape is right
 * @param fillIn gives each text its final form before the shape is looked at
 * @throws DecodeError at file, line and column
 */
export function decodeYaml<S extends TSchema>(
  schema: S,
  text: string,
  file: string,
  check: (value: Static<S>) => readonly YamlFault[] = () => [],
  fillIn?: FillIn,
): Static<S> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true })
  const [error] = document.errors
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0])
    throw new DecodeError(error.message, { file, line, column: col }, { cause: error })
  }
  if (fillIn !== undefined) fillInTexts(document, fillIn)
  const locate = locateIn(document, lines, file)
  const value = decode(schema, toPlain(document, file), locate)
  const [fault] = check(value)
  if (fault !== undefined) throw new DecodeError(fault.what, locate(fault.path, 'value'))
  return value
}

/** Gives a text of the document its final form, for example with variables filled in. */
export type FillIn = (text: string) => string

/**
 * After parsing, so that what is filled in can change values only, never the document's shape. A text without quotes
 * that becomes a number or a truth value is one, as if it had stood there.
 */
function fillInTexts(document: Document, fillIn: FillIn): void {
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return
      const filled = fillIn(node.value)
      if (filled === node.value) return
      const isPlain = node.type === 'PLAIN' && /^(-?\d+(\.\d+)?|true|false|null)$/.test(filled)
      node.value = isPlain ? (JSON.parse(filled) as unknown) : filled
    },
  })
}

function toPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch (cause) {
    throw new DecodeError('too many aliases', { file }, { cause, remedy: 'write the repeated part out' })
  }
}

function locateIn(document: Document, lines: LineCounter, file: string): Locate {
  return (path, of) => {
    const node = nodeAt(document, path, of)
    const dotted = path.length === 0 ? {} : { path: path.join('.') }
    if (node?.range === undefined || node.range === null) return { file, ...dotted }
    const { line, col } = lines.linePos(node.range[0])
    return { file, line, column: col, ...dotted }
  }
}

/** The node of a path: its key or its value; where the path ends early, the last node on the way. */
function nodeAt(document: Document, path: readonly string[], of: 'key' | 'value'): Node | null {
  let node: unknown = document.contents
  let key: unknown = node
  for (const segment of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => String(item.key) === segment)
      if (pair === undefined) break
      key = pair.key
      node = pair.value
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(segment)]
      if (item === undefined) break
      key = item
      node = item
    } else break
  }
  return ((of === 'key' ? key : node) ?? key) as Node | null
}
