/**
 * Columns of the functions that make rows in a SELECT list, in Spark, Databricks and Hive: their names are the
 * function's, not the expression's text.
 */
import type { Expression, Item } from '../ir/expression.ts'
import { withoutComments } from '../ir/comment.ts'
import type { Resolving } from './model.ts'

const DIALECTS: ReadonlySet<string> = new Set(['spark', 'databricks', 'hive'])

/** The text of an item without comments. */
export function codeOf(r: Resolving, { expression }: Pick<Item, 'expression'>): string {
  return withoutComments(r.text.slice(expression.start, expression.end))
}

const CALL = /^(\w+)\s*\(([^]*)\)\s*$/

/** The names of an item's columns; undefined where it is no such call, or its names depend on a type. */
export function generatedNames(r: Resolving, item: Item): readonly string[] | undefined {
  if (!DIALECTS.has(r.dialect.name) || item.alias !== undefined || item.expression.form !== 'other') return undefined
  const call = CALL.exec(codeOf(r, item))
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

/** How many columns stack(rows, …) makes of its arguments, the number of rows among them; 0 where it is not a number. */
export function stackWidth(rows: string, args: number): number {
  const count = Number(rows.trim())
  return Number.isInteger(count) && count > 0 ? Math.ceil((args - 1) / count) : 0
}

/** Column `index` of such a call where it comes from a part of the arguments only: that part, or undefined for all. */
export function generatedPart(r: Resolving, item: Item, index: number): Expression | undefined {
  const { expression } = item
  const call = DIALECTS.has(r.dialect.name) ? CALL.exec(codeOf(r, item)) : null
  const [, name = '', args = ''] = call ?? []
  const nothing = { ...expression, references: [], queries: [], stars: [], windows: [], form: 'other' } as const
  if (/^posexplode(?:_outer)?$/i.test(name)) return index === 0 ? nothing : undefined
  const count = name.toLowerCase() === 'stack' ? countArguments(args) : 0
  const width = count > 0 ? stackWidth(args.slice(0, args.indexOf(',')), count) : 0
  if (width === 0) return undefined
  const from = expression.start + codeOf(r, item).indexOf('(') + 1
  const belongs = ({ start }: { readonly start: number }): boolean => {
    const place = countArguments(args.slice(0, start - from)) - 2
    return place >= 0 && place % width === index
  }
  const references = expression.references.filter(belongs)
  return { ...nothing, references, queries: expression.queries.filter(({ query }) => belongs(query)) }
}

/** What such a function calls the column of its rows in FROM, whatever the alias of the relation. */
export function rowColumn(r: Resolving, name: string): string | undefined {
  if (!DIALECTS.has(r.dialect.name)) return undefined
  return name === 'range' ? 'id' : name.startsWith('explode') ? 'col' : undefined
}
