/**
 * Patterns of paths in a naming file: `*` and `?` within one step of the path, `**` over any number of steps, and
 * placeholders that say what a step means: `{database}/{schema}/*.sql`. A path without any of these is a beginning.
 */
import { DecodeError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'

/** What a path can tell. */
const PLACEHOLDERS = ['platform', 'instance', 'env', 'database', 'schema'] as const
export type PathParts = { readonly [name in (typeof PLACEHOLDERS)[number]]?: string }

/** What the path tells where it fits; undefined where it does not. */
export type PathPattern = (path: string) => PathParts | undefined

/** @throws DecodeError for a placeholder that means nothing */
export function pathPattern(text: string): PathPattern {
  const pattern = text.replace(/^\.\//, '')
  if (!/[*?{]/.test(pattern)) return (path) => (path.startsWith(pattern) ? {} : undefined)
  const shape = new RegExp(`^${pattern.replaceAll(/\*\*\/|\*\*|\*|\?|\{[^}]*\}?|[^*?{]+/g, pieceOf)}$`)
  return (path) => shape.exec(path)?.groups ?? (shape.test(path) ? {} : undefined)
}

/** Whether a path fits one of several patterns, is one of several files or lies below one of several folders. */
export function fitsAny(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    if (/[*?{]/.test(pattern)) return pathPattern(pattern)(path) !== undefined
    const folder = pattern.replace(/^\.\//, '').replace(/\/+$/, '')
    return path === folder || path.startsWith(`${folder}/`)
  })
}

function pieceOf(piece: string): string {
  if (piece === '**/') return '(?:.*/)?'
  if (piece === '**') return '.*'
  if (piece === '*') return '[^/]*'
  if (piece === '?') return '[^/]'
  if (!piece.startsWith('{')) return RegExp.escape(piece)
  const name = piece.slice(1, -1)
  if (piece.endsWith('}') && (PLACEHOLDERS as readonly string[]).includes(name)) return `(?<${name}>[^/]+?)`
  throw new DecodeError(
    `${piece} means nothing in a path${didYouMean(name, PLACEHOLDERS)}`,
    {},
    { remedy: `placeholders are ${PLACEHOLDERS.map((one) => `{${one}}`).join(', ')}` },
  )
}
