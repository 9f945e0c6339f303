/**
 * Operators of several signs, as PostgreSQL reads them: the longest row of signs, up to a comment; one that ends in a plus
 * or minus must hold a sign that SQL itself does not use, else the plus or minus is the next operand's.
 */

/** `?` is left out: behind an operator it is a parameter. */
const SIGNS = new Set('+-*/<>=~!@#%^&|`')

const IS_SIGN: readonly boolean[] = Array.from({ length: 128 }, (_, code) => SIGNS.has(String.fromCharCode(code)))

/** Operators that the grammar knows. */
const KNOWN: ReadonlySet<string> = new Set(['||', '|>', '<=', '>=', '<>', '!=', '=>', '->', '->>', '=='])

/** A parameter that touches the operator before it: `a=%s`, `a>=%(x)s`, `a=@x`; but `a<@b` is an operator. */
const PARAMETER = /^(?:%(?:s\b|\()|@\w)/

const UNUSUAL = /[~!@#%^&|`]/

export function isSign(code: number): boolean {
  return code < 128 && IS_SIGN[code] === true
}

/** The end of the operator at `at`; `at` itself where it is one sign, or one that the grammar knows. */
export function longOperatorEnd(text: string, at: number): number {
  let end = at
  // jsonb @? path.
  if (text[at] === '@' && text[at + 1] === '?') return at + 2
  while (isSign(text.charCodeAt(end)) && !startsComment(text, end)) end++
  if (end > at + 1 && text[end - 2] !== '<' && PARAMETER.test(text.slice(end - 1, end + 2))) end--
  while (end > at + 1 && /[+-]/.test(text[end - 1] ?? '') && !UNUSUAL.test(text.slice(at, end))) end--
  return end <= at + 1 || KNOWN.has(text.slice(at, end)) ? at : end
}

function startsComment(text: string, at: number): boolean {
  return text.startsWith('--', at) || text.startsWith('/*', at)
}
