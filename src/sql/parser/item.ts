/** SELECT lists: expressions with aliases, stars with what dialects hang on them. */

import { variableReference } from './parameter.ts'
import type { Expression, Item, Star, StarPattern } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { parseExpression, scanExpression, scanRest } from './expression.ts'
import { namedInPhrase, retypedName } from './teradata.ts'
import { columnTest, columnsLambda, filteredNames } from './columns-lambda.ts'
import { scriptColumns } from './hive-script.ts'
import { nameList } from './name-list.ts'
import { textPieces } from './text.ts'
import { followsAlias, isKeyword, neverAlias, softClause, startsStatement } from './words.ts'

const NO_NAMES: readonly string[] = []
const NO_ITEMS: readonly Item[] = []
const STAR_EXPRESSION: Expression = {
  start: 0,
  end: 0,
  references: [],
  queries: [],
  stars: [],
  windows: [],
  form: 'other',
}

/** Items up to the first token that begins a clause. */
export function parseItems(c: Cursor): Item[] {
  const items: Item[] = []
  for (;;) {
    const before = c.pos
    if (!atItemEnd(c)) items.push(parseItem(c))
    else if (isItemMissing(c)) c.missing('a column')
    if (c.take(T.COMMA)) continue
    if (c.pos === before || !stepToItemEnd(c)) return items
  }
}

/** A list may be empty, or end in a comma, in some dialects only. */
function isItemMissing(c: Cursor): boolean {
  if (c.at(T.COMMA)) return true
  return c.types[c.pos - 1] === T.COMMA ? !c.dialect.trailingCommas : !c.dialect.emptySelect
}

/** Nothing more of the list stands here: a trailing comma is allowed. */
function atItemEnd(c: Cursor): boolean {
  const type = c.type
  return type === K.FROM || type === T.RPAREN || c.atEnd() || type === T.COMMA || type === T.PIPE || endsLoopHead(c)
}

/** LOOP or DO behind the query of a FOR. */
function endsLoopHead(c: Cursor): boolean {
  return c.inLoopHead && (c.at(K.LOOP) || c.at(K.DO))
}

/** Steps over what the item rule did not understand. True when the list goes on behind a comma. */
function stepToItemEnd(c: Cursor): boolean {
  let depth = 0
  while (!c.atEnd()) {
    const type = c.type
    if (depth === 0) {
      if (type === T.COMMA) {
        c.pos++
        return true
      }
      if (type === T.RPAREN || type === T.PIPE || endsLoopHead(c)) return false
      // T-SQL: a label of the next statement.
      if (type === T.WORD && c.dialect.looseStatements && c.peek(1) === T.COLON) return false
      if (
        isKeyword(type) &&
        type !== K.AS &&
        (neverAlias(type) || isClauseAhead(c) || (c.dialect.looseStatements && startsStatement(type)))
      )
        return false
    }
    if (type === T.LPAREN) depth++
    else if (type === T.RPAREN) depth--
    c.skip()
  }
  return false
}

/** Clauses whose first word is a name everywhere else. */
function isClauseAhead(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.OFFSET:
      return next === T.NUMBER || next === T.PARAM || next === T.LPAREN || next === T.QUESTION
    case K.INSERT:
      // Hive: FROM t INSERT … SELECT a INSERT ….
      return next === K.OVERWRITE || next === K.INTO
    case K.SORT:
    case K.CLUSTER:
    case K.DISTRIBUTE:
      return next === K.BY
    case K.SETTINGS:
    case K.FORMAT:
      return c.dialect.name === 'clickhouse' && c.isName(c.pos + 1)
    case K.OPTION:
      return next === T.LPAREN
    case K.SAMPLE:
      return next === T.NUMBER || next === T.LPAREN
    case K.TABLESAMPLE:
    case K.MODEL:
      return next === T.LPAREN
    default:
      return false
  }
}

