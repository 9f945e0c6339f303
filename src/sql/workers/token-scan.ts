/**
 * What can be said of a statement that broke a limit: the tables behind FROM, JOIN, INTO and their kin, in one linear
 * pass over its words. Columns are not known, CTE names are left out, the confidence says so.
 */
import type { ScriptLineage } from '../types.ts'

/** Characters that are looked at; a text beyond that is cut. */
const MAX_LENGTH = 1_000_000

const NOISE = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\]|''|\\.)*'/g
const NAME = '(?:[\\p{L}_][\\p{L}\\p{N}_$-]*|"[^"]*"|`[^`]*`|\\[[^\\]]*\\])'
const PATH = `(${NAME}(?:\\s*\\.\\s*${NAME}){0,3})`
const INPUT = new RegExp(`\\b(?:FROM|JOIN|USING)\\s+${PATH}`, 'giu')
const OUTPUT = new RegExp(
  `\\b(?:INSERT\\s+(?:INTO|OVERWRITE)(?:\\s+TABLE)?|INTO|MERGE\\s+INTO|UPDATE|(?:TABLE|VIEW)(?:\\s+IF\\s+NOT\\s+EXISTS)?)\\s+${PATH}`,
  'giu',
)
const CTE = new RegExp(
  `(?:\\bWITH(?:\\s+RECURSIVE)?|,)\\s*(${NAME})\\s*(?:\\([^()]*\\)\\s*)?AS\\s*(?:MATERIALIZED\\s*)?\\(`,
  'giu',
)
const PART = new RegExp(NAME, 'gu')
const WORDS = new Set(['select', 'lateral', 'unnest', 'table', 'values', 'only', 'set', 'as', 'if', 'where', 'on'])

/** Tables that a text reads or writes, as far as its words tell, each once. */
export function tableNames(sql: string): readonly string[] {
  const { inputs, outputs } = tablesIn(sql)
  return [...new Set([...inputs, ...outputs])]
}

function tablesIn(sql: string): { readonly inputs: readonly string[]; readonly outputs: readonly string[] } {
  const text = sql.slice(0, MAX_LENGTH).replaceAll(NOISE, ' ')
  const ctes = new Set(namesIn(text, CTE).map((name) => name.toLowerCase()))
  const isTable = (name: string): boolean => !ctes.has(name.toLowerCase()) && !WORDS.has(name.toLowerCase())
  return { inputs: namesIn(text, INPUT).filter(isTable), outputs: namesIn(text, OUTPUT).filter(isTable) }
}

export function scanTables(sql: string | readonly string[], broke: 'time' | 'memory'): ScriptLineage {
  const { inputs, outputs } = tablesIn(typeof sql === 'string' ? sql : sql.join(';\n'))
  const limit = broke === 'time' ? 'the time limit' : 'the memory limit'
  return {
    tables: { inputs: [...new Set(inputs)], outputs: [...new Set(outputs)], intermediates: [] },
    columns: [],
    statements: [],
    confidence: 0.1,
    diagnostics: [
      {
        severity: 'error',
        code: broke === 'time' ? 'TIME_LIMIT' : 'MEMORY_LIMIT',
        message: `${limit} ended the analysis; the tables are those that a scan of the words finds, columns are missing`,
      },
    ],
  }
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const parts = match[1]?.match(PART) ?? []
    return parts.length === 0 ? [] : [parts.map(unquote).join('.')]
  })
}

function unquote(part: string): string {
  return /^["`[]/.test(part) ? part.slice(1, -1) : part
}
