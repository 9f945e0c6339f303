/** Writes text to the lines where it stands in a file. */
export class LineWriter {
  #text = ''
  #line = 1
  #column = 1

  get text(): string {
    return this.#text
  }

  /** Goes on at a line, from 1, and a column where that is still ahead. What stands behind already is gone on with. */
  goTo(line: number, column = 1): void {
    if (line > this.#line) {
      this.write('\n'.repeat(line - this.#line))
    }
    if (line === this.#line && column > this.#column) this.write(' '.repeat(column - this.#column))
  }

  write(text: string): void {
    this.#text += text
    const last = text.lastIndexOf('\n')
    if (last < 0) this.#column += text.length
    else {
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line++
      this.#column = text.length - last
    }
  }
}

/** As long, with the same lines. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
