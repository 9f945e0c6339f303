import type { LineageRequest } from './request.ts'

/**
 * Requests with the same key have the same lineage. Literals that are compared, listed or counted are generalised, for
 * query logs repeat with other values; every other literal stays, since it may name a file, a column or a table. A text
 * with a backslash is taken as it is: where its strings end depends on the dialect.
 */
export function dedupeKey({ sql, options, schemas }: LineageRequest): string {
  const texts = typeof sql === 'string' ? [sql] : sql
  const known = schemas === undefined ? '' : schemaNumber(schemas)
  return `${JSON.stringify(options)}\u0000${known}\u0000${texts.map(generalise).join('\u0000')}`
}

const TOKEN = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\b\d+(?:\.\d+)?\b|[\p{L}\p{N}_$]+|\s+|[^]/gu

/** Words and signs behind which a literal is a value and nothing else. */
const BEFORE_VALUE = new Set(['=', '<', '>', 'like', 'between', 'and', 'limit', 'offset', 'in'])

function generalise(text: string): string {
  if (text.includes('\\') || text.includes('$$')) return text
  let out = ''
  let before = ''
  let inList = false
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^(\s|--|\/\*)/.test(token)) {
      out += token
      continue
    }
    const isValue: boolean = (BEFORE_VALUE.has(before) || inList) && /^['\d]/.test(token)
    out += isValue ? '?' : token
    inList = (before === 'in' && token === '(') || (inList && (isValue || token === ','))
    before = token.toLowerCase()
  }
  return out
}

const numbers = new WeakMap<object, string>()
let nextNumber = 0

/** Schemas are compared by identity: callers hand the same object in for a whole batch. */
function schemaNumber(schemas: object): string {
  const known = numbers.get(schemas)
  if (known !== undefined) return known
  const number = String(nextNumber++)
  numbers.set(schemas, number)
  return number
}
