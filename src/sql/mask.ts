import { ANSI } from './dialects/dialect.ts'
import { findDialect } from './dialects/registry.ts'
import { lex } from './lexer/lexer.ts'
import { releaseTokens, T } from './lexer/tokens.ts'
import type { LineageOptions } from './types.ts'

/** Bodies within bodies that are read; deeper ones are masked whole. */
const DEEPEST = 4

/**
 * A statement without the values in it: numbers and strings become `?`, comments go, names and layout stay. Dollar-quoted
 * bodies are masked inside. What remains has the same lineage, unless a literal named a file or a column.
 */
export function maskLiterals(sql: string, options: Pick<LineageOptions, 'dialect'> = {}, depth = 0): string {
  const tokens = lex(sql, findDialect(options.dialect ?? 'ansi') ?? ANSI)
  try {
    let masked = ''
    let end = 0
    for (let i = 0; i < tokens.count; i++) {
      const type = tokens.types[i]!
      if (type === T.EOF) break
      const start = tokens.starts[i]!
      masked += gap(sql.slice(end, start))
      end = tokens.ends[i]!
      if (type === T.NUMBER || type === T.STRING) masked += '?'
      else if (type === T.DOLLAR_STRING) masked += maskBody(sql.slice(start, end), options, depth)
      else masked += sql.slice(start, end)
    }
    return masked + gap(sql.slice(end))
  } finally {
    releaseTokens(tokens)
  }
}

/** White space as it is; where a comment stands, no more than its line break or a blank. */
function gap(text: string): string {
  if (text.trim() === '') return text
  return text.includes('\n') ? '\n' : ' '
}

function maskBody(text: string, options: Pick<LineageOptions, 'dialect'>, depth: number): string {
  const quote = /^\$[^$]*\$/.exec(text)?.[0]
  if (quote === undefined || depth === DEEPEST || !text.endsWith(quote) || text.length < 2 * quote.length) return '?'
  return quote + maskLiterals(text.slice(quote.length, -quote.length), options, depth + 1) + quote
}
