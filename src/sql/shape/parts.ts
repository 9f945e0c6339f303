/**
 * Parts of a statement's shape. A part takes tokens from a place and hands the place behind them on; where the rest
 * does not fit it tries its next way. What no way got beyond is where the statement breaks.
 */

import { reservedWords } from '../dialects/reserved.ts'
import type { DialectName } from '../types.ts'
import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from '../parser/collector.ts'
import type { Cursor } from '../parser/cursor.ts'
import { scanType } from '../parser/type.ts'

/** Offsets in the text. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** One try to fit a statement's tokens into its shapes. */
export interface Fitting {
  readonly cursor: Cursor
  /** Index behind the statement's last token. */
  readonly end: number
  readonly reserved: ReadonlySet<number>
  /** The statement's query where the parser read one: it is not read twice. */
  readonly query: TextRange | undefined
  /** The first place that no way got beyond. */
  furthest: number
  /** Ways left to try; a statement that needs more is let pass. */
  budget: number
}

export type Rest = (at: number) => boolean
export type Part = (f: Fitting, at: number, rest: Rest) => boolean

/** A part of one token. */
function token(test: (f: Fitting, at: number) => boolean): Part {
  return (f, at, rest) => {
    if (f.budget-- <= 0) return true
    if (at < f.end && test(f, at)) return rest(at + 1)
    if (at > f.furthest) f.furthest = at
    return false
  }
}

const KEYWORDS = new Map(Object.entries(K).map(([word, type]) => [word.toLowerCase(), type]))

/** A word, written in small letters. */
export function keyword(text: string): Part {
  const type = KEYWORDS.get(text)
  return type === undefined
    ? token((f, at) => f.cursor.isWord(at, text) && f.cursor.types[at] !== T.STRING)
    : token((f, at) => f.cursor.types[at] === type)
}

/** A sign: `(`, `=`. */
export function sign(text: string): Part {
  return token((f, at) => f.cursor.lengthAt(at) === text.length && f.cursor.textAt(at) === text)
}

export function sequence(parts: readonly Part[]): Part {
  if (parts.length === 1) return parts[0]!
  return (f, at, rest) => follow(f, at, parts, 0, rest)
}

function follow(f: Fitting, at: number, parts: readonly Part[], index: number, rest: Rest): boolean {
  if (index === parts.length) return rest(at)
  return parts[index]!(f, at, (next) => follow(f, next, parts, index + 1, rest))
}

export function choice(ways: readonly Part[]): Part {
  return ways.length === 1 ? ways[0]! : (f, at, rest) => ways.some((way) => way(f, at, rest))
}

export function optional(part: Part): Part {
  return (f, at, rest) => part(f, at, rest) || rest(at)
}

/** As many as there are, the longest row first. */
export function repeated(part: Part): Part {
  const many: Part = (f, at, rest) => part(f, at, (next) => next > at && many(f, next, rest)) || rest(at)
  return many
}

export function list(part: Part): Part {
  return sequence([part, repeated(sequence([sign(','), part]))])
}

/** Where a rule of the parser gets to from here; -1 where it misses something. */
function read(f: Fitting, at: number, rule: (c: Cursor) => unknown): number {
  const c = f.cursor
  const { pos, notes, skipped } = c
  c.pos = at
  c.notes = []
  rule(c)
  const [next, told] = [c.pos, c.notes[0]]
  c.pos = pos
  c.notes = notes
  c.skipped = skipped
  if (!told && next > at) return next
  const start = told?.start ?? c.starts[at]!
  let place = at
  while (place < f.end && c.starts[place]! < start) place++
  if (place > f.furthest) f.furthest = place
  return -1
}

function ruled(rule: (c: Cursor) => unknown): Part {
  return (f, at, rest) => {
    if (at >= f.end) {
      if (at > f.furthest) f.furthest = at
      return false
    }
    const next = read(f, at, rule)
    return next >= 0 && rest(next)
  }
}

