/** Widths of text without a font at hand, and names broken where they may break. */

const NARROW = /[iljtfr.,:;'|!()[\]{}\- ]/
const WIDE = /[mwMW@%]/

/** Width in units of a sans-serif text, a little generous, since fonts differ between machines. */
export function textWidth(text: string, fontSize: number, bold = false): number {
  let ems = 0
  for (const char of text) ems += widthOf(char)
  return ems * fontSize * (bold ? 1.13 : 1)
}

function widthOf(char: string): number {
  if (NARROW.test(char)) return 0.38
  if (WIDE.test(char)) return 0.9
  if (char > '\u2e80') return 1
  return char >= 'A' && char <= 'Z' ? 0.7 : 0.61
}

/** A name in lines of at most `longest` characters, broken after `_`, `-` and `.` where that is possible. */
export function wrapped(name: string, longest: number): readonly string[] {
  const lines: string[] = []
  for (const part of name.split(/(?<=[_.-])/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + part.length <= longest) lines[lines.length - 1] = last + part
    else lines.push(...chopped(part, longest))
  }
  return lines
}

/** A text of at most `longest` characters, the end replaced by an ellipsis where it is longer. */
export function shortened(text: string, longest: number): string {
  const chars = Array.from(text)
  return chars.length <= longest ? text : `${chars.slice(0, longest - 1).join('')}…`
}

/** The same with the beginning replaced, for names whose end says more. */
export function shortenedStart(text: string, longest: number): string {
  const chars = Array.from(text)
  return chars.length <= longest ? text : `…${chars.slice(1 - longest).join('')}`
}

function chopped(text: string, longest: number): readonly string[] {
  const chars = Array.from(text)
  const pieces = Array.from({ length: Math.ceil(chars.length / longest) }, (_, index) =>
    chars.slice(index * longest, (index + 1) * longest).join(''),
  )
  return pieces.length === 0 ? [''] : pieces
}
