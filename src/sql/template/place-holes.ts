/**
 * Puts something that parses where holes are, by what stands around them:
 *
 *   FROM {{ macro() }}            a table of that name, whose columns nobody knows
 *   WITH a AS ({{ macro() }})     a query of its own over the relations that the macro was given
 *   {{ x }} + 1, upper({{ x }})   a value without columns
 *   SELECT a, {{ macro() }} FROM  columns that nobody knows
 *   {{ prefix }}.amount           the column without the qualifier
 *   AS {{ name }}_total           a name that says that it is not known, and that there may be more such columns
 *   FROM a {{ filters() }}        nothing
 */

import { ClauseTracker, type Clause, shapeTokens, type ShapeOptions, type ShapeToken } from './sql-shape.ts'
import { identifierText, relationText } from './show.ts'
import { MappedText } from './source-map.ts'
import { NO_TABLE_MARK, UNKNOWN_NAME_MARK, VALUE_MARK } from './marks.ts'
import { hasHole, HOLE_MARK_LENGTH, type Hole, type Holes } from './values.ts'

/** The text with its holes filled. */
export function placeHoles(written: MappedText, holes: Holes, options: ShapeOptions): MappedText {
  const text = written.toString()
  if (!hasHole(text)) return written
  return new HolePlacer(written, text, holes, shapeTokens(text, options)).run()
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Words behind which an expression or a table must follow. */
const EXPECTING = new Set(
  'select,distinct,all,from,join,where,and,or,not,on,when,then,else,case,by,in,between,like,ilike,rlike,having,limit,offset,interval,set,values,is,using,into,update,table,view,qualify,with,returning,top,if,as,lateral,union,intersect,minus,recursive,materialized'.split(
    ',',
  ),
)
/** Words that begin the next clause, so that nothing is missing in front of them. */
const CLAUSE_WORDS = new Set(
  'from,where,group,order,having,limit,offset,qualify,window,union,intersect,except,minus,join,left,right,inner,full,cross,natural,lateral,on,using,as,select,with,and,or,when,then,else,end,set,values,partition,rows,range,asc,desc,nulls,in,is,not,between,like,ilike,over,into,returning,cluster,distribute,sort,fetch,for,tablesample,pivot,unpivot,sample,asof,anti,semi,outer'.split(
    ',',
  ),
)

class HolePlacer {
  readonly #written: MappedText
  readonly #text: string
  readonly #holes: Holes
  readonly #tokens: readonly ShapeToken[]
  readonly #tracker = new ClauseTracker()
  readonly #replacements: Replacement[] = []
  #at = 0

  constructor(written: MappedText, text: string, holes: Holes, tokens: readonly ShapeToken[]) {
    this.#written = written
    this.#text = text
    this.#holes = holes
    this.#tokens = tokens
  }

  run(): MappedText {
    while (this.#at < this.#tokens.length) this.#token(this.#tokens[this.#at]!)
    return this.#filled()
  }

  #token(token: ShapeToken): void {
    if (token.type === 'string' || token.type === 'quoted' || token.type === 'comment') this.#insideQuotes(token)
    const end = this.#runEnd()
    const run = this.#tokens.slice(this.#at, end)
    if (run.some(({ type }) => type === 'hole')) this.#replaceRun(run, end)
    for (const passed of run) this.#tracker.pass(passed)
    this.#at = end
  }

  /** End of the tokens that touch each other and read as one name: `{{ a }}.{{ b }}_x`. */
  #runEnd(): number {
    let end = this.#at + 1
    if (!isNamePart(this.#tokens[this.#at]!)) return end
    for (let next = this.#tokens[end]; next && isNamePart(next); next = this.#tokens[++end]) {
      if (next.start !== this.#tokens[end - 1]!.end) break
    }
    return end
  }

  #insideQuotes(token: ShapeToken): void {
    const { clause } = this.#tracker
    const names = token.type === 'quoted' && clause === 'select'
    for (let at = token.start; at < token.end; at++) {
      const hole = this.#holes.at(this.#text, at)
      if (!hole) continue
      const text = token.type === 'comment' ? '' : (names ? UNKNOWN_NAME_MARK : '') + hole.name
      this.#replace(at, at + HOLE_MARK_LENGTH, text)
      at += HOLE_MARK_LENGTH - 1
    }
  }

  #replaceRun(run: readonly ShapeToken[], end: number): void {
    const { clause } = this.#tracker
    const before = this.#before()
    const after = this.#after(end)
    const single = run.length === 1 ? this.#holeOf(run[0]!) : undefined
    const text = single ? this.#single(single, clause, before, after) : this.#name(run, clause, before, after)
    this.#replace(run[0]!.start, run.at(-1)!.end, text)
  }

  /** A hole that stands alone. */
  #single(hole: Hole, clause: Clause, before: ShapeToken | undefined, after: ShapeToken | undefined): string {
    const word = before?.text ?? ''
    if (hole.kind === 'value') return VALUE_MARK
    if (isType(clause, before)) return 'varchar'
    if (word === 'as' && clause === 'with' && after?.text === '(') return ''
    if (word === 'as') return nameFor(identifierText(hole.name), clause, after)
    if (clause === 'query' && !isOperand(before)) return isClosing(after) ? queryOver(hole) : ''
    if (clause === 'with' && (word === ',' || word === 'with')) return this.#cte(hole, after)
    if (clause === 'from' && (isExpecting(before) || word === ',')) return tableOf(hole, after)
    if (after?.text === '(' && after.type === 'symbol' && !isOperand(before)) return hole.name
    if (isOperand(before)) return this.#behindOperand(hole, clause, after)
    if (clause === 'select' && isItem(before, after)) return columnsOf(hole.name)
    return VALUE_BY_WORD[word] ?? VALUE_MARK
  }

  /** `amount {{ op }} 2`, `FROM a {{ filters() }} GROUP BY`, `CREATE TABLE a {{ query() }}`. */
  #behindOperand(hole: Hole, clause: Clause, after: ShapeToken | undefined): string {
    const follows = after && !isClosing(after) && (isOperand(after, true) || after.text === '(')
    if (clause === 'value' && follows) return '='
    if (clause === 'select' && after?.text === ',' && hole.kind === 'variable') return nameFor(hole.name, clause, after)
    return ''
  }

  /** A hole among CTEs: one or more of them, whose names nobody knows. */
  #cte(hole: Hole, after: ShapeToken | undefined): string {
    if (after?.text === 'as') return identifierText(hole.name)
    return `${NO_TABLE_MARK}${hole.name} as (${queryOver(hole)})${after?.text === ',' || after?.text === 'select' ? '' : ', '}`
  }

  /** A name of which only parts are known. */
  #name(
    run: readonly ShapeToken[],
    clause: Clause,
    before: ShapeToken | undefined,
    after: ShapeToken | undefined,
  ): string {
    const named = this.#named(run)
    if (after?.text === '(' || clause === 'from' || clause === 'with') return named
    if (before?.text === 'as' || (isOperand(before) && clause === 'select')) return nameFor(named, clause, after)
    if (isOperand(before)) return ''
    const column = this.#columnName(run)
    if (column !== undefined) return column
    return clause === 'select' && isItem(before, after) ? columnsOf('column') : VALUE_MARK
  }

  /** The column at the end of a run, when only what qualifies it is not known. */
  #columnName(run: readonly ShapeToken[]): string | undefined {
    const dot = run.findLastIndex(({ text }) => text === '.')
    const last = run.slice(dot + 1)
    if (dot < 0 || last.length === 0 || last.some(({ type }) => type === 'hole')) return undefined
    return this.#text.slice(last[0]!.start, last.at(-1)!.end)
  }

  #named(run: readonly ShapeToken[]): string {
    const parts: string[] = ['']
    for (const token of run) {
      const hole = this.#holeOf(token)
      if (token.text === '.') parts.push('')
      else parts.push(parts.pop()! + (hole ? hole.name : this.#text.slice(token.start, token.end)))
    }
    return parts.map(identifierText).join('.')
  }

  #holeOf(token: ShapeToken): Hole | undefined {
    return token.type === 'hole' ? this.#holes.at(this.#text, token.start) : undefined
  }

  #before(): ShapeToken | undefined {
    for (let index = this.#at - 1; index >= 0; index--) {
      if (this.#tokens[index]!.type !== 'comment') return this.#tokens[index]
    }
    return undefined
  }

  #after(from: number): ShapeToken | undefined {
    for (let index = from; index < this.#tokens.length; index++) {
      if (this.#tokens[index]!.type !== 'comment') return this.#tokens[index]
    }
    return undefined
  }

  #replace(start: number, end: number, text: string): void {
    this.#replacements.push({ start, end, text })
  }

  #filled(): MappedText {
    const filled = new MappedText()
    let at = 0
    for (const { start, end, text } of this.#replacements) {
      filled.take(this.#written, this.#text, at, start)
      filled.make(text, this.#written.startOf(start), this.#written.endOf(end))
      at = end
    }
    filled.take(this.#written, this.#text, at, this.#text.length)
    return filled
  }
}

/** Where a number or a list must stand. */
const VALUE_BY_WORD: Readonly<Record<string, string>> = {
  limit: '1',
  offset: '1',
  top: '1',
  interval: "'1'",
  in: '(null)',
}

function isNamePart(token: ShapeToken): boolean {
  return token.type === 'hole' || token.type === 'word' || token.type === 'number' || token.text === '.'
}

function isType(clause: Clause, before: ShapeToken | undefined): boolean {
  return before?.text === '::' || (clause === 'cast' && before?.text === 'as')
}

function isExpecting(token: ShapeToken | undefined): boolean {
  return token !== undefined && EXPECTING.has(token.text)
}

/** Whether an operand ends with the token; `begins`: whether one begins with it. */
function isOperand(token: ShapeToken | undefined, begins = false): boolean {
  switch (token?.type) {
    case 'word':
      return begins ? !CLAUSE_WORDS.has(token.text) : !EXPECTING.has(token.text)
    case 'quoted':
    case 'string':
    case 'number':
    case 'hole':
      return true
    case 'symbol':
      return begins ? false : token.text === ')' || token.text === ']'
    default:
      return false
  }
}

/** Columns that nobody knows, as an item of a SELECT list. */
function columnsOf(name: string): string {
  return `${NO_TABLE_MARK}${name}.*`
}

/** An alias; that of an output leaves room for others, since nobody knows how many there are. */
function nameFor(name: string, clause: Clause, after: ShapeToken | undefined): string {
  if (clause !== 'select') return name
  const ends = isClosing(after) || after?.text === ',' || after?.text === 'from'
  return UNKNOWN_NAME_MARK + name + (ends ? `, ${columnsOf(name)}` : '')
}

/** Whether a hole between the tokens is a whole item of a SELECT list, without a name of its own. */
function isItem(before: ShapeToken | undefined, after: ShapeToken | undefined): boolean {
  const begins = before?.text === ',' || before?.text === 'select' || before?.text === 'distinct'
  return begins && (isClosing(after) || after?.text === ',' || after?.text === 'from')
}

/** Whether nothing more belongs to the query at hand. */
function isClosing(token: ShapeToken | undefined): boolean {
  if (!token) return true
  if (token.type === 'symbol') return token.text === ')' || token.text === ';'
  return token.text === 'union' || token.text === 'intersect' || token.text === 'except' || token.text === 'minus'
}

/** A query over the relations that a macro was given; what it gives is not known. */
function queryOver(hole: Hole): string {
  const from = hole.relations.length > 0 ? hole.relations.map(relationText).join(', ') : NO_TABLE_MARK + hole.name
  return `select * from ${from}`
}

function tableOf(hole: Hole, after: ShapeToken | undefined): string {
  if (after?.text === '(') return hole.name
  if (hole.relations.length > 0) return `(${queryOver(hole)})`
  const wrapped = wrappedName(hole)
  if (wrapped) return wrapped
  return identifierText(hole.name)
}

/** Projects wrap `ref` and `source` in macros of their own: what those were given names the table. */
function wrappedName({ name, given = [] }: Hole): string | undefined {
  const [first, second] = given
  if (first === undefined) return undefined
  if (/source/i.test(name) && second !== undefined) return `${identifierText(first)}.${identifierText(second)}`
  return /(?:^|_)(?:ref|source|model|table|relation)(?:_|$)/i.test(name) ? identifierText(given.at(-1)!) : undefined
}
