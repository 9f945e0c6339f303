/** USE: the defaults of the names that follow. */

import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseTableName } from './name.ts'
import { stepOver } from './step-over-statement.ts'

/** USE [CATALOG | DATABASE | SCHEMA | WAREHOUSE | ROLE] name[.name]. */
export function parseUse(c: Cursor): Core {
  c.pos++
  const type = c.type
  if ((type === K.WAREHOUSE || type === K.ROLE || type === K.SECONDARY) && c.isName(c.pos + 1)) return stepOver(c)
  const scoped =
    (type === K.CATALOG || type === K.DATABASE || type === K.SCHEMA) &&
    (c.isName(c.pos + 1) || c.peek(1) === T.PARAM || c.peek(1) === K.IDENTIFIER)
  if (scoped) c.pos++
  const name = parseTableName(c)
  if (!name || name.sort === 'hole') {
    if (!c.dialect.looseStatements) while (!c.atEnd()) c.pos++
    return command('use')
  }
  const [first, second] = name.parts
  if (second !== undefined) return { kind: 'use', database: first, schema: second }
  const schemaOnly = scoped ? type === K.SCHEMA || (type === K.DATABASE && isSchema(c)) : usesSchema(c)
  return schemaOnly ? { kind: 'use', schema: first } : { kind: 'use', database: first }
}

/** Teradata: DATABASE name. */
export function parseDefaultDatabase(c: Cursor): Core {
  if (c.dialect.name !== 'teradata' || !c.isName(c.pos + 1)) return stepOver(c)
  c.pos += 2
  return { kind: 'use', schema: c.nameAt(c.pos - 1) }
}

/** Dialects whose USE names what stands right before the table. */
function usesSchema(c: Cursor): boolean {
  const name = c.dialect.name
  return !(name === 'snowflake' || name === 'tsql' || name === 'redshift' || name === 'ansi')
}

/** Dialects in which DATABASE is another word for SCHEMA, below a catalog. */
function isSchema(c: Cursor): boolean {
  return c.dialect.name === 'databricks' || c.dialect.name === 'spark'
}
