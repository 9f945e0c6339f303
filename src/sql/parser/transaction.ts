/** BEGIN of a transaction, against BEGIN of a block. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Cursor } from './cursor.ts'

/** BEGIN; BEGIN TRAN; BEGIN WORK; BEGIN ISOLATION …. */
export function isTransaction(c: Cursor): boolean {
  const next = c.peek(1)
  return (
    next === T.SEMICOLON ||
    next === T.EOF ||
    next === K.TRANSACTION ||
    next === K.TRAN ||
    c.isWord(c.pos + 1, 'conversation') ||
    (c.isWord(c.pos + 1, 'name') && c.dialect.name === 'snowflake') ||
    c.isWord(c.pos + 1, 'dialog') ||
    next === K.WORK ||
    (next === K.WITH && c.isWord(c.pos + 2, 'label')) ||
    next === K.ISOLATION ||
    // Teradata: BEGIN LOADING t ERRORFILES e1, e2 of FastLoad; BEGIN EXPORT of FastExport.
    (c.dialect.name === 'teradata' && (c.isWord(c.pos + 1, 'loading') || next === K.EXPORT)) ||
    next === K.READ ||
    next === T.BATCH ||
    c.isWord(c.pos + 1, 'distributed') ||
    next === K.DEFERRED ||
    next === K.IMMEDIATE ||
    c.isWord(c.pos + 1, 'exclusive')
  )
}
