/**
 * SQL that a script puts together before it runs it. What the script itself says is put together here; what only the
 * run tells stays as `${name}`, which the engine reads as a parameter or as part of a name:
 *
 *   v := 'INSERT INTO log_' || p_year || ' SELECT id FROM t WHERE d = ' || p_day
 *   INSERT INTO log_${p_year} SELECT id FROM t WHERE d = ${p_day}
 */

import { assertNever } from '../../model/errors.ts'
import type { TextPiece } from '../ir/text.ts'
import { MappedText } from '../template/source-map.ts'

/** A piece of a text: known, or the name of what it is not. */
export interface TextPart {
  readonly text: string
  readonly isKnown: boolean
  readonly start: number
  readonly end: number
}

export type DynamicText = readonly TextPart[]

/** Different texts that a variable may hold after branches, at most. */
const MAX_ALTERNATIVES = 4
const MAX_LENGTH = 1 << 20

/** What variables hold, as far as it is text. */
export class DynamicTexts {
  #held = new Map<string, readonly DynamicText[]>()

  /** A variable takes the text; in a branch it may also still hold what it held. */
  assign(name: string, pieces: readonly TextPiece[], isBranch: boolean): void {
    const key = name.toLowerCase()
    const next = this.textsOf(pieces)
    const appends = pieces[0]?.kind === 'variable' && pieces[0].name === key
    const before = isBranch && !appends ? (this.#held.get(key) ?? []).filter((text) => text.length > 0) : []
    this.#held.set(key, [...before, ...next].slice(-MAX_ALTERNATIVES))
  }

  /** What is held now; given back, it holds again (the variables of a routine are gone with it). */
  get state(): ReadonlyMap<string, readonly DynamicText[]> {
    return new Map(this.#held)
  }

  set state(held: ReadonlyMap<string, readonly DynamicText[]>) {
    this.#held = new Map(held)
  }

  forget(name: string): void {
    this.#held.delete(name.toLowerCase())
  }

  /** All texts that the pieces may make. */
  textsOf(pieces: readonly TextPiece[]): readonly DynamicText[] {
    let texts: readonly DynamicText[] = [[]]
    for (const piece of pieces) {
      const ends = this.#piece(piece)
      texts = texts.flatMap((text) => ends.map((end) => [...text, ...end])).slice(0, MAX_ALTERNATIVES)
    }
    return texts.filter((text) => lengthOf(text) <= MAX_LENGTH)
  }

  #piece(piece: TextPiece): readonly DynamicText[] {
    const { start, end } = piece
    switch (piece.kind) {
      case 'literal':
        return [[{ text: piece.text, isKnown: true, start, end }]]
      case 'variable':
        return this.#held.get(piece.name) ?? [[{ text: piece.name, isKnown: false, start, end }]]
      case 'call': {
        const args = piece.args.map((arg) => this.textsOf(arg)[0] ?? [])
        return [callOf(piece.name, args, { start, end })]
      }
      default:
        return assertNever(piece)
    }
  }
}

type Place = Pick<TextPart, 'start' | 'end'>

/** What stands for the day in the name of a sharded table. */
const SHARD = 'yyyymmdd'

/** What a function makes of texts. */
function callOf(name: string, args: readonly DynamicText[], place: Place): DynamicText {
  const [first = [], second = [], third = []] = args
  const values = args.map(valueOf)
  const made = (text: string | undefined): DynamicText => [
    { text: text ?? name, isKnown: text !== undefined, ...place },
  ]
  switch (name) {
    case 'concat':
      return args.flat()
    case 'concat_ws':
      return args.slice(1).flatMap((arg, index) => (index === 0 ? arg : [...first, ...arg]))
    case 'quotename':
      return [...made('['), ...first, ...made(']')]
    case 'quote_ident':
    case 'dbms_assert.enquote_name':
    case 'upper':
    case 'lower':
    case 'trim':
    case 'rtrim':
    case 'ltrim':
    case 'cast':
    case 'to_char':
    case 'n':
      return first.length > 0 && values[0] !== undefined ? first : made(undefined)
    case 'quote_literal':
    case 'quote_nullable':
      return [...made("'"), ...first, ...made("'")]
    case 'coalesce':
    case 'isnull':
    case 'ifnull':
    case 'nvl':
      return values[0] === undefined && values[1] !== undefined && values[1] !== '' ? second : first
    case 'char':
    case 'chr':
      return made(values[0] === '39' ? "'" : ' ')
    case 'replace':
      return replaced(first, values[1], third)
    case 'format_date':
      // A shard of the day; all days' shards count as one table.
      return made(values[0] === '%Y%m%d' ? SHARD : undefined)
    case 'format':
      return formatted(first, args.slice(1), place)
    default:
      return made(undefined)
  }
}

function replaced(text: DynamicText, from: string | undefined, to: DynamicText): DynamicText {
  if (from === undefined || from === '') return text
  return text.flatMap((part) => {
    if (!part.isKnown || !part.text.includes(from)) return [part]
    return part.text.split(from).flatMap((piece, index) => [...(index > 0 ? to : []), { ...part, text: piece }])
  })
}

/** format('… %I … %s', a, b) of PostgreSQL, FORMAT('%s', a) of BigQuery. */
function formatted(template: DynamicText, args: readonly DynamicText[], place: Place): DynamicText {
  const text = valueOf(template)
  if (text === undefined) return template
  const parts: TextPart[] = []
  let next = 0
  let at = 0
  const made = (piece: string): TextPart => ({ text: piece, isKnown: true, ...place })
  for (const match of text.matchAll(/%(?:(\d+)\$)?-?[\d.]*([%a-zA-Z])/g)) {
    parts.push(made(text.slice(at, match.index)))
    at = match.index + match[0].length
    if (match[2] === '%') {
      parts.push(made('%'))
      continue
    }
    const index = match[1] === undefined ? next++ : Number(match[1]) - 1
    const value = args[index] ?? [{ text: 'value', isKnown: false, ...place }]
    const isQuoted = match[2] === 'L' || match[2] === 'T'
    parts.push(...(isQuoted ? [made("'"), ...value, made("'")] : value))
  }
  return [...parts, made(text.slice(at))]
}

function valueOf(text: DynamicText): string | undefined {
  return text.every(({ isKnown }) => isKnown) ? text.map((part) => part.text).join('') : undefined
}

function lengthOf(text: DynamicText): number {
  return text.reduce((sum, part) => sum + part.text.length, 0)
}

export interface DynamicSql {
  readonly text: MappedText
  /** Names of what only the run tells and what may be more than a value. */
  readonly open: readonly string[]
}

/** The SQL of a text. */
export function sqlOf(parts: DynamicText, source: string): DynamicSql {
  const text = new MappedText()
  const open: string[] = []
  let written = ''
  for (const [index, part] of parts.entries()) {
    let sql = part.text
    if (!part.isKnown) {
      const inQuotes = isInQuotes(written)
      if (!inQuotes) open.push(part.text)
      sql = inQuotes || isNeeded(written, parts[index + 1]) ? `\${${part.text.replaceAll(/[^\w.]/g, '_')}}` : ' '
    }
    const inside = part.isKnown ? source.indexOf(sql, part.start) : -1
    if (inside >= 0 && inside + sql.length <= part.end) text.copy(sql, inside)
    else text.make(sql, part.start, part.end)
    written += sql
  }
  return { text, open }
}

/** Whether a string is open at the end of the text. */
function isInQuotes(sql: string): boolean {
  let open = false
  for (let at = sql.indexOf("'"); at >= 0; at = sql.indexOf("'", at + 1)) open = !open
  return open
}

/** Whether something must stand here: behind an operator, a word that asks for more, or as part of a name. */
function isNeeded(before: string, after: TextPart | undefined): boolean {
  if (/[\w$#."[\]`]$/.test(before) && !/\s$/.test(before)) return true
  if (after?.isKnown === true && /^[\w$#."\]`]/.test(after.text) && before.trim() !== '') return true
  return /(?:[=<>(,+\-*/|.]|\b(?:from|into|table|join|update|where|and|or|not|in|on|by|set|select|then|else|when|like|between|values|view|truncate|exists|top|limit|as|only|index|trigger|sequence|schema|database|function|procedure|column|constraint|to|role|user|analyze|using|returning|call|exec|concurrently|distinct|having|is))\s*$/i.test(
    before,
  )
}
