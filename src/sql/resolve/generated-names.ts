/**
 * Columns of the functions that make rows in a SELECT list, in Spark, Databricks and Hive: their names are the
 * function's, not the expression's text.
 */
import type { Item } from '../ir/expression.ts'
import type { Resolving } from './model.ts'

const DIALECTS: ReadonlySet<string> = new Set(['spark', 'databricks', 'hive'])

const CALL = /^(\w+)\s*\(([^]*)\)\s*$/

/** The names of an item's columns; undefined where it is no such call, or its names depend on a type. */
export function generatedNames(r: Resolving, item: Item): readonly string[] | undefined {
  if (!DIALECTS.has(r.dialect.name) || item.alias !== undefined || item.expression.form !== 'other') return undefined
  const call = CALL.exec(r.text.slice(item.expression.start, item.expression.end))
  if (call === null) return undefined
  const [, name = '', args = ''] = call
  switch (name.toLowerCase()) {
    case 'explode':
    case 'explode_outer':
      return /^\s*map\s*\(/i.test(args) ? ['key', 'value'] : ['col']
    case 'posexplode':
    case 'posexplode_outer':
      return ['pos', r.dialect.name === 'hive' ? 'val' : 'col']
    case 'json_tuple':
    case 'parse_url_tuple':
      return numbered('c', countArguments(args) - 1)
    case 'stack':
      return numbered('col', Math.ceil((countArguments(args) - 1) / Number.parseInt(args, 10)))
    default:
      return undefined
  }
}

function numbered(prefix: string, count: number): readonly string[] | undefined {
  return count >= 1 && count <= 1000 ? Array.from({ length: count }, (_, i) => `${prefix}${i}`) : undefined
}

const PART = /'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^])*"|`[^`]*`|[(),[\]{}]/g

function countArguments(text: string): number {
  let depth = 0
  let count = 1
  for (const [part] of text.matchAll(PART)) {
    if ('([{'.includes(part)) depth++
    else if (')]}'.includes(part)) depth--
    else if (part === ',' && depth === 0) count++
    // `f(a) + g(b)` is no call of f.
    if (depth < 0) return 0
  }
  return count
}

/** What such a function calls the column of its rows in FROM, whatever the alias of the relation. */
export function rowColumn(r: Resolving, name: string): string | undefined {
  if (!DIALECTS.has(r.dialect.name)) return undefined
  return name === 'range' ? 'id' : name.startsWith('explode') ? 'col' : undefined
}
