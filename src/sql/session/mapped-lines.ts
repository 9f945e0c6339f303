/** Lines of a text, asked by offsets of what it became: a rendered template, a script whose variables are filled in. */

import type { SourceMap } from '../template/source-map.ts'
import { Lines } from './lines.ts'

export class MappedLines extends Lines {
  readonly #original: Lines
  readonly #map: SourceMap

  constructor(original: Lines, map: SourceMap) {
    super('')
    this.#original = original
    this.#map = map
  }

  override span(start: number, end: number): ReturnType<Lines['span']> {
    const from = this.#map.startOf(start)
    return this.#original.span(from, Math.max(from, this.#map.endOf(end)))
  }
}
