/**
 * Text in the making that knows where each piece came from. A piece is either copied from the template, offset by
 * offset, or made by a tag, and then all of it came from the tag.
 */

export interface SourceMap {
  /** Offset in the template of what begins at `offset` in the text. */
  startOf(offset: number): number
  /** Offset in the template behind what ends at `offset` in the text. */
  endOf(offset: number): number
}

interface Piece {
  readonly at: number
  readonly start: number
  readonly end: number
  readonly copied: boolean
}

export class MappedText implements SourceMap {
  readonly #parts: string[] = []
  readonly #pieces: Piece[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds text that stands in the template from `start` on. */
  copy(text: string, start: number): void {
    this.#push(text, { at: this.#length, start, end: start + text.length, copied: true })
  }

  /** Adds text that the tag between `start` and `end` made. */
  make(text: string, start: number, end: number): void {
    this.#push(text, { at: this.#length, start, end, copied: false })
  }

  /** Adds a cut of another text, with where it came from. */
  take(other: MappedText, text: string, from: number, to: number): void {
    let at = from
    while (at < to) {
      const index = other.#pieceAt(at)
      const piece = other.#pieces[index]
      if (!piece) return
      const end = Math.min(to, other.#pieces[index + 1]?.at ?? other.#length)
      const cut = text.slice(at, end)
      if (piece.copied) this.copy(cut, piece.start + (at - piece.at))
      else this.make(cut, piece.start, piece.end)
      at = end
    }
  }

  /** Adds a whole text whose places another map tells. */
  takeMapped(text: string, map: SourceMap): void {
    if (map instanceof MappedText) return this.take(map, text, 0, text.length)
    this.copy(text, map.startOf(0))
  }

  toString(): string {
    return this.#parts.join('')
  }

  startOf(offset: number): number {
    const piece = this.#pieces[this.#pieceAt(offset)]
    if (!piece) return 0
    return piece.copied ? Math.min(piece.end, piece.start + (offset - piece.at)) : piece.start
  }

  endOf(offset: number): number {
    const piece = this.#pieces[this.#pieceAt(Math.max(0, offset - 1))]
    if (!piece) return 0
    return piece.copied ? Math.min(piece.end, piece.start + (offset - piece.at)) : piece.end
  }

  #push(text: string, piece: Piece): void {
    if (text === '') return
    this.#parts.push(text)
    this.#pieces.push(piece)
    this.#length += text.length
  }

  #pieceAt(offset: number): number {
    let low = 0
    let high = this.#pieces.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#pieces[middle]!.at <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
