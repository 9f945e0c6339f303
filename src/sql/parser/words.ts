/** Classes of keywords that decide where an expression, an alias or a clause ends. */

import { FIRST_KEYWORD } from '../lexer/keywords.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'

const STOPS_OPERAND = 1
const NEVER_ALIAS = 2
const SOFT_CLAUSE = 4
const STATEMENT_START = 8
const NEVER_TABLE_ALIAS = 16
const SOFT_TABLE_CLAUSE = 32
const UNIT = 64
const AFTER_ALIAS = 128

const classes = new Uint8Array(1024)

function mark(bit: number, types: readonly number[]): void {
  for (const type of types) classes[type]! |= bit
}

/** Words that no operand begins with, unless a dot or parenthesis makes them a name. */
const CLAUSES = [
  K.FROM,
  K.WHERE,
  K.HAVING,
  K.UNION,
  K.INTERSECT,
  K.EXCEPT,
  K.ON,
  K.AND,
  K.OR,
  K.WHEN,
  K.THEN,
  K.ELSE,
  K.END,
  K.AS,
  K.INTO,
  K.JOIN,
  K.GROUP,
  K.ORDER,
  K.IN,
  K.IS,
  K.BETWEEN,
  K.LIKE,
  K.QUALIFY,
  K.USING,
]
mark(STOPS_OPERAND, CLAUSES)

const JOIN_SIDES = [K.INNER, K.LEFT, K.RIGHT, K.FULL, K.CROSS, K.NATURAL]

/** Clauses that end a list and a FROM alike, whose words are aliases all the same when the list goes on right behind them. */
const SOFT_ENDS = [K.LIMIT, K.FETCH, K.MINUS, K.WINDOW, K.START, K.CONNECT, K.VALUES, K.BULK, K.RETURNING]
/** The same, but behind a table they are never aliases. */
const ENDS = [K.FOR, K.WITH, K.SET, K.LATERAL, K.PREWHERE]

const SOFT_CLAUSES = [...SOFT_ENDS, ...ENDS, K.LEFT, K.RIGHT, K.FULL, K.QUALIFY, K.EXCLUDE, K.OVER]
mark(SOFT_CLAUSE, SOFT_CLAUSES)
mark(NEVER_ALIAS, [...CLAUSES, ...JOIN_SIDES, ...SOFT_CLAUSES, K.SELECT, K.CASE, K.NOT, K.COLLATE])

/** Words that begin a statement wherever they stand: before one of them a semicolon may have been forgotten. */
export const SURE_STARTS: readonly number[] = [
  K.SELECT,
  K.INSERT,
  K.UPDATE,
  K.DELETE,
  K.MERGE,
  K.CREATE,
  K.DROP,
  K.ALTER,
  K.TRUNCATE,
]

mark(STATEMENT_START, [
  ...SURE_STARTS,
  K.DECLARE,
  K.SET,
  K.IF,
  K.WHILE,
  K.BEGIN,
  K.EXEC,
  K.EXECUTE,
  K.PRINT,
  K.RETURN,
  K.RAISERROR,
  K.THROW,
  K.FETCH,
  K.OPEN,
  K.CLOSE,
  K.DEALLOCATE,
  K.COMMIT,
  K.ROLLBACK,
  K.USE,
  K.GRANT,
  K.REVOKE,
  K.DENY,
  K.WAITFOR,
  K.GOTO,
  K.BREAK,
  K.CONTINUE,
  K.WITH,
  K.SAVE,
  K.KILL,
  K.CHECKPOINT,
  K.END,
  K.ELSE,
])

