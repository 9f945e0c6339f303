/** What statements do to the names and columns of tables, apart from lineage: DROP, ALTER, RENAME, SWAP, EXCHANGE. */

import type { NamedStatement, Statement } from '../ir/statement.ts'
import { edge } from '../resolve/edges.ts'
import { KIND, type Gathered, type Table } from '../resolve/model.ts'
import { openColumn } from '../resolve/sources.ts'
import type { StatementResolving } from '../resolve/target.ts'
import type { Profile } from '../types.ts'
import type { SessionTables } from './tables.ts'

/** DROP, TRUNCATE, ALTER, RENAME, SWAP: what they do to names. */
export function restructure(statement: Statement, r: StatementResolving, tables: SessionTables): void {
  const { gathered, profile } = r
  switch (statement.kind) {
    case 'drop':
    case 'truncate':
    case 'alter':
      return touch(statement, gathered, tables, profile)
    case 'rename':
    case 'swap':
      for (const [from, to] of statement.pairs) {
        const left = tables.find(from)
        if (statement.kind === 'swap') {
          const right = tables.find(to)
          if (profile === 'openlineage')
            for (const table of [left, right]) {
              gathered.inputs.add(table)
              gathered.outputs.add(table)
            }
          else {
            tables.swap(left, right)
            // Under their new names; counts only where nothing else touches them.
            if (profile === 'sqllineage') {
              gathered.inputs.add(left)
              gathered.outputs.add(right)
            }
          }
        } else if (profile === 'openlineage') {
          gathered.inputs.add(left)
          gathered.outputs.add(tables.find(to))
        } else tables.rename(left, to)
      }
      return
    case 'append':
    case 'exchange':
      for (const [from, to] of statement.pairs) {
        const source = tables.find(from)
        const target = tables.find(to)
        const pairs = pairsOf(statement.kind, source, target, profile)
        for (const [left, right] of pairs) {
          gathered.inputs.add(left)
          gathered.outputs.add(right)
          for (const column of left.columns ?? [openColumn([{ table: left, except: undefined, kind: KIND.identity }])])
            r.effect.edges.push(edge(right, column.name, column))
        }
      }
      return
    default:
  }
}

/** From, to. By sqllineage's rules an exchange fills the table that is altered. */
function pairsOf(
  kind: 'append' | 'exchange',
  source: Table,
  target: Table,
  profile: Profile,
): readonly (readonly [Table, Table])[] {
  if (kind === 'append') return [[source, target]]
  return profile === 'sqllineage'
    ? [[target, source]]
    : [
        [source, target],
        [target, source],
      ]
}

function touch(statement: NamedStatement, gathered: Gathered, tables: SessionTables, profile: Profile): void {
  for (const name of statement.names) {
    if (name.sort === 'hole') continue
    const table = tables.find(name)
    if (profile !== 'sqllineage') gathered.outputs.add(table)
    if (statement.kind === 'drop') tables.drop(table)
    else if (statement.kind === 'alter')
      tables.alter(
        table,
        statement.added.map((column) => column.name),
        statement.dropped,
        statement.renamed,
      )
  }
}
