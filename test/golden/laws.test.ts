/**
 * Laws that hold whatever the statement: comments, layout, case of keywords, redundant parentheses, the names of
 * aliases and a query wrapped around a query change nothing; edges name columns that the schemas have; statements
 * that have nothing to do with each other mean together what each means alone.
 */
import { array, assert, constantFrom, nat, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DIALECTS, parseLineage, type DialectName, type ScriptLineage } from '../../src/sql/index.ts'
import { isSystemColumn } from '../../src/sql/resolve/system-columns.ts'
import { goldenOptions } from '../support/golden/check.ts'
import type { GoldenCase } from '../support/golden/format.ts'
import {
  isLayoutFree,
  oneLine,
  oneWordALine,
  renameAliases,
  smallKeywords,
  withComments,
} from '../support/golden/rewrite.ts'
import { goldenSuite } from '../support/golden/suite.ts'
import { differences, generatedOptions } from '../support/sql-generator/compare.ts'
import { generateStatement, type GeneratedStatement } from '../support/sql-generator/statement.ts'

const runs = goldenSuite().flatMap((golden) => golden.dialects.map((dialect) => ({ golden, dialect })))

/** What must stay the same: edges and tables, without case and without the names of unnamed expressions. */
function meaning(lineage: ScriptLineage): string[] {
  return [
    ...lineage.columns.map(({ downstream, upstreams }) => {
      const sources = upstreams.map((up) => `${up.table ?? ''}.${up.column} ${up.kind}`).toSorted()
      // ClickHouse calls the second of two columns with one name by its alias: r5.n2.
      const column = downstream.column.replace(/^(?:zz_)?(?:t|d|r|u|cte)\d+(?:_alias)?\./i, '')
      const name = /^[\p{L}\p{N}_$.*]+$/u.test(column) ? column : '?'
      return `${downstream.table ?? ''}.${name} <- ${sources.join(', ')}`.toLowerCase()
    }),
    `inputs ${lineage.tables.inputs.toSorted().join(', ')}`.toLowerCase(),
    `outputs ${lineage.tables.outputs.toSorted().join(', ')}`.toLowerCase(),
  ].toSorted()
}

function read(golden: GoldenCase, dialect: DialectName, sql = golden.sql): string[] {
  return meaning(parseLineage(sql, goldenOptions(golden, dialect)))
}

function breaches(
  law: (golden: GoldenCase, dialect: DialectName) => string | undefined,
  holds: (golden: GoldenCase) => boolean = () => true,
): string[] {
  return runs.flatMap(({ golden, dialect }) => {
    const changed = holds(golden) ? law(golden, dialect) : undefined
    if (changed === undefined) return []
    const [before, after] = [read(golden, dialect), read(golden, dialect, changed)]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    return [`${golden.file}:${golden.line} ${dialect}\n${changed}\n${before.join('\n')}\n---\n${after.join('\n')}`]
  })
}

const layoutFree = ({ sql }: GoldenCase): boolean => isLayoutFree(sql)

describe('golden cases', () => {
  test('comments between words change nothing', () => {
    expect(breaches(({ sql }) => withComments(sql), layoutFree)).toEqual([])
  })

  test('layout changes nothing', () => {
    expect(breaches(({ sql }) => oneWordALine(sql), layoutFree)).toEqual([])
    expect(breaches(({ sql }) => oneLine(sql), layoutFree)).toEqual([])
  })

  test('the case of keywords changes nothing', () => {
    expect(breaches(({ sql }) => smallKeywords(sql))).toEqual([])
  })

  test('a query in parentheses is the query', () => {
    expect(breaches(({ sql }) => `(${sql})`, isPlainQuery)).toEqual([])
  })

  test('SELECT * around a query keeps its edges', () => {
    expect(breaches(({ sql }) => `SELECT * FROM (${sql}) x_outer`, isPlainQuery)).toEqual([])
  })

  test('a query behind a CTE keeps its edges', () => {
    expect(breaches(({ sql }) => `WITH x_outer AS (${sql}) SELECT * FROM x_outer`, isPlainQuery)).toEqual([])
  })

  test('edges name columns that the given schemas have', () => {
    const offences = runs.flatMap(({ golden, dialect }) => {
      const lineage = parseLineage(golden.sql, goldenOptions(golden, dialect))
      return unknownColumns(lineage, golden.schemas, dialect).map(
        (name) => `${golden.file}:${golden.line} ${dialect} ${name}`,
      )
    })
    expect(offences).toEqual([])
  })

  test('every statement has lineage, or is known to have none, or has a diagnostic', () => {
    const silent = runs.flatMap(({ golden, dialect }) => {
      const lineage = parseLineage(golden.sql, goldenOptions(golden, dialect))
      const lost = lineage.statements.filter(
        (s) => s.kind === 'other' && s.diagnostics.length + s.inputs.length + s.outputs.length === 0,
      )
      return lost.map(() => `${golden.file}:${golden.line} ${dialect}`)
    })
    expect(silent).toEqual([])
  })
})

/** One SELECT whose outputs have names of their own, in words that every dialect takes inside parentheses. */
function isPlainQuery({ sql, edges, outputs }: GoldenCase): boolean {
  const names = edges.map((edge) => edge.downstream.column.toLowerCase())
  return (
    outputs.length === 0 &&
    /^SELECT\b/.test(sql) &&
    new Set(names).size === names.length &&
    !names.includes('?') &&
    !/;|#|--|\/\/|\/\*|\bOPTION\b|\bINTO\b|\{\{/.test(sql)
  )
}