/** One item. */
export function parseItem(c: Cursor): Item {
  const start = c.start()
  const type = c.type
  const next = c.peek(1)
  if (type === T.STAR) {
    c.pos++
    return starItem(c, undefined, start)
  }
  if (type === K.COLUMNS && next === T.LPAREN) return columnsItem(c, start)
  if (type === T.QUOTED && isColumnPattern(c)) return patternItem(c, start)
  // ClickHouse: t.COLUMNS('x').
  if (next === T.DOT && c.peek(2) === K.COLUMNS && c.peek(3) === T.LPAREN && c.isName(c.pos)) {
    const qualifier = c.nameAt(c.pos)
    c.pos += 2
    const item = columnsItem(c, start)
    return item.star ? { ...item, star: { ...item.star, qualifier: [qualifier] } } : item
  }
  if (next === T.DOT && c.isName(c.pos)) {
    const star = qualifiedStar(c)
    if (star > 0) {
      const parts: string[] = []
      for (let i = c.pos; i < star - 1; i += 2) parts.push(c.nameAt(i))
      c.pos = star + 1
      return starItem(c, parts, start)
    }
  }
  // T-SQL: alias = expression. DuckDB: alias: expression.
  if (
    next === T.EQUALS &&
    c.dialect.equalsAliases &&
    (c.isName(c.pos) || c.at(T.STRING)) &&
    c.lengthAt(c.pos + 1) === 1
  )
    return namedItem(c, start)
  if (next === T.COLON && c.dialect.name === 'duckdb' && c.isName(c.pos)) return namedItem(c, start)
  if (type === T.PARAM && isAssigned(c)) return assignedVariable(c, start)
  const x = new Collector()
  x.start = start
  scanExpression(c, x)
  x.end = Math.max(start, c.end())
  if (c.at(T.DOT) && c.peek(1) === T.STAR) {
    c.pos += 2
    return structStar(c, x, start)
  }
  return finishItem(c, x, start)
}

