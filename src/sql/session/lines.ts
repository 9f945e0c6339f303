/** Line and column of an offset, from a table of line starts that is made when it is first asked. */

import type { Span } from '../types.ts'

export class Lines {
  readonly #text: string
  #starts: number[] | undefined
  #last = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The span of two offsets. */
  span(start: number, end: number): Span {
    const starts = (this.#starts ??= lineStarts(this.#text))
    // Most questions move forward; the line asked last is the first guess.
    let line = starts[this.#last]! <= start ? this.#last : 0
    if (starts.length - line > 32 && (starts[line + 8] ?? Infinity) < start) line = search(starts, start)
    while (line + 1 < starts.length && starts[line + 1]! <= start) line++
    this.#last = line
    return { start, end, line: line + 1, column: start - starts[line]! + 1 }
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function search(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}
