/** A text into statements: lexes, then reads one statement after the other. A statement that fails does not end it. */

import type { Dialect } from '../dialects/dialect.ts'
import type { ParseNote, Script, Statement } from '../ir/statement.ts'
import { fingerprint } from '../lexer/fingerprint.ts'
import { lex } from '../lexer/lexer.ts'
import { releaseTokens, T, type Tokens } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { filesAfter, NO_FILES, withFiles } from './client-files.ts'
import { Cursor, type Rules, TooDeepError } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { parseColumnsCall } from './item.ts'
import { LoadTasks } from './load-tasks.ts'
import { scanOperand } from './operand.ts'
import { parseQuery } from './query.ts'
import { parseWith } from './with.ts'
import { parseRelations } from './relation.ts'
import { parseStatement } from './statement.ts'

const RULES: Rules = {
  query: parseQuery,
  expression: scanExpression,
  operand: scanOperand,
  relations: parseRelations,
  statement: parseStatement,
  columnsCall: parseColumnsCall,
  ctes: parseWith,
  textBody: parseTextBody,
  textAt: parseTextAt,
}

/** Parses a text of one or more statements. */
export function parseText(text: string, dialect: Dialect): Script {
  const tokens = lex(text, dialect)
  try {
    const statements = parseTokens(tokens, dialect, false)
    addLexErrors(tokens, statements)
    return { text, statements }
  } finally {
    releaseTokens(tokens)
  }
}

function parseTokens(tokens: Tokens, dialect: Dialect, inBody: boolean): Statement[] {
  const c = new Cursor(tokens, dialect, RULES)
  c.inBody = inBody
  const statements: Statement[] = []
  let files = NO_FILES
  const tasks = dialect.client === 'bteq' ? new LoadTasks() : undefined
  while (c.type !== T.EOF) {
    if (c.at(T.SEMICOLON) || c.at(T.BATCH)) {
      if (c.lengthAt(c.pos) === 1) c.flow = []
      c.pos++
      continue
    }
    const first = c.pos
    const using = c.at(K.USING)
    const statement = withFiles(parseGuarded(c), using, files, c.text)
    files = filesAfter(c, files, statement)
    if (c.pos === first) c.pos++
    statements.push(c.at(T.RPAREN) ? withStray(c, statement) : statement)
    tasks?.follow(c.text, statements)
    const given = statement.kind === 'query' ? statement.query : undefined
    c.flow.push(given)
    if (c.dialect.name === 'snowflake') c.results.push(given)
  }
  return statements
}

/** Closing parentheses that no rule wanted must not be read as a statement of their own: they count as stepped over. */
function withStray(c: Cursor, statement: Statement): Statement {
  c.notes = []
  c.skipped = 0
  while (c.at(T.RPAREN)) c.skip()
  return { ...statement, skipped: statement.skipped + c.skipped, notes: [...statement.notes, ...c.notes] }
}

/** One statement; nesting too deep becomes a diagnostic, and reading goes on behind its semicolon. */
function parseGuarded(c: Cursor): Statement {
  const first = c.pos
  const start = c.start()
  try {
    c.depth = 0
    return parseStatement(c)
  } catch (error) {
    if (!(error instanceof TooDeepError) && !(error instanceof RangeError)) throw error
    c.depth = 0
    c.skipped = 0
    c.notes = []
    c.pos = first
    while (!c.atEnd()) c.pos++
    const notes: ParseNote[] = [{ code: 'TOO_DEEP', start }]
    return {
      kind: 'other',
      word: '',
      expressions: [],
      start,
      end: c.end(),
      skipped: c.pos - first,
      notes,
      fingerprint: fingerprint(c, first, c.pos),
    }
  }
}

/** Statements inside a string token: a routine's body, dynamic SQL. Offsets stay those of the outer text. */
function parseTextBody(
  c: Cursor,
  index: number,
  read?: (body: string) => string | undefined,
  last = index,
): Statement[] {
  const start = c.starts[index]!
  const end = c.ends[last]!
  const raw = c.text.slice(start, end)
  const quoteAt = raw.startsWith('$') ? 0 : raw.search(/['"]/)
  const quotes = raw.startsWith(raw[quoteAt]!.repeat(3), quoteAt) && raw.length >= quoteAt + 6 ? 3 : 1
  const open = raw.startsWith('$') ? raw.indexOf('$', 1) + 1 : quoteAt + quotes
  const close = raw.startsWith('$') ? open : quotes
  // Doubled quotes keep their width, so that offsets stay true.
  const body = raw.startsWith('$')
    ? raw.slice(open, raw.length - close).replace(COMPILER_OPTIONS, blank)
    : withoutEscapes(raw.slice(open, raw.length - close), c.dialect)
  const inner = read ? read(body) : body
  return inner === undefined ? [] : parseTextAt(c, start + open, inner)
}

function parseTextAt(c: Cursor, shift: number, inner: string): Statement[] {
  const tokens = lex(inner, c.dialect)
  for (let i = 0; i < tokens.count + 4; i++) {
    tokens.starts[i]! += shift
    tokens.ends[i]! += shift
  }
  tokens.text = c.text.slice(0, shift) + inner + c.text.slice(shift + inner.length)
  try {
    return parseTokens(tokens, c.dialect, true)
  } finally {
    releaseTokens(tokens)
  }
}

function withoutEscapes(text: string, { backslashEscapes }: Dialect): string {
  const doubled = text.replaceAll("''", " '")
  return backslashEscapes ? doubled.replaceAll(String.raw`\'`, " '") : doubled
}

/** PL/pgSQL: `#variable_conflict use_column` and its kin stand in front of a body. */
const COMPILER_OPTIONS = /^(?:\s*#\w+[^\n]*\n)+/

function blank(text: string): string {
  return ' '.repeat(text.length)
}

function addLexErrors(tokens: Tokens, statements: Statement[]): void {
  for (const error of tokens.errors) {
    const at = statements.findLastIndex((statement) => statement.start <= error.start)
    const statement = statements[Math.max(0, at)]
    if (!statement) continue
    statements[Math.max(0, at)] = {
      ...statement,
      notes: [...statement.notes, { code: 'UNTERMINATED_TEXT', start: error.start, text: error.what }],
    }
  }
}
