/**
 * A text of JSON objects cut into the objects, whatever holds them: one a line (NDJSON), or one list over many lines.
 * Memory is bounded by the longest object. In a list nobody can tell where the next object begins once one is broken, so
 * the rest is one reject; a broken line costs that line.
 */
export interface JsonRecord {
  readonly text: string
  /** From 1, where the object begins. */
  readonly line: number
}

/** Of one object; beyond it something is not closed. */
const MAX_RECORD_CHARS = 16 * 1024 * 1024

/** @param pieces the text, cut anywhere */
export async function* jsonRecords(pieces: AsyncIterable<string>): AsyncGenerator<JsonRecord> {
  let splitter: LineSplitter | ListSplitter | undefined
  let head = ''
  for await (const piece of pieces) {
    if (splitter === undefined) {
      head += piece
      if (head.trim() === '' || (!/\n/.test(head.trimStart()) && !/^\s*\[/.test(head) && head.length < 65_536)) continue
      splitter = splitterFor(head)
      yield* splitter.push(head)
    } else yield* splitter.push(piece)
  }
  if (splitter === undefined) {
    splitter = splitterFor(head)
    yield* splitter.push(head)
  }
  yield* splitter.end()
}

/** A first line that is a whole object says that each line is one; anything else is read bracket by bracket. */
function splitterFor(head: string): LineSplitter | ListSplitter {
  const [first = ''] = head.trimStart().split(/\r?\n/, 1)
  return first.startsWith('{') && isJson(first) ? new LineSplitter() : new ListSplitter()
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

class LineSplitter {
  #line = 1
  #rest = '';

  *push(piece: string): Generator<JsonRecord> {
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const text of lines) yield* this.#take(text)
  }

  *end(): Generator<JsonRecord> {
    yield* this.#take(this.#rest)
  }

  *#take(text: string): Generator<JsonRecord> {
    const line = this.#line++
    if (text.trim() !== '') yield { text: text.trim(), line }
  }
}

interface OpenObject {
  readonly line: number
  depth: number
  inText: boolean
  escaped: boolean
}

class ListSplitter {
  #buffer = ''
  #line = 1
  /** Within an object: where it began, and what is open. */
  #open: OpenObject | undefined;

  *push(piece: string): Generator<JsonRecord> {
    let start = 0
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charAt(at)
      if (char === '\n') this.#line++
      if (this.#open === undefined) {
        if (/[\s,[\]]/.test(char)) continue
        this.#open = { line: this.#line, depth: 0, inText: false, escaped: false }
        start = at
      }
      if (!this.#closes(this.#open, char)) continue
      yield { text: this.#buffer + piece.slice(start, at + 1), line: this.#open.line }
      this.#buffer = ''
      this.#open = undefined
    }
    if (this.#open === undefined) return
    this.#buffer += piece.slice(start)
    if (this.#buffer.length > MAX_RECORD_CHARS) yield* this.end()
  }

  *end(): Generator<JsonRecord> {
    if (this.#open !== undefined) yield { text: this.#buffer, line: this.#open.line }
    this.#buffer = ''
    this.#open = undefined
  }

  #closes(open: OpenObject, char: string): boolean {
    if (open.inText) {
      if (open.escaped) open.escaped = false
      else if (char === '\\') open.escaped = true
      else if (char === '"') open.inText = false
      return false
    }
    if (char === '"') open.inText = true
    else if (char === '{' || char === '[') open.depth++
    else if (char === '}' || char === ']') open.depth--
    return open.depth <= 0 && (char === '}' || char === ']')
  }
}
