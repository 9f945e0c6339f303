/**
 * One lexer for all dialects, switched by the dialect's table. It reads char codes in one pass and fills flat arrays;
 * comments and white space leave nothing behind.
 *
 *   text ─ lex() ─┬ at the start of a statement: client commands, to the end of their line (client.ts)
 *                 ├ word.ts, number.ts, quoted.ts, variable.ts, comment.ts: each the tokens of one sort
 *                 └ readSymbol() ─ punctuation and operators
 */

import type { Dialect } from '../dialects/dialect.ts'
import { isDigit, isSpace, startsName } from './chars.ts'
import {
  AMPERSAND,
  AT,
  BACKSLASH,
  BACKTICK,
  COLON,
  COMMA,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  HASH,
  LBRACE,
  LBRACKET,
  LESS,
  LPAREN,
  MINUS,
  PERCENT,
  PIPE,
  PLUS,
  QUESTION,
  QUOTE,
  RBRACE,
  RBRACKET,
  RPAREN,
  SEMICOLON,
  SLASH,
  STAR,
  TILDE,
} from './codes.ts'
import { readHash, readMinus, readSlash, readStar } from './comment.ts'
import { readDot, readNumber } from './number.ts'
import { isSign, longOperatorEnd } from './operators.ts'
import { readBracket, readQuotedName, readString } from './quoted.ts'
import { Scan } from './scan.ts'
import { T, takeTokens, type Tokens } from './tokens.ts'
import { readAmpersand, readAt, readBrace, readDollar, readPercent } from './variable.ts'
import { readWord } from './word.ts'

/** Tokens of a text. The caller gives them back with `releaseTokens`. */
export function lex(text: string, dialect: Dialect): Tokens {
  const tokens = takeTokens(text)
  readAll(new Scan(text, dialect, tokens))
  tokens.finish()
  return tokens
}

function readAll(scan: Scan): void {
  const { text, length, client } = scan
  /** End of the line that holds psql's `\\copy`. */
  let copyEnd = 0
  while (scan.at < length) {
    const at = scan.at
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      scan.at = at + 1
      if (at === copyEnd) scan.endStatement(T.SEMICOLON, 0)
      continue
    }
    if (scan.statementStart && client) {
      if (code === BACKSLASH && (copyEnd = client.copyCommandEnd(at)) > 0) {
        scan.at = at + 1
        continue
      }
      const end = client.lineCommandEnd(at)
      if (end > at) {
        scan.tokens.push(T.LINE, at, end)
        scan.at = end
        continue
      }
    }
    if (client?.delimiter && text.startsWith(client.delimiter, at)) {
      scan.endStatement(T.BATCH, client.delimiter.length)
      continue
    }
    readToken(scan, code, at)
  }
}

function readToken(scan: Scan, code: number, at: number): void {
  if (startsName(code)) readWord(scan, at)
  else if (isDigit(code)) readNumber(scan, at)
  else readSymbol(scan, code, at)
}

function readSymbol(scan: Scan, code: number, at: number): void {
  const { text, dialect } = scan
  const next = text.charCodeAt(at + 1)
  if (
    dialect.longOperators &&
    (isSign(next) || next === QUESTION) &&
    isSign(code) &&
    !(code === HASH && scan.statementStart)
  ) {
    const end = longOperatorEnd(text, at)
    if (end > at) return scan.push(T.OPERATOR, end)
  }
  switch (code) {
    case LPAREN:
      return scan.push(T.LPAREN, at + 1)
    case RPAREN:
      return scan.push(T.RPAREN, at + 1)
    case COMMA:
      return scan.push(T.COMMA, at + 1)
    case DOT:
      return readDot(scan, at, next)
    case SEMICOLON:
      return readSemicolon(scan, at)
    case QUOTE:
      return readString(scan, at, at, QUOTE, dialect.backslashEscapes)
    case DOUBLE_QUOTE:
      return dialect.doubleQuotedStrings
        ? readString(scan, at, at, DOUBLE_QUOTE, dialect.backslashEscapes)
        : readQuotedName(scan, at, DOUBLE_QUOTE, false)
    case BACKTICK:
      return readQuotedName(scan, at, BACKTICK, dialect.name === 'bigquery')
    case LBRACKET:
      return readBracket(scan, at)
    case RBRACKET:
      return scan.push(T.RBRACKET, at + 1)
    case LBRACE:
      return readBrace(scan, at)
    case RBRACE:
      return scan.push(T.RBRACE, at + 1)
    case MINUS:
      return readMinus(scan, at, next)
    case SLASH:
      return readSlash(scan, at, next)
    case STAR:
      return readStar(scan, at, next)
    case EQUALS:
      return next === GREATER ? scan.push(T.FAT_ARROW, at + 2) : scan.push(T.EQUALS, next === EQUALS ? at + 2 : at + 1)
    case LESS:
      return scan.push(T.LESS, next === EQUALS || next === GREATER ? at + 2 : at + 1)
    case GREATER:
      return scan.push(T.GREATER, next === EQUALS ? at + 2 : at + 1)
    case PIPE:
      if (next === GREATER) return scan.push(T.PIPE, at + 2)
      return next === PIPE ? scan.push(T.CONCAT, at + 2) : scan.push(T.OPERATOR, at + 1)
    case COLON:
      if (next === COLON) return scan.push(T.DOUBLE_COLON, at + 2)
      return next === EQUALS ? scan.push(T.ASSIGN, at + 2) : scan.push(T.COLON, at + 1)
    case QUESTION:
      return scan.push(T.QUESTION, at + 1)
    case PLUS:
      return scan.push(T.PLUS, at + 1)
    case HASH:
      return readHash(scan, at, next)
    case DOLLAR:
      return readDollar(scan, at, next)
    case AT:
      return readAt(scan, at, next)
    case AMPERSAND:
      return readAmpersand(scan, at, next)
    case PERCENT:
      return readPercent(scan, at, next)
    case BACKSLASH: {
      const end = scan.client?.sendCommandEnd(at) ?? at
      return end > at ? scan.endStatement(T.SEMICOLON, end - at) : scan.push(T.BACKSLASH, at + 1)
    }
    case TILDE: // ~* is an operator of its own: the star is no column list
      return scan.push(T.OPERATOR, next === STAR ? at + 2 : at + 1)
    default:
      return scan.push(T.OPERATOR, at + 1)
  }
}

/** The end of a statement; the data rows that a dump holds behind `COPY t FROM stdin;` are stepped over. */
function readSemicolon(scan: Scan, at: number): void {
  scan.endStatement(T.SEMICOLON, 1)
  const end = scan.client?.copyDataEnd(scan.tokens, at + 1) ?? 0
  if (end > 0) scan.at = end
}
