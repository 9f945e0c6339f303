/**
 * Every diagnostic that the engine gives: what it means, how grave it is, and what it takes from the confidence of what
 * it touches. `error`: lineage is missing. `warning`: lineage may be incomplete or ambiguous. `info`: worth knowing.
 */

import type { Severity } from './types.ts'

/** What one code of diagnostic stands for. */
export interface DiagnosticRule {
  readonly severity: Severity
  /** Factor on the confidence of the statement or column it touches. */
  readonly confidence: number
  readonly meaning: string
}

/** By code. */
export const DIAGNOSTIC_RULES = {
  UNKNOWN_DIALECT: {
    severity: 'warning',
    confidence: 1,
    meaning: 'the dialect is not known; the text is read as ansi',
  },
  UNKNOWN_STATEMENT: {
    severity: 'error',
    confidence: 0,
    meaning: 'the statement begins with words that no dialect knows',
  },
  UNKNOWN_OBJECT: { severity: 'error', confidence: 0, meaning: 'no dialect knows this kind of object' },
  MISSING_PART: {
    severity: 'error',
    confidence: 0.5,
    meaning: 'something that the statement needs does not stand where it should',
  },
  SKIPPED_TOKENS: {
    severity: 'warning',
    confidence: 0.7,
    meaning: 'words in the statement were not understood and were stepped over',
  },
  TOO_DEEP: { severity: 'error', confidence: 0, meaning: 'the statement nests deeper than the engine follows' },
  UNTERMINATED_TEXT: { severity: 'error', confidence: 0.5, meaning: 'a string, quoted name or comment does not end' },
  UNBALANCED_PARENTHESES: { severity: 'error', confidence: 0.5, meaning: 'a closing parenthesis is missing' },
  UNFINISHED_BLOCK: { severity: 'warning', confidence: 0.8, meaning: 'a block has no END' },
  UNRESOLVED_COLUMN: { severity: 'warning', confidence: 0.5, meaning: 'no relation in reach has the column' },
  AMBIGUOUS_COLUMN: { severity: 'warning', confidence: 0.4, meaning: 'several relations may own the column' },
  AMBIGUOUS_CASE: {
    severity: 'warning',
    confidence: 0.6,
    meaning: 'several columns match when case is ignored, none exactly',
  },
  UNKNOWN_QUALIFIER: { severity: 'warning', confidence: 0.5, meaning: 'no relation in reach has the qualifier' },
  UNKNOWN_COLUMNS: { severity: 'info', confidence: 0.6, meaning: 'a star reads a table whose columns are not known' },
  ASSUMED_COLUMN: {
    severity: 'info',
    confidence: 0.9,
    meaning: 'the column is taken to belong to the only table in reach, whose columns are not known',
  },
  COLUMN_COUNT: {
    severity: 'warning',
    confidence: 0.6,
    meaning: 'the query gives another number of columns than the target takes',
  },
  SET_OPERATION_WIDTH: {
    severity: 'warning',
    confidence: 0.7,
    meaning: 'the sides of a set operation have different numbers of columns',
  },
  DYNAMIC_SQL: {
    severity: 'warning',
    confidence: 0.5,
    meaning: 'a statement is built at run time; its lineage cannot be told from the text',
  },
  UNKNOWN_NAME: {
    severity: 'warning',
    confidence: 0.5,
    meaning: 'a table is named by a parameter or expression whose value the text does not tell',
  },
  TEMPLATE_HOLE: {
    severity: 'info',
    confidence: 0.8,
    meaning: 'a template expression has no value that the text tells',
  },
  TEMPLATE_SYNTAX: { severity: 'warning', confidence: 0.6, meaning: 'a template tag was not understood' },
  CALLED_ROUTINE: { severity: 'info', confidence: 1, meaning: 'a routine is called whose body is not in the script' },
  FOREIGN_BODY: {
    severity: 'info',
    confidence: 1,
    meaning: 'the body of a routine is in a language that is not SQL; what it reads cannot be told',
  },
  DEPENDS_ON_ROWS: {
    severity: 'info',
    confidence: 0.8,
    meaning: 'the output columns depend on the data (PIVOT over ANY or a subquery)',
  },
  SECOND_OPINION: {
    severity: 'warning',
    confidence: 0.5,
    meaning: 'the second parser draws other edges; the message holds both answers',
  },
  STRICT_SYNTAX: {
    severity: 'info',
    confidence: 1,
    meaning: 'the strict parser does not read this; the tolerant one does, or steps over it',
  },
  TIME_LIMIT: {
    severity: 'error',
    confidence: 0.1,
    meaning: 'the time limit ended the analysis; only a scan of the words for tables is kept',
  },
  MEMORY_LIMIT: {
    severity: 'error',
    confidence: 0.1,
    meaning: 'the memory limit ended the analysis; only a scan of the words for tables is kept',
  },
} as const satisfies Readonly<Record<string, DiagnosticRule>>

/** A key of `DIAGNOSTIC_RULES`. */
export type DiagnosticCode = keyof typeof DIAGNOSTIC_RULES