function isId(f: Fitting, at: number): boolean {
  const type = f.cursor.types[at]!
  return type === T.WORD || type === T.QUOTED || type === T.PARAM || (type >= FIRST_KEYWORD && !f.reserved.has(type))
}

const id = token(isId)

const name: Part = (f, at, rest) => {
  const { types } = f.cursor
  if (at >= f.end || !isId(f, at)) {
    if (at > f.furthest) f.furthest = at
    return false
  }
  let next = at + 1
  while (types[next] === T.DOT && (f.cursor.isName(next + 1) || types[next + 1] === T.PARAM)) next += 2
  return rest(next)
}

const text: Part = (f, at, rest) => {
  if (at < f.end && (f.cursor.types[at] === T.STRING || f.cursor.types[at] === T.DOLLAR_STRING)) return rest(at + 1)
  if (at > f.furthest) f.furthest = at
  return false
}

const brackets: Part = (f, at, rest) => {
  if (at < f.end && f.cursor.types[at] === T.LPAREN) {
    const close = f.cursor.closing(at)
    if (f.cursor.types[close] === T.RPAREN) return rest(close + 1)
  }
  if (at > f.furthest) f.furthest = at
  return false
}

const readQuery = ruled((c) => void c.rules.query(c))

const queryPart: Part = (f, at, rest) => {
  const known = f.query
  if (known === undefined || f.cursor.starts[at] !== known.start) return readQuery(f, at, rest)
  let next = f.end
  while (next > at && f.cursor.starts[next - 1]! >= known.end) next--
  return rest(next) || readQuery(f, at, rest)
}

const readType = ruled((c) => void scanType(c))

/** Reserved words that are types all the same. */
const TYPE_WORDS: ReadonlySet<number> = new Set([K.ARRAY, K.STRUCT, K.INTERVAL, K.ROW])

/** A type begins with a name, and what its brackets hold is neither nothing nor two numbers in a row. */
const type: Part = (f, at, rest) => {
  const { types } = f.cursor
  const ends = (next: number): boolean => {
    for (let i = at; i < next; i++) {
      const isWrong =
        (types[i] === T.LPAREN && types[i + 1] === T.RPAREN) || (types[i] === T.NUMBER && types[i + 1] === T.NUMBER)
      if (!isWrong) continue
      if (i + 1 > f.furthest) f.furthest = i + 1
      return false
    }
    return rest(next)
  }
  const isName = !f.reserved.has(types[at]!) || TYPE_WORDS.has(types[at]!)
  if (at < f.end && isName && types[at] !== T.LPAREN) return readType(f, at, ends)
  if (at > f.furthest) f.furthest = at
  return false
}

/** Parts that every grammar has. */
export const GIVEN: Readonly<Record<string, Part>> = {
  ID: id,
  NAME: name,
  WORD: token((f, at) => f.cursor.isName(at)),
  STRING: text,
  NUMBER: sequence([optional(choice([sign('-'), sign('+')])), token((f, at) => f.cursor.types[at] === T.NUMBER)]),
  TYPE: type,
  EXPRESSION: ruled((c) => c.rules.expression(c, new Collector())),
  QUERY: queryPart,
  STATEMENT: ruled((c) => c.notes.push(...c.rules.statement(c).notes)),
  BRACKETS: brackets,
  REST: (f, _at, rest) => rest(f.end),
}

export function startFitting(cursor: Cursor, end: number, query: TextRange | undefined): Fitting {
  return { cursor, end, query, reserved: reservedOf(cursor.dialect.name), furthest: 0, budget: 20_000 }
}

const reservedByDialect = new Map<DialectName, ReadonlySet<number>>()

function reservedOf(dialect: DialectName): ReadonlySet<number> {
  let words = reservedByDialect.get(dialect)
  if (!words) reservedByDialect.set(dialect, (words = reservedWords(dialect)))
  return words
}
