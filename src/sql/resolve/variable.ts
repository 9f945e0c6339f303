/** What variables hold: a value, or the row of a cursor or record with columns of its own. */

import type { OutColumn, Resolving } from './model.ts'
import { openColumnNamed } from './open.ts'

/** The value of a variable, or of the field of the row that it holds; undefined when no variable has that name. */
export function variableNamed(r: Resolving, parts: readonly string[]): OutColumn | undefined {
  const variable = r.variables.get(parts[0]!.toLowerCase())
  // A parameter by its routine's name: add_job.id.
  if (!variable) return parts.length === 2 ? r.variables.get(parts.join('.').toLowerCase())?.value : undefined
  const name = parts[1]
  if (name === undefined || !variable.row) return variable.value
  const key = name.toLowerCase()
  const field = variable.row.find((column) => column.key === key && !column.open)
  return field ?? openColumnNamed(r, { columns: variable.row }, name, key) ?? variable.value
}
