/**
 * Fingerprint of a statement: a hash over its tokens with literals generalised, so that statements which differ only
 * in literals, comments, layout or the case of unquoted words share it. Lists of literals count as one.
 */

import { FIRST_KEYWORD } from './keywords.ts'
import { T } from './tokens.ts'

interface TokenArrays {
  readonly text: string
  readonly types: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const LITERAL = 0x51

/** 16 hexadecimal digits for the tokens in [first, end). */
export function fingerprint(tokens: TokenArrays, first: number, end: number): string {
  const { text, types, starts, ends } = tokens
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let i = first; i < end; i++) {
    const type = types[i]!
    if (type === T.NUMBER || type === T.STRING || type === T.PARAM || type === T.QUESTION) {
      if (i >= first + 2 && types[i - 1] === T.COMMA && isLiteral(types[i - 2]!)) continue
      a = Math.imul(a ^ LITERAL, 0x01000193)
      b = Math.imul(b ^ LITERAL, 0x5bd1e995)
      continue
    }
    if (type === T.COMMA && isLiteral(types[i - 1]!) && isLiteral(types[i + 1]!) && i > first) continue
    a = Math.imul(a ^ type, 0x01000193)
    b = Math.imul(b ^ type, 0x5bd1e995)
    if (type === T.WORD) {
      for (let at = starts[i]!; at < ends[i]!; at++) {
        const code = text.charCodeAt(at)
        const folded = code >= 65 && code <= 90 ? code + 32 : code
        a = Math.imul(a ^ folded, 0x01000193)
        b = Math.imul(b + folded, 0x5bd1e995)
      }
    } else if (type < FIRST_KEYWORD) {
      for (let at = starts[i]!; at < ends[i]!; at++) {
        const code = text.charCodeAt(at)
        a = Math.imul(a ^ code, 0x01000193)
        b = Math.imul(b + code, 0x5bd1e995)
      }
    }
    b ^= b >>> 15
  }
  return hex(a) + hex(b)
}

function isLiteral(type: number): boolean {
  return type === T.NUMBER || type === T.STRING || type === T.PARAM || type === T.QUESTION
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