/** Words of tables that may name one when what follows shows that they do. */
const SOFT_TABLE_CLAUSES = [
  ...SOFT_ENDS,
  K.PIVOT,
  K.UNPIVOT,
  K.SAMPLE,
  K.OPTION,
  K.SORT,
  K.CLUSTER,
  K.DISTRIBUTE,
  K.SEMI,
  K.ANTI,
  K.ASOF,
  K.GLOBAL,
  K.ARRAY,
  K.ANY,
  K.ALL,
  K.FINAL,
  K.FORCE,
  K.IGNORE,
  K.PARTITION,
  K.OFFSET,
  K.OUTPUT,
  K.SETTINGS,
  K.FORMAT,
  K.MODEL,
  K.VERSION,
  K.VERSIONS,
  K.LOOP,
  K.HASH,
  K.DO,
  K.MERGE,
  K.DEFAULT,
  K.CHANGES,
  K.AT,
  K.BEFORE,
  K.LOCK,
  K.TIMESTAMP,
  K.APPLY,
  K.CALL,
  K.REPLACE,
  K.ROWS,
  K.IF,
  K.INTERPOLATE,
]
mark(SOFT_TABLE_CLAUSE, SOFT_TABLE_CLAUSES)
mark(NEVER_TABLE_ALIAS, [
  ...CLAUSES.filter((type) => type !== K.IN && type !== K.IS && type !== K.LIKE),
  ...JOIN_SIDES,
  ...ENDS,
  ...SOFT_TABLE_CLAUSES,
  K.SELECT,
  K.NOT,
  K.OUTER,
  K.TABLESAMPLE,
  K.MATCH_RECOGNIZE,
  K.STRAIGHT_JOIN,
  K.USE,
  K.INSERT,
  K.OVERRIDING,
  K.SYSTEM_TIME,
  K.WHILE,
  K.UPDATE,
  K.DELETE,
  K.EXECUTE,
])

mark(UNIT, [
  K.YEAR,
  K.QUARTER,
  K.MONTH,
  K.WEEK,
  K.DAY,
  K.HOUR,
  K.MINUTE,
  K.SECOND,
  K.MILLISECOND,
  K.MICROSECOND,
  K.NANOSECOND,
  K.EPOCH,
  K.DOW,
  K.DOY,
  K.ISODOW,
  K.ISOYEAR,
  K.ISOWEEK,
  K.CENTURY,
  K.DECADE,
  K.MILLENNIUM,
  K.YEARS,
  K.QUARTERS,
  K.MONTHS,
  K.WEEKS,
  K.DAYS,
  K.HOURS,
  K.MINUTES,
  K.SECONDS,
  K.MILLISECONDS,
  K.MICROSECONDS,
  K.NANOSECONDS,
  K.DAYOFWEEK,
  K.DAYOFYEAR,
  K.DAYOFMONTH,
  K.YEAR_MONTH,
  K.DAY_HOUR,
  K.DAY_MINUTE,
  K.DAY_SECOND,
  K.HOUR_MINUTE,
  K.HOUR_SECOND,
  K.MINUTE_SECOND,
  K.DAY_MICROSECOND,
  K.TIMEZONE,
  K.TIMEZONE_HOUR,
  K.TIMEZONE_MINUTE,
  K.DATE,
  K.TIME,
])

/** What can stand right behind an alias, and not behind the first word of a clause. */
mark(AFTER_ALIAS, [
  T.EOF,
  T.COMMA,
  T.RPAREN,
  T.SEMICOLON,
  T.BATCH,
  K.FROM,
  K.WHERE,
  K.INTO,
  K.GROUP,
  K.ORDER,
  K.HAVING,
  K.UNION,
  K.INTERSECT,
  K.EXCEPT,
  K.ON,
  K.USING,
  K.JOIN,
  ...JOIN_SIDES,
  K.LIMIT,
  K.SET,
  K.QUALIFY,
])

export const stopsOperand = (type: number): boolean => (classes[type]! & STOPS_OPERAND) !== 0
export const neverAlias = (type: number): boolean => (classes[type]! & NEVER_ALIAS) !== 0
export const softClause = (type: number): boolean => (classes[type]! & SOFT_CLAUSE) !== 0
export const startsStatement = (type: number): boolean => (classes[type]! & STATEMENT_START) !== 0
export const neverTableAlias = (type: number): boolean => (classes[type]! & NEVER_TABLE_ALIAS) !== 0
export const softTableClause = (type: number): boolean => (classes[type]! & SOFT_TABLE_CLAUSE) !== 0
export const isUnit = (type: number): boolean => (classes[type]! & UNIT) !== 0
export const followsAlias = (type: number): boolean => (classes[type]! & AFTER_ALIAS) !== 0
export const isKeyword = (type: number): boolean => type >= FIRST_KEYWORD
