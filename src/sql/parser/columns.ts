/** Column definitions of CREATE TABLE and its kin: what they teach about a schema. */

import type { TableName } from '../ir/query.ts'
import type { ColumnDefinition } from '../ir/statement.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { isLineOfStatement } from './command-end.ts'
import { parseExpression } from './expression.ts'
import { parseTableName } from './name.ts'
import { scanType } from './type.ts'

export interface ReadColumns {
  readonly columns: ColumnDefinition[]
  /** Tables of LIKE clauses among the columns. */
  readonly like: TableName[]
}

/** With the cursor on `(`: the definitions up to the closing parenthesis. */
export function parseColumnDefinitions(c: Cursor): ReadColumns {
  c.pos++
  const columns: ColumnDefinition[] = []
  const like: TableName[] = []
  const keys = new Set<string>()
  while (!c.at(T.RPAREN) && !c.atEnd()) {
    const before = c.pos
    if (c.at(K.LIKE) && c.isName(c.pos + 1)) {
      c.pos++
      const name = parseTableName(c)
      if (name) like.push(name)
      stepToComma(c)
    } else if (isConstraint(c)) {
      const period = derivedPeriod(c)
      if (period) columns.push(period)
      readConstraint(c, keys)
    } else {
      const column = parseColumnDefinition(c)
      if (column) columns.push(column)
    }
    if (c.take(T.COMMA)) {
      if (c.at(T.COMMA) || (c.at(T.RPAREN) && !c.dialect.trailingCommas)) c.missing('a column')
    } else if (c.pos === before) c.skip()
  }
  if (columns.length === 0 && c.types[c.pos - 1] === T.LPAREN && c.dialect.unnamed !== 'postgres') c.missing('a column')
  c.closeParen()
  return {
    columns:
      keys.size === 0
        ? columns
        : columns.map((column) =>
            keys.has(column.name.toLowerCase()) ? { ...column, primaryKey: true, nullable: false } : column,
          ),
    like,
  }
}

function isConstraint(c: Cursor): boolean {
  const next = c.peek(1)
  switch (c.type) {
    case K.CONSTRAINT:
      return c.isName(c.pos + 1)
    case K.PRIMARY:
    case K.FOREIGN:
      return next === K.KEY
    case K.UNIQUE:
      return (
        next === T.LPAREN ||
        next === K.KEY ||
        next === K.INDEX ||
        next === K.CLUSTERED ||
        next === K.NONCLUSTERED ||
        (c.isName(c.pos + 1) && c.peek(2) === T.LPAREN && c.peek(3) !== T.NUMBER)
      )
    case K.CHECK:
    case K.EXCLUDE:
      return next === T.LPAREN || next === K.USING
    case K.INDEX:
    case K.KEY:
      return (
        next === T.LPAREN ||
        (c.isName(c.pos + 1) &&
          ((c.peek(2) === T.LPAREN && c.peek(3) !== T.NUMBER) ||
            c.peek(2) === K.USING ||
            c.peek(2) === K.ON ||
            c.peek(2) === T.WORD ||
            c.peek(2) === K.NONCLUSTERED ||
            c.peek(2) === K.CLUSTERED ||
            c.peek(2) === K.TYPE))
      )
    case K.FULLTEXT:
    case K.SPATIAL:
      return next === K.INDEX || next === K.KEY || (c.isName(c.pos + 1) && c.peek(2) === T.LPAREN)
    case K.PERIOD:
      // Db2: PERIOD BUSINESS_TIME (a, b).
      return next === K.FOR || (c.isName(c.pos + 1) && c.peek(2) === T.LPAREN && c.isName(c.pos + 3))
    case K.WATERMARK:
      return next === K.FOR
    case K.PROJECTION:
      return c.isName(c.pos + 1) && (c.peek(2) === T.LPAREN || c.peek(2) === K.INDEX)
    case K.PARTITION:
    case K.DISTRIBUTE:
      return next === K.BY
    default:
      return false
  }
}

function readConstraint(c: Cursor, keys: Set<string>): void {
  let primary = false
  while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(K.PRIMARY)) primary = true
    if (c.at(T.LPAREN)) {
      if (primary) {
        const closing = c.closing(c.pos)
        for (let i = c.pos + 1; i < closing; i++)
          if (c.isName(i) && (c.types[i - 1] === T.LPAREN || c.types[i - 1] === T.COMMA))
            keys.add(c.nameAt(i).toLowerCase())
        primary = false
      }
      c.stepOverParens()
    } else c.pos++
  }
}

/** Teradata: PERIOD FOR valid (since, until), a column of the two that only its name gives. */
function derivedPeriod(c: Cursor): ColumnDefinition | undefined {
  if (c.dialect.name !== 'teradata' || !c.at(K.PERIOD) || !c.isName(c.pos + 2) || c.peek(3) !== T.LPAREN)
    return undefined
  const before = c.pos
  c.pos += 2
  const name = c.nameAt(c.pos++)
  const generated = parseExpression(c)
  c.pos = before
  return { name, generated, hidden: true }
}

