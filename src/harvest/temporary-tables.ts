/** Tables that are temporary by their names, as the `temp_table_patterns` of the `sql-queries` source say. */
import { DecodeError } from '../model/errors.ts'
import { qualifiedName, type NameRules } from './naming.ts'

/**
 * @param patterns regular expressions, tried from the start of the full name (`database.schema.table`), whatever the case
 * @throws DecodeError for a pattern that is none
 */
export function temporaryTables(patterns: readonly string[]): (table: string, rules: NameRules) => boolean {
  const compiled = patterns.map((pattern) => compile(pattern))
  if (compiled.length === 0) return () => false
  return (table, rules) => {
    const name = qualifiedName(table.replaceAll(/["`[\]]/g, ''), rules)
    return compiled.some((pattern) => pattern.test(name))
  }
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})`, 'i')
  } catch (cause) {
    throw new DecodeError(`${JSON.stringify(pattern)} is no regular expression`, { path: 'temporary' }, { cause })
  }
}
