/** Places in SQLMesh's text: what stands between commas and brackets, outside of quotes and comments. */

export interface Place {
  readonly start: number
  readonly end: number
}

/** An argument of a macro: `x`, or `name := x`. */
export interface Argument extends Place {
  /** Lower case. */
  readonly name: string | undefined
}

const NAMED = /^\s*(\w+)\s*:=/
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Behind what begins at `at`: a quoted text or a comment as a whole, else one character. */
export function stepOver(text: string, at: number): number {
  const char = text[at]
  if (char === "'" || char === '"' || char === '`') {
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] !== char) continue
      if (text[end + 1] !== char) return end + 1
      end++
    }
    return text.length
  }
  if (char === '-' && text[at + 1] === '-') return ending(text, '\n', at)
  if (char === '/' && text[at + 1] === '*') return ending(text, '*/', at + 2)
  return at + 1
}

function ending(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** Behind the bracket that closes the one at `open`; undefined where none does. */
export function closing(text: string, open: number): number | undefined {
  const stack: string[] = []
  for (let at = open; at < text.length; at = stepOver(text, at)) {
    const char = text[at]!
    if (CLOSING[char] !== undefined) stack.push(CLOSING[char])
    else if (char === stack.at(-1)) {
      stack.pop()
      if (stack.length === 0) return at + 1
    }
  }
  return undefined
}

/** The parts of a place between commas, without blanks around; none of an empty place. */
export function parts(text: string, { start, end }: Place): readonly Place[] {
  const found: Place[] = []
  let from = start
  for (let at = start; at < end;) {
    const char = text[at]!
    if (char === ',') {
      found.push(trimmed(text, { start: from, end: at }))
      from = at + 1
    }
    at = CLOSING[char] === undefined ? stepOver(text, at) : (closing(text, at) ?? end)
  }
  const last = trimmed(text, { start: from, end })
  return last.start < last.end || found.length > 0 ? [...found, last].filter((one) => one.start < one.end) : []
}

/** The arguments in a place. */
export function argumentsIn(text: string, place: Place): readonly Argument[] {
  return parts(text, place).map(({ start, end }) => {
    const named = NAMED.exec(text.slice(start, end))
    if (!named) return { start, end, name: undefined }
    return { ...trimmed(text, { start: start + named[0].length, end }), name: named[1]!.toLowerCase() }
  })
}

/** The inside of brackets where they are all that a place holds: `(a, b)`, `[a, b]`. */
export function inBrackets(text: string, { start, end }: Place): Place | undefined {
  if (text[start] !== '(' && text[start] !== '[') return undefined
  return closing(text, start) === end ? { start: start + 1, end: end - 1 } : undefined
}

export function trimmed(text: string, { start, end }: Place): Place {
  let [from, to] = [start, end]
  while (from < to && /\s/.test(text[from]!)) from++
  while (to > from && /\s/.test(text[to - 1]!)) to--
  return { start: from, end: to }
}