function stepToComma(c: Cursor): void {
  while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd()) {
    if (c.at(T.LPAREN)) c.stepOverParens()
    else c.pos++
  }
}

/** Dialects in which a default may be computed from other columns. */
const COMPUTED_DEFAULTS: ReadonlySet<string> = new Set(['vertica', 'clickhouse'])

/** `name type NOT NULL PRIMARY KEY COMMENT 'x'`, up to the comma. */
export function parseColumnDefinition(c: Cursor): ColumnDefinition | undefined {
  if (!c.isName(c.pos) && !c.at(T.STRING)) {
    stepToComma(c)
    return undefined
  }
  const name = c.nameAt(c.pos)
  c.pos++
  while (c.at(T.DOT) && c.isName(c.pos + 1)) c.pos += 2
  let type: string | undefined
  // Spark struct fields: `name: type`.
  c.take(T.COLON)
  if (isTypeAhead(c)) {
    const start = c.start()
    type = c.text.slice(start, scanType(c))
  }
  let nullable: boolean | undefined
  let primaryKey: boolean | undefined
  let comment: string | undefined
  let generated: ColumnDefinition['generated']
  let hidden: true | undefined
  while (!c.at(T.COMMA) && !c.at(T.RPAREN) && !c.atEnd() && !isNextStatement(c)) {
    const next = c.peek(1)
    if (c.at(K.NOT) && next === K.NULL) {
      nullable = false
      c.pos += 2
    } else if (c.at(K.PRIMARY) && next === K.KEY) {
      primaryKey = true
      nullable = false
      c.pos += 2
    } else if (c.at(K.COMMENT) && next === T.STRING) {
      comment = stringValue(c.textAt(c.pos + 1))
      c.pos += 2
    } else if (c.at(K.AS) && !isFilledByDatabase(c)) {
      c.pos++
      generated = parseExpression(c)
    } else if (c.dialect.name === 'clickhouse' && (c.at(K.MATERIALIZED) || c.isWord(c.pos, 'alias'))) {
      c.pos++
      generated = parseExpression(c)
      hidden = true
    } else if (isHiding(c)) {
      c.pos++
      hidden = true
    } else if ((c.at(K.DEFAULT) && c.types[c.pos - 1] !== K.BY) || (c.at(K.SET) && next === K.USING)) {
      c.pos++
      // Oracle: DEFAULT ON NULL [FOR INSERT ONLY] value.
      if (c.take2(K.ON, K.NULL)) while (c.at(K.FOR) || c.at(K.INSERT) || c.at(K.AND) || c.at(K.UPDATE)) c.pos++
      if (c.isWord(c.pos, 'only')) c.pos++
      if (c.take(K.USING)) generated = parseExpression(c)
      else {
        const value = parseExpression(c)
        if (value.references.length > 0 && COMPUTED_DEFAULTS.has(c.dialect.name)) generated = value
      }
    } else if (c.at(T.LPAREN) || c.at(T.LBRACKET)) c.stepOverParens()
    else c.pos++
  }
  return { name, type, nullable, primaryKey, comment, generated, ...(hidden && { hidden }) }
}

/** MySQL, MariaDB, Oracle: INVISIBLE. T-SQL, Db2: HIDDEN. ClickHouse: EPHEMERAL. */
function isHiding(c: Cursor): boolean {
  return c.isWord(c.pos, 'invisible') || c.isWord(c.pos, 'hidden') || c.isWord(c.pos, 'ephemeral')
}

/** GENERATED ALWAYS AS IDENTITY, AS ROW START, AS TRANSACTION START ID, AS SECURITY LABEL. */
function isFilledByDatabase(c: Cursor): boolean {
  const next = c.peek(1)
  return next === K.IDENTITY || next === K.ROW || next === K.TRANSACTION || next === K.SECURITY || !c.isName(c.pos + 1)
    ? next !== T.LPAREN
    : false
}

/** T-SQL: ALTER TABLE t ADD c int, and the next statement on the next line. */
function isNextStatement(c: Cursor): boolean {
  const before = c.types[c.pos - 1]
  return c.dialect.looseStatements && isLineOfStatement(c) && before !== K.ON && before !== K.ROW
}

function isTypeAhead(c: Cursor): boolean {
  const type = c.type
  if (
    type === K.COMMENT ||
    type === K.NOT ||
    type === K.PRIMARY ||
    type === K.AS ||
    type === K.WITH ||
    type === K.DEFAULT ||
    type === K.OPTIONS ||
    type === K.MASKING ||
    type === K.UNIQUE ||
    type === K.GENERATED ||
    type === K.REFERENCES ||
    type === K.CHECK ||
    type === K.TAG
  )
    return false
  return c.isName(c.pos) || type === T.HOLE || type === T.PARAM
}
