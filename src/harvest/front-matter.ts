/**
 * What a file of SQL says of itself in a comment at its head, before any other word:
 *
 *     -- headwater: platform=snowflake database=dwh schema=mart
 */
import { didYouMean } from '../model/near.ts'
import { FABRICS } from '../model/urn.ts'
import { CASINGS, DIALECTS, type NamingDefaults } from './naming.ts'

/** Keys, with the values that they may have; any text where undefined. */
const KEYS: Readonly<Record<string, readonly string[] | undefined>> = {
  platform: undefined,
  instance: undefined,
  env: FABRICS,
  dialect: DIALECTS,
  database: undefined,
  schema: undefined,
  casing: CASINGS,
}

export type FrontMatter =
  | { readonly kind: 'read'; readonly says: NamingDefaults }
  | { readonly kind: 'wrong'; readonly line: number; readonly message: string }

const MARK = /^\s*(?:--|#|\/?\*+)\s*headwater:\s*(.*?)\s*(?:\*\/)?\s*$/i
const COMMENT = /^\s*(?:--|#|\/\*|\*|$)/
const LINES_READ = 30

/** The comment lines at the head of a text; nothing said where none of them begins with `headwater:`. */
export function readFrontMatter(sql: string): FrontMatter {
  const says: Record<string, string> = {}
  for (const [at, line] of sql.slice(0, 8000).split('\n', LINES_READ).entries()) {
    if (!COMMENT.test(line)) break
    for (const pair of (MARK.exec(line)?.[1] ?? '').split(/\s+/).filter((word) => word !== '')) {
      const problem = problemOf(pair)
      if (problem !== undefined) return { kind: 'wrong', line: at + 1, message: problem }
      const [key, value] = splitPair(pair)
      says[key] = value
    }
  }
  return { kind: 'read', says }
}

function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)]
}

function problemOf(pair: string): string | undefined {
  const [key, value] = splitPair(pair)
  if (!Object.hasOwn(KEYS, key)) return `unknown key ${JSON.stringify(key)}${didYouMean(key, Object.keys(KEYS))}`
  if (value === '') return `${key} has no value: write ${key}=…`
  const allowed = KEYS[key]
  if (allowed === undefined || allowed.includes(value)) return undefined
  return `${key}: ${JSON.stringify(value)} is not one of ${allowed.join(', ')}${didYouMean(value, allowed)}`
}