function unknownColumns(
  lineage: ScriptLineage,
  schemas: Readonly<Record<string, readonly string[]>>,
  dialect: DialectName,
): string[] {
  const columns = new Map(Object.entries(schemas).map(([table, names]) => [table, new Set([...names, '*'])]))
  return lineage.columns.flatMap(({ upstreams }) =>
    upstreams.flatMap((up) => {
      const known = columns.get(up.table ?? '')
      const column = up.column.split('.')[0] ?? ''
      return known === undefined ||
        known.has(column) ||
        known.has(up.column) ||
        isSystemColumn(dialect, column.toLowerCase())
        ? []
        : [`${up.table}.${up.column}`]
    }),
  )
}

const SEED = Number(process.env['GENERATED_SEED'] ?? 7)
const tape = array(nat({ max: 9999 }), { minLength: 0, maxLength: 160, size: 'max' })
const statement = { dialect: constantFrom(...DIALECTS), tape }

function meaningOf(generated: GeneratedStatement, sql = generated.sql): string[] {
  return meaning(parseLineage(sql, generatedOptions(generated)))
}

describe('generated statements', () => {
  const laws: Readonly<Record<string, (sql: string) => string>> = {
    'comments change nothing': withComments,
    'layout changes nothing': oneWordALine,
    'the case of keywords changes nothing': smallKeywords,
    'the names of aliases change nothing': renameAliases,
    'a semicolon and empty statements change nothing': (sql) => `;;\n${sql};\n;`,
  }

  test.each(Object.entries(laws))('%s', (_, change) => {
    assert(
      property(statement.dialect, statement.tape, (dialect, numbers) => {
        const generated = generateStatement(dialect, numbers)
        expect(meaningOf(generated, change(generated.sql)), generated.sql).toEqual(meaningOf(generated))
      }),
      { numRuns: 1000, seed: SEED },
    )
  })

  const wraps: Readonly<Record<string, (sql: string) => string>> = {
    'a query in parentheses is the query': (sql) => `(${sql})`,
    'a query in several parentheses is the query': (sql) => `(((${sql})))`,
    'SELECT * around a query keeps its edges': (sql) => `SELECT * FROM (${sql}) x_outer`,
    'a query behind a CTE keeps its edges': (sql) => `WITH x_outer AS (${sql}) SELECT * FROM x_outer`,
    'a query behind two derived tables keeps its edges': (sql) =>
      `SELECT x_outer.* FROM (SELECT x_inner.* FROM (${sql}) x_inner) x_outer`,
  }

  test.each(Object.entries(wraps))('%s', (_, wrap) => {
    assert(
      property(statement.dialect, statement.tape, (dialect, numbers) => {
        const generated = generateStatement(dialect, numbers)
        pre(isWrappable(generated))
        expect(meaningOf(generated, wrap(generated.sql)), generated.sql).toEqual(meaningOf(generated))
      }),
      { numRuns: 600, seed: SEED },
    )
  })

  test('statements that have nothing to do with each other mean together what each means alone', () => {
    assert(
      property(statement.dialect, statement.tape, statement.tape, (dialect, a, b) => {
        const first = generateStatement(dialect, a)
        const second = elsewhere(generateStatement(dialect, b))
        // The outputs of two bare queries have no table that would tell them apart.
        pre(first.target !== null || second.target !== null)
        const both = parseLineage(`${first.sql};\n${second.sql}`, generatedOptions(withSchemas(first, second)))
        const alone = [first, second].map((one) => parseLineage(one.sql, generatedOptions(withSchemas(first, second))))
        const columns = alone.flatMap((lineage) => lineage.columns)
        const inputs = [...new Set(alone.flatMap((lineage) => lineage.tables.inputs))]
        const outputs = [...new Set(alone.flatMap((lineage) => lineage.tables.outputs))]
        const expected = { ...both, columns, tables: { inputs, outputs, intermediates: [] } }
        expect(new Set(meaning(both))).toEqual(new Set(meaning(expected)))
      }),
      { numRuns: 1000, seed: SEED },
    )
  })

  test('the comparison notices a planted mistake, and it shrinks to a small statement', () => {
    const smallest = { length: Infinity }
    const failing = property(statement.tape, (numbers) => {
      const generated = generateStatement('postgres', numbers)
      const lineage = parseLineage(generated.sql, generatedOptions(generated))
      const planted = { ...lineage, columns: lineage.columns.filter((column) => column.upstreams.length !== 2) }
      const wrong = differences(generated, planted).length > 0
      if (wrong) smallest.length = Math.min(smallest.length, generated.sql.length)
      return !wrong
    })
    expect(() => assert(failing, { numRuns: 2000, seed: SEED })).toThrow('Property failed')
    expect(smallest.length).toBeLessThan(120)
  })
})

/** A bare query whose outputs have names of their own: those of a derived table must differ. */
function isWrappable({ target, columns }: GeneratedStatement): boolean {
  return target === null && new Set(columns.map(({ name }) => name.toLowerCase())).size === columns.length
}

/** The same statement with targets of other names, so that two of them do not meet. */
function elsewhere(generated: GeneratedStatement): GeneratedStatement {
  return { ...generated, sql: generated.sql.replaceAll('mart.', 'other.') }
}

function withSchemas(first: GeneratedStatement, second: GeneratedStatement): GeneratedStatement {
  const moved = Object.fromEntries(
    Object.entries(second.schemas).map(([table, columns]) => [table.replace('mart.', 'other.'), columns]),
  )
  return { ...first, schemas: { ...first.schemas, ...moved } }
}
