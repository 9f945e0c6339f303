/** Which tables a statement counts as read, beyond those that its text reads. */

import type { Statement } from '../ir/statement.ts'
import type { Gathered } from '../resolve/model.ts'
import type { Effect } from '../resolve/target.ts'
import type { Profile } from '../types.ts'
import type { SessionTables } from './tables.ts'

/** A value that came through a variable was read from its table. */
export function readThroughVariables(gathered: Gathered, effect: Effect, tables: SessionTables): void {
  for (const { target, sources } of effect.edges) {
    if (!target) continue
    for (const { column } of sources)
      if (column.table && !gathered.outputs.has(column.table) && !tables.isFolded(column.table))
        gathered.inputs.add(column.table)
  }
}

/** A target counts as an input by the profile's rule. */
export function countOwnTarget(statement: Statement, gathered: Gathered, effect: Effect, profile: Profile): void {
  if (profile !== 'datahub' || statement.kind === 'update' || statement.kind === 'rename' || statement.kind === 'swap')
    return
  if (statement.kind === 'exchange') return
  for (const table of gathered.outputs) if (!gathered.updated.has(table)) gathered.inputs.delete(table)
  // Rows that RETURNING or OUTPUT hands on to another table were read.
  if (gathered.outputs.size < 2) return
  for (const { target, sources } of effect.edges) {
    for (const { column } of sources)
      if (target && column.table && column.table !== target && gathered.outputs.has(column.table))
        gathered.inputs.add(column.table)
  }
}

/** Reading a temporary table is reading what is behind it. */
export function foldInputs(gathered: Gathered, effect: Effect, tables: SessionTables): void {
  for (const one of effect.edges)
    if (one.target && tables.isTemporary(one.target)) tables.feedInputs(one.target, gathered.inputs)
  for (const defined of effect.defined)
    if (tables.isTemporary(defined.table)) tables.feedInputs(defined.table, gathered.inputs)
}
