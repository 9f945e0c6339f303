/** The lines of a text that comes in pieces, without their ends (`\n` or `\r\n`); an empty last line is none. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = []
  for await (const piece of pieces) {
    const [first = '', ...more] = piece.split('\n')
    open.push(first)
    for (const line of more) {
      yield withoutReturn(open.join(''))
      open = [line]
    }
  }
  const last = open.join('')
  if (last !== '') yield withoutReturn(last)
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
