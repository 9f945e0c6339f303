/**
 * Dataform's SQLX as plain SQL, every character at its place: `${ref("orders")}` and `${resolve("raw", "orders")}` are the
 * names they stand for, `config { … }` and `js { … }` are no SQL, the statements of `pre_operations { … }` are.
 */

import type { TemplateText } from './project-facts.ts'

export interface DataformText {
  readonly sql: string
  /** The table that the file's query makes, which is called like the file unless its settings say otherwise. */
  readonly model?: TemplateText
}

const MATERIALIZED: ReadonlySet<string> = new Set(['table', 'view', 'incremental'])

const MARKS = /\$\{\s*(?:ref|resolve|when)\s*\(|^\s*(?:config|js|pre_operations|post_operations)\s*\{/m
const REFERENCE =
  /\$\{\s*(?:ref|resolve)\s*\(\s*(?:(["'])([^"'`{}]+)\1\s*(?:,\s*(["'])([^"'`{}]+)\3\s*)?|(\{[^{}]*\}))\s*\)\s*\}/g
/** `${when(incremental(), `WHERE …`)}`: what is said there may be part of the text; what is said otherwise is left out. */
const CHOICE = /(\$\{\s*when\s*\([^`{}]*`)([^`]*)(`[^`}]*(?:`[^`]*`[^`}]*)?\})/g
const NOT_BREAK = /[^\n]/g
const BLOCK = /^([ \t]*)(config|js|pre_operations|post_operations)(\s*)\{/gm

/** The SQL of a SQLX text, or the text itself where it is none. */
export function readDataform(text: string, file: string | undefined): DataformText {
  if (!text.includes('{') || !MARKS.test(text)) return { sql: text }
  const sql = withoutBlocks(text)
    .replaceAll(CHOICE, keepThen)
    .replaceAll(
      REFERENCE,
      (written, _quote, first: string, _other, second: string | undefined, object: string | undefined) => {
        const parts = object === undefined ? [first, second] : [field(object, 'schema'), field(object, 'name')]
        const name = parts.filter((part) => part !== undefined).map((part) => `\`${part}\``)
        return name.length === 0 ? written : name.join('.').padEnd(written.length)
      },
    )
  const model = modelOf(text, file)
  return model ? { sql, model } : { sql }
}

function modelOf(text: string, file: string | undefined): TemplateText | undefined {
  const config = /^\s*config\s*\{/m.exec(text)
  const open = config ? config.index + config[0].length - 1 : 0
  const settings = config ? text.slice(open, closing(text, open)) : ''
  const materialized = field(settings, 'type') ?? ''
  const name = field(settings, 'name') ?? /([^/\\]+)\.sqlx$/i.exec(file ?? '')?.[1]
  if (!MATERIALIZED.has(materialized) || name === undefined) return undefined
  const [database, schema] = [field(settings, 'database'), field(settings, 'schema')]
  return {
    target: {
      ...(database === undefined ? {} : { database }),
      ...(schema === undefined ? {} : { schema }),
      identifier: name,
    },
    materialized,
  }
}

function field(object: string, key: string): string | undefined {
  return new RegExp(`\\b${key}\\s*:\\s*["']([^"']+)["']`).exec(object)?.[1]
}

function withoutBlocks(text: string): string {
  let result = text
  for (const block of text.matchAll(BLOCK)) {
    const open = block.index + block[0].length - 1
    const close = closing(text, open)
    if (close === undefined) continue
    const isSql = block[2]!.endsWith('operations')
    result = blanked(result, block.index, isSql ? open + 1 : close + 1)
    if (isSql) result = `${result.slice(0, close)};${result.slice(close + 1)}`
  }
  return result
}

function closing(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return undefined
}

function keepThen(_: string, before: string, then: string, after: string): string {
  return before.replaceAll(NOT_BREAK, ' ') + then + after.replaceAll(NOT_BREAK, ' ')
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replaceAll(NOT_BREAK, ' ') + text.slice(end)
}
