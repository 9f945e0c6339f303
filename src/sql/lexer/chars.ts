/** Classes of characters, by char code. */

const IDENTIFIER = 1
const DIGIT = 2
const SPACE = 4

const classes = new Uint8Array(128)
for (let code = 0; code <= 32; code++) classes[code] = SPACE
for (let code = 48; code <= 57; code++) classes[code] = DIGIT
for (let code = 65; code <= 90; code++) classes[code] = IDENTIFIER
for (let code = 97; code <= 122; code++) classes[code] = IDENTIFIER
classes[95] = IDENTIFIER

/** A letter, an underscore or anything beyond ASCII that is no space. */
export function startsName(code: number): boolean {
  return code < 128 ? classes[code] === IDENTIFIER : !isWideSpace(code)
}

export function continuesName(code: number): boolean {
  return code < 128 ? (classes[code]! & (IDENTIFIER | DIGIT)) !== 0 || code === 36 : !isWideSpace(code)
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isSpace(code: number): boolean {
  return code < 128 ? classes[code] === SPACE : isWideSpace(code)
}

/** Spaces that editors and web pages leave in SQL: no-break, em, ideographic, byte order mark. */
function isWideSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x3000 ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029
  )
}
