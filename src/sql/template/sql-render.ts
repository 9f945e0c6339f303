/**
 * SqlRender's notation (the OHDSI tools'), as the template's tree: `{DEFAULT @x = 1}` gives a parameter its value and no
 * text; `{condition} ? {then} : {else}` is an `if`, whose condition nobody knows here, so both ways are read. Parameters
 * themselves (`@cdm_schema.person`) are names for the SQL parser.
 */

import type { TemplateNode } from './nodes.ts'

const MARKS = /\{\s*DEFAULT\s+@\w|(?<!\})\}\s*\?\s*\{/i
const DEFAULT = /\{\s*DEFAULT\s+@[^}]*\}/iy
const THEN = /\s*\?\s*\{/y
const ELSE = /\s*:\s*\{/y
const MAX_DEPTH = 60

/** Whether a text has SqlRender's marks, which jinja's are no part of: `{{ a }} ? {{ b }}` is none. */
export function isSqlRender(text: string): boolean {
  return MARKS.test(text)
}

/** The tree of a SqlRender text. Never throws; a brace that belongs to nothing is text. */
export function parseSqlRender(text: string): readonly TemplateNode[] {
  return nodesOf(text, 0, text.length, 0)
}

function nodesOf(text: string, from: number, to: number, depth: number): readonly TemplateNode[] {
  const nodes: TemplateNode[] = []
  let done = from
  for (let at = text.indexOf('{', from); at >= 0 && at < to; at = text.indexOf('{', Math.max(at + 1, done))) {
    const found = defaultAt(text, at) ?? (depth < MAX_DEPTH ? choiceAt(text, at, to, depth) : undefined)
    if (!found) continue
    if (at > done) nodes.push(plain(text, done, at))
    nodes.push(...found.nodes)
    done = found.end
  }
  if (to > done) nodes.push(plain(text, done, to))
  return nodes
}

interface Found {
  readonly nodes: readonly TemplateNode[]
  readonly end: number
}

function defaultAt(text: string, at: number): Found | undefined {
  DEFAULT.lastIndex = at
  return DEFAULT.test(text) ? { nodes: [], end: DEFAULT.lastIndex } : undefined
}

/** `{condition} ? {then}`, with `: {else}` or without. */
function choiceAt(text: string, at: number, to: number, depth: number): Found | undefined {
  const end = closing(text, at, to)
  const then = end === undefined ? undefined : bodyAfter(text, THEN, end, to)
  if (end === undefined || !then) return undefined
  const name = text.slice(at + 1, end - 1).trim()
  const otherwise = bodyAfter(text, ELSE, then.end, to)
  const node: TemplateNode = {
    kind: 'if',
    branches: [
      {
        condition: { kind: 'name', name, start: at, end },
        body: nodesOf(text, then.start, then.end - 1, depth + 1),
      },
    ],
    otherwise: otherwise ? nodesOf(text, otherwise.start, otherwise.end - 1, depth + 1) : [],
  }
  return { nodes: [node], end: otherwise?.end ?? then.end }
}

/** The body in braces behind `opening`: from behind its brace to behind the closing one. */
function bodyAfter(text: string, opening: RegExp, at: number, to: number): { start: number; end: number } | undefined {
  opening.lastIndex = at
  if (!opening.test(text)) return undefined
  const start = opening.lastIndex
  const end = closing(text, start - 1, to)
  return end === undefined ? undefined : { start, end }
}

/** Behind the brace that closes the one at `at`. */
function closing(text: string, at: number, to: number): number | undefined {
  let depth = 0
  for (let i = at; i < to; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i + 1
  }
  return undefined
}

function plain(text: string, start: number, end: number): TemplateNode {
  return { kind: 'text', text: text.slice(start, end), start, end }
}
