/** Statements that are misspelt, broken off or run together: each is told, with the place where it goes wrong. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseLineage, type Diagnostic } from '../../src/sql/index.ts'

const lines = readFileSync(new URL('broken/statements.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** `dialect CODE: statement` in its parts; the mark is the offset. */
function readBroken(line: string): { dialect: string; code: string; sql: string; at: number } {
  const [, dialect, code, marked] = /^(\w+) (\w+): (.*)$/.exec(line)!
  const text = marked!.replaceAll(String.raw`\n`, '\n')
  return { dialect: dialect!, code: code!, sql: text.replace('¤', ''), at: text.indexOf('¤') }
}

function offsetOf({ line, column }: Diagnostic, sql: string): number {
  const before = sql.split('\n').slice(0, line! - 1)
  return before.reduce((sum, text) => sum + text.length + 1, 0) + column! - 1
}

describe('a broken statement has a diagnostic at the place where it breaks', () => {
  test.each(lines)('%s', (line) => {
    const { dialect, code, sql, at } = readBroken(line)
    const told = parseLineage(sql, { dialect }).diagnostics
    expect(told.map((one) => `${one.code} ${offsetOf(one, sql)}`)).toContain(`${code} ${at}`)
  })
})

test('what a broken statement says all the same is kept', () => {
  const { columns, diagnostics } = parseLineage('CREATE TABEL mart.t AS SELECT s.a, FROM raw.s WHERE', {
    dialect: 'trino',
  })
  expect(columns.map(({ downstream, upstreams }) => [downstream, upstreams.map(({ table }) => table)])).toEqual([
    [{ table: 'mart.t', column: 'a' }, ['raw.s']],
  ])
  expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
    'UNKNOWN_OBJECT 1:8',
    'MISSING_PART 1:36',
    'MISSING_PART 1:52',
  ])
})

test('a statement behind a forgotten semicolon is read', () => {
  const { tables, diagnostics } = parseLineage(
    'INSERT INTO mart.a SELECT x FROM raw.a\nINSERT INTO mart.b SELECT y FROM raw.b',
    { dialect: 'postgres' },
  )
  expect(tables).toMatchObject({ inputs: ['raw.a', 'raw.b'], outputs: ['mart.a', 'mart.b'] })
  expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(['MISSING_PART 2:1'])
})