/** Hive and Spark: `` SELECT `(ds|hr)?+.+` `` takes the columns that match. */
function isColumnPattern(c: Cursor): boolean {
  return (
    (c.dialect.name === 'hive' || c.dialect.name === 'spark') &&
    /[+*]|\(.*\|/.test(c.textAt(c.pos)) &&
    c.peek(1) !== T.DOT
  )
}

function patternItem(c: Cursor, start: number): Item {
  // Java's possessive `?+` is the `?` that a look-ahead would need: (a|b)?+.+ is everything but a and b.
  const text = c.nameAt(c.pos++)
  const but = /^\(([^()]*)\)\?\+\.\+$/.exec(text)
  const matching: StarPattern = { kind: 'regex', pattern: but ? `^(${but[1]})$` : `^(${text})$`, negated: but !== null }
  const star: Star = { except: NO_NAMES, replace: NO_ITEMS, rename: undefined, matching }
  return { expression: STAR_EXPRESSION, star, start, end: c.end() }
}

function namedItem(c: Cursor, start: number): Item {
  const alias = c.nameAt(c.pos)
  c.pos += 2
  const expression = parseExpression(c)
  return { expression, alias, start, end: c.end() }
}

/** T-SQL: SELECT @x = expression, @x += expression. MySQL: SELECT @x := expression. */
function isAssigned(c: Cursor): boolean {
  let i = c.pos + 1
  if (c.types[i] === T.ASSIGN) return true
  if (!c.dialect.looseStatements) return false
  while (c.types[i] === T.PLUS || c.types[i] === T.MINUS || c.types[i] === T.STAR || c.types[i] === T.SLASH) i++
  return c.types[i] === T.EQUALS
}

function assignedVariable(c: Cursor, start: number): Item {
  const variable = c.nameAt(c.pos)
  const x = new Collector()
  x.start = start
  // @x += y: what it held stays part of it.
  if (!(c.peek(1) === T.EQUALS || c.peek(1) === T.ASSIGN)) x.addReference(variableReference(c, c.pos))
  while (!c.at(T.EQUALS) && !c.at(T.ASSIGN)) c.pos++
  c.pos++
  const at = c.pos
  scanExpression(c, x)
  x.end = c.end()
  const text = textPieces(c, at, c.pos)
  return { ...finishItem(c, x, start), variable, ...(text ? { text } : {}) }
}

function finishItem(c: Cursor, x: Collector, start: number): Item {
  const made = x.form === 'other' && (c.at(K.USING) || c.at(K.ROW)) ? scriptColumns(c) : undefined
  if (made) return { expression: x, aliases: made, start, end: c.end() }
  // Exasol: script(a) EMITS (b INT, c VARCHAR(10)).
  if (c.dialect.name === 'exasol' && c.isWord(c.pos, 'emits') && c.peek(1) === T.LPAREN) {
    const aliases = nameList(c, c.pos + 1)
    return { expression: x, aliases, start, end: c.end() }
  }
  if (c.at(K.AS) && c.peek(1) === T.LPAREN) {
    const aliases = nameList(c, c.pos + 1)
    return { expression: x, aliases, start, end: c.end() }
  }
  const alias =
    parseAlias(c) ?? (c.dialect.name === 'teradata' ? (namedInPhrase(c, start) ?? retypedName(c, x)) : undefined)
  if (alias === undefined) nameExpression(c, x)
  if (x.stars.length === 1 && x.references.length === 0 && hasColumnsCall(x)) {
    return { expression: x, alias, star: x.stars[0]!.star, start, end: c.end() }
  }
  return { expression: x, alias, start, end: c.end() }
}

function hasColumnsCall(x: Collector): boolean {
  return x.stars[0]!.star.each === true
}

/** Fixes the name that the expression gives its output when it has no alias. */
function nameExpression(c: Cursor, x: Collector): void {
  // A field of a struct that the text builds is a copy of a column under the field's name.
  const isField = x.nameToken === c.pos - 1 && c.types[c.pos - 2] === T.DOT && c.isName(c.pos - 1)
  if (x.form === 'column' && !isField) x.name = x.references[0]!.parts.at(-1)!
  else if (x.nameToken >= 0) x.name = c.nameAt(x.nameToken)
}

/** [AS] alias of an item. */
function parseAlias(c: Cursor): string | undefined {
  if (c.take(K.AS)) {
    if (c.isName(c.pos) || c.at(T.STRING) || c.at(T.PARAM) || c.at(T.HOLE)) return c.nameAt(c.pos++)
    c.missing('a name')
    return undefined
  }
  const type = c.type
  if (type === T.WORD || type === T.QUOTED) {
    // T-SQL: a label of the next statement.
    if (c.dialect.looseStatements && c.peek(1) === T.COLON) return undefined
    c.pos++
    return c.nameAt(c.pos - 1)
  }
  if (type === T.STRING && c.dialect.stringAliases) return c.nameAt(c.pos++)
  if (isKeyword(type) && canBeAlias(c, type)) return c.textAt(c.pos++)
  return undefined
}

function canBeAlias(c: Cursor, type: number): boolean {
  if (c.dialect.looseStatements && startsStatement(type)) return false
  if (neverAlias(type)) return softClause(type) && followsAlias(c.peek(1)) && c.peek(1) !== K.FROM
  if (c.inBody && startsStatement(type) && !followsAlias(c.peek(1))) return false
  if (endsLoopHead(c)) return false
  return !isClauseAhead(c)
}

/** Index of the star when the cursor is at `a.b.*`, else 0. */
function qualifiedStar(c: Cursor): number {
  let i = c.pos
  while (c.isName(i) && c.types[i + 1] === T.DOT) i += 2
  return c.types[i] === T.STAR && i > c.pos ? i : 0
}

function starItem(c: Cursor, qualifier: readonly string[] | undefined, start: number): Item {
  const star = starModifiers(c, qualifier, undefined)
  // Trino: t.* AS (a, b).
  if (c.at(K.AS) && c.peek(1) === T.LPAREN)
    return { expression: STAR_EXPRESSION, star, aliases: nameList(c, c.pos + 1), start, end: c.end() }
  const item = { expression: STAR_EXPRESSION, star, start, end: c.end() }
  if (c.at(K.AS) && c.isName(c.pos + 1)) c.pos += 2
  return item
}

function structStar(c: Cursor, x: Collector, start: number): Item {
  const star = starModifiers(c, undefined, x)
  const aliases = c.at(K.AS) && c.peek(1) === T.LPAREN ? nameList(c, c.pos + 1) : undefined
  return { expression: x, star, aliases, start, end: c.end() }
}

/** EXCEPT, EXCLUDE, REPLACE, RENAME, ILIKE, APPLY behind a star, in any order. */
export function starModifiers(c: Cursor, qualifier: readonly string[] | undefined, of: Expression | undefined): Star {
  let except = NO_NAMES
  let replace = NO_ITEMS
  let rename: Map<string, string> | undefined
  let matching: StarPattern | undefined
  let applied: readonly string[] = NO_NAMES
  for (;;) {
    const next = c.peek(1)
    const type = c.type
    if (type === K.EXCEPT && next === T.LPAREN && c.peek(2) === T.STRING && c.dialect.name === 'clickhouse') {
      matching = { kind: 'regex', pattern: stringValue(c.textAt(c.pos + 2)), negated: true }
      c.pos++
      c.stepOverParens()
    } else if (
      type === K.EXCEPT &&
      next === T.LPAREN &&
      c.peek(2) !== K.SELECT &&
      c.peek(2) !== T.LPAREN &&
      c.peek(2) !== K.WITH
    )
      except = [...except, ...lowered(nameList(c, c.pos + 1))]
    else if (
      type === K.EXCEPT &&
      c.dialect.name === 'clickhouse' &&
      c.isName(c.pos + 1) &&
      next !== K.SELECT &&
      next !== K.ALL &&
      next !== K.DISTINCT
    ) {
      except = [...except, c.nameAt(c.pos + 1).toLowerCase()]
      c.pos += 2
    } else if (type === K.EXCLUDE) {
      except = [...except, ...lowered(excluded(c))]
    } else if (type === K.REPLACE && (next === T.LPAREN || (c.isName(c.pos + 1) && c.dialect.name === 'clickhouse')))
      replace = [...replace, ...replacements(c)]
    else if (type === K.RENAME && (next === T.LPAREN || c.isName(c.pos + 1))) rename = renames(c)
    else if ((type === K.ILIKE || type === K.LIKE || type === K.GLOB) && next === T.STRING) {
      matching = {
        kind: type === K.ILIKE ? 'ilike' : type === K.LIKE ? 'like' : 'glob',
        pattern: stringValue(c.textAt(c.pos + 1)),
        negated: false,
      }
      c.pos += 2
    } else if (type === K.NOT && (next === K.LIKE || next === K.ILIKE) && c.peek(2) === T.STRING) {
      matching = { kind: next === K.ILIKE ? 'ilike' : 'like', pattern: stringValue(c.textAt(c.pos + 2)), negated: true }
      c.pos += 3
    } else if (type === K.SIMILAR && next === K.TO && c.peek(2) === T.STRING) {
      matching = { kind: 'regex', pattern: stringValue(c.textAt(c.pos + 2)), negated: false }
      c.pos += 3
    } else if (type === K.APPLY && (next === T.LPAREN || c.isName(c.pos + 1))) {
      c.pos++
      applied = [...applied, applying(c)]
    } else break
  }
  return { qualifier, except, replace, rename, matching, of, ...(applied.length > 0 ? { applied } : {}) }
}

/** ClickHouse: the function behind APPLY as written, `sum` or `quantile(0.5)`; '' for a lambda. */
function applying(c: Cursor): string {
  const inside = c.take(T.LPAREN)
  const start = c.start()
  const named = c.isName(c.pos) && c.peek(1) !== T.ARROW
  if (!named) parseExpression(c)
  else {
    c.pos++
    if (c.at(T.LPAREN)) c.stepOverParens()
  }
  const text = named ? c.text.slice(start, c.end()) : ''
  if (inside) c.closeParen()
  return text
}

function lowered(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase())
}

