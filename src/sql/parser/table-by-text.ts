/** Functions that are told a table or a query as text. */

import type { Relation, TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import type { Core } from './core.ts'
import { FIRST } from './plain-query.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { splitDotted } from './name.ts'

/** Functions that name a table by literal arguments: the places of its parts. */
const TABLES_BY_TEXT: ReadonlyMap<string, readonly number[]> = new Map([
  ['postgres_scan', [1, 2]],
  ['postgres_scan_pushdown', [1, 2]],
  ['sqlite_scan', [1]],
  ['postgresql', [1, 5, 2]],
  ['mysql', [1, 2]],
  ['mongodb', [1, 2]],
  ['query_table', [0]],
  ['dictionary', [0]],
])

const CDC_FUNCTION = /^fn_cdc_get_(?:all|net)_changes_(.+)$/i

/** T-SQL: the changes of a capture instance are rows of its change table, `cdc.<instance>_CT`. */
export function changeTable(parts: readonly string[], start: number, end: number): TableName | undefined {
  const instance = CDC_FUNCTION.exec(parts.at(-1)!)?.[1]
  if (instance === undefined) return undefined
  return { parts: [...parts.slice(0, -1), `${instance}_CT`], start, end, sort: 'table', quoted: 0 }
}

/** `postgresql('host', 'db', 'table', 'user', 'password', 'schema')`: the table db.schema.table, the call read whole. */
export function tableByText(c: Cursor, name: string, open: number): TableName | undefined {
  if (name === 'merge' && c.dialect.name === 'clickhouse') return tablesByPattern(c, open)
  const places = TABLES_BY_TEXT.get(name)
  if (!places) return undefined
  const closing = c.closing(open)
  const texts: string[] = []
  for (let at = open + 1; at < closing; at += 2) {
    if (c.types[at] !== T.STRING) return undefined
    texts.push(stringValue(c.textAt(at)))
  }
  const found = places.map((place) => texts[place]).filter((part) => part !== undefined)
  if (found.length === 0) return undefined
  const parts = found.length === 1 ? splitDotted(found[0]!) : found
  return { parts, start: c.starts[open]!, end: c.ends[closing]!, sort: 'table', quoted: 0 }
}

/** ClickHouse: merge('db', '^orders_'): tables by a pattern of names, which the text does not tell. */
function tablesByPattern(c: Cursor, open: number): TableName | undefined {
  const closing = c.closing(open)
  if (c.types[closing - 1] !== T.STRING) return undefined
  const parts = [stringValue(c.textAt(closing - 1))]
  return { parts, start: c.starts[open]!, end: c.ends[closing]!, sort: 'hole', quoted: 0 }
}

/** Vertica's meta-functions that move rows: the statement that each stands for. */
const PARTITION_MOVES: ReadonlyMap<string, 'exchange' | 'append'> = new Map([
  ['swap_partitions_between_tables', 'exchange'],
  ['move_partitions_to_table', 'append'],
  ['copy_partitions_to_table', 'append'],
])

/** Vertica: SELECT MOVE_PARTITIONS_TO_TABLE('source', 'from', 'to', 'target' [, …]). */
export function parsePartitionMove(c: Cursor): Core | undefined {
  if (c.peek(2) !== T.LPAREN || !c.isName(c.pos + 1)) return undefined
  const kind = PARTITION_MOVES.get(c.nameAt(c.pos + 1).toLowerCase())
  if (!kind) return undefined
  const open = c.pos + 2
  const [source, target] = [open + 1, open + 7].map((at) => nameInText(c, at))
  if (!source || !target) return undefined
  c.pos = c.closing(open) + 1
  return { kind, pairs: [kind === 'append' ? [source, target] : [target, source]] }
}

function nameInText(c: Cursor, at: number): TableName | undefined {
  if (c.types[at] !== T.STRING) return undefined
  const parts = splitDotted(stringValue(c.textAt(at)))
  return { parts, start: c.starts[at]!, end: c.ends[at]!, sort: 'table', quoted: 0 }
}

/** Functions that run a query given as text. */
export const TEXT_QUERIES: ReadonlySet<string> = new Set([
  'openquery',
  'dblink',
  'external_query',
  'query',
  'remote_query',
  'postgres_query',
  'mysql_query',
])

/** A query in a string, run elsewhere. */
export function readTextQuery(c: Cursor, relations: Relation[]): boolean {
  const start = c.start()
  const statement = c.subScript(c.pos)[0]
  if (statement?.kind !== 'query' || statement.query.kind === 'values') return false
  c.pos++
  relations.push({
    kind: 'query',
    query: statement.query,
    lateral: false,
    join: FIRST,
    pivots: [],
    start,
    end: c.end(),
  })
  return true
}