function excluded(c: Cursor): string[] {
  if (c.peek(1) === T.LPAREN) return nameList(c, c.pos + 1)
  c.pos++
  const names: string[] = []
  do {
    if (!c.isName(c.pos)) break
    while (c.peek(1) === T.DOT && c.isName(c.pos + 2)) c.pos += 2
    names.push(c.nameAt(c.pos++))
    // Redshift lists the excluded names without parentheses, at the end of the SELECT list.
  } while (c.dialect.name === 'redshift' && c.take(T.COMMA))
  return names
}

function replacements(c: Cursor): Item[] {
  c.pos++
  return c.at(T.LPAREN) ? itemsInParentheses(c) : [parseItem(c)]
}

/** `(a, b AS c)`, with the cursor on the parenthesis. */
export function itemsInParentheses(c: Cursor): Item[] {
  c.pos++
  const items: Item[] = []
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    items.push(parseItem(c))
    if (!c.take(T.COMMA) && c.pos === before) c.skip()
  }
  c.closeParen()
  return items
}

function renames(c: Cursor): Map<string, string> {
  const pairs = new Map<string, string>()
  c.pos++
  const inside = c.take(T.LPAREN)
  do {
    while (c.peek(1) === T.DOT && c.isName(c.pos + 2)) c.pos += 2
    if (!c.isName(c.pos) || c.peek(1) !== K.AS || !c.isName(c.pos + 2)) break
    pairs.set(c.nameAt(c.pos).toLowerCase(), c.nameAt(c.pos + 2))
    c.pos += 3
    if (!inside) break
  } while (c.take(T.COMMA))
  if (inside) c.closeParen()
  return pairs
}

/** DuckDB and ClickHouse: COLUMNS('regex'), COLUMNS(* EXCLUDE x), COLUMNS([a, b]), COLUMNS(c -> …), perhaps in an expression. */
function columnsItem(c: Cursor, start: number): Item {
  const columns = parseColumnsCall(c)
  // ClickHouse: COLUMNS('^a') EXCEPT (b) APPLY f.
  const modified = c.dialect.name === 'clickhouse' ? starModifiers(c, columns.qualifier, undefined) : undefined
  const star = modified ? { ...modified, matching: columns.matching ?? modified.matching, each: true } : columns
  const x = new Collector()
  x.start = start
  x.addStar({ star, role: 0 })
  // The rest of an expression around it: COLUMNS(*) + 1.
  scanRest(c, x)
  x.end = c.end()
  const alias = parseAlias(c)
  return { expression: x, alias, star, start, end: c.end() }
}

/** With the cursor at COLUMNS: the star that the call stands for. */
export function parseColumnsCall(c: Cursor): Star {
  c.pos += 2
  let star: Star
  const type = c.type
  if (type === T.STRING) {
    star = {
      except: [],
      replace: [],
      rename: undefined,
      matching: { kind: 'regex', pattern: stringValue(c.textAt(c.pos)), negated: false },
    }
    c.pos++
  } else if (type === T.STAR) {
    c.pos++
    star = starModifiers(c, undefined, undefined)
  } else if (type === T.LBRACKET) {
    const closing = c.closing(c.pos)
    let matching: StarPattern | undefined
    if (c.peek(2) === K.FOR) matching = filteredNames(c, closing)
    else {
      const names: string[] = []
      for (let i = c.pos + 1; i < closing; i++)
        if (c.types[i] === T.STRING || c.isName(i)) names.push(c.nameAt(i).toLowerCase())
      matching = { kind: 'names', pattern: names.join('\n'), negated: false }
    }
    star = { except: [], replace: [], rename: undefined, matching }
    c.pos = closing + 1
  } else if (c.dialect.name === 'clickhouse') {
    // COLUMNS(a, t.b) names them.
    const names = nameList(c, c.pos - 1)
    const matching: StarPattern = { kind: 'names', pattern: lowered(names).join('\n'), negated: false }
    return { except: [], replace: [], rename: undefined, matching, each: true }
  } else if (columnsLambda(c) > 0) {
    star = { except: [], replace: [], rename: undefined, matching: columnTest(c, columnsLambda(c)) }
  } else {
    const qualified = c.isName(c.pos) && c.peek(1) === T.DOT ? qualifiedStar(c) : 0
    const qualifier = qualified > 0 ? [c.nameAt(c.pos)] : undefined
    star = { qualifier, except: [], replace: [], rename: undefined }
    c.pos = c.closing(c.pos - 1)
  }
  while (!c.at(T.RPAREN) && !c.atEnd()) c.pos++
  c.take(T.RPAREN)
  return { ...star, each: true }
}
