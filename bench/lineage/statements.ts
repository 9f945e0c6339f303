/** Statements that are measured: of the golden suite, of the generator and of the example warehouse. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'sql-parser-cst'
import { parseLineage } from '../../src/sql/index.ts'
import { schemaFromTables } from '../../src/sql/eval/schema.ts'
import type { DialectName, SchemaResolver } from '../../src/sql/types.ts'
import { goldenSuite } from '../../test/support/golden/suite.ts'
import { generateStatement } from '../../test/support/sql-generator/statement.ts'

/** The dialects that both parsers know. */
export const STRICT_DIALECTS = ['bigquery', 'mariadb', 'mysql', 'postgres', 'sqlite'] as const
export type StrictDialect = (typeof STRICT_DIALECTS)[number]

export interface Measured {
  readonly dialect: StrictDialect
  readonly sql: string
  readonly schema?: SchemaResolver
}

export interface StatementSet {
  readonly name: string
  /** Least ratio to the bare parse that the set must reach on a quiet machine. */
  readonly bar: number
  readonly statements: readonly Measured[]
}

/** Short statements, long analytical ones, and those with their schemas; only what sql-parser-cst can parse. */
export function statementSets(): StatementSet[] {
  const golden = goldenSuite().flatMap(({ sql, dialects }) =>
    dialects.filter(isStrict).map((dialect) => ({ dialect, sql })),
  )
  const generated = generatedStatements()
  const warehouse = warehouseStatements()
  const short = [...golden, ...generated].filter(({ sql }) => sql.length < 250)
  const long = [...warehouse, ...generated].filter(({ sql }) => sql.length >= 600)
  return [
    { name: 'short', bar: 10, statements: parsable(short.map(({ dialect, sql }) => ({ dialect, sql }))).slice(0, 400) },
    {
      name: 'analytical',
      bar: 8,
      statements: parsable(long.map(({ dialect, sql }) => ({ dialect, sql }))).slice(0, 150),
    },
    {
      name: 'analytical with schemas',
      bar: 6,
      statements: parsable(long.filter((s) => s.schema !== undefined)).slice(0, 150),
    },
  ]
}

export function strictName(dialect: StrictDialect): 'bigquery' | 'mariadb' | 'mysql' | 'postgresql' | 'sqlite' {
  return dialect === 'postgres' ? 'postgresql' : dialect
}

/** sql-parser-cst as it comes: no comments, no places. */
export function bareParse({ dialect, sql }: Measured): unknown {
  return parse(sql, { dialect: strictName(dialect) })
}

function isStrict(dialect: DialectName): dialect is StrictDialect {
  return STRICT_DIALECTS.some((known) => known === dialect)
}

function parsable(statements: readonly Measured[]): Measured[] {
  return statements.filter((statement) => {
    try {
      bareParse(statement)
      return true
    } catch {
      return false
    }
  })
}

function generatedStatements(): Measured[] {
  let state = 20_240_601
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return state >>> 8
  }
  return Array.from({ length: 4000 }, (_, i) => {
    const dialect = STRICT_DIALECTS[i % STRICT_DIALECTS.length] ?? 'postgres'
    const tape = Array.from({ length: 20 + (random() % 300) }, () => random() % 10_000)
    const { sql, schemas } = generateStatement(dialect, tape)
    return Object.keys(schemas).length === 0 ? { dialect, sql } : { dialect, sql, schema: schemaFromTables(schemas) }
  })
}

/** The statements of `examples/warehouse` with the columns that its own DDL defines. */
function warehouseStatements(): Measured[] {
  const folder = resolve(import.meta.dirname, '../../examples/warehouse')
  return (['postgres', 'bigquery'] as const).flatMap((dialect) => {
    const files = readdirSync(join(folder, dialect), { recursive: true, encoding: 'utf8' }).filter((f) =>
      f.endsWith('.sql'),
    )
    const texts = files.toSorted().map((file) => readFileSync(join(folder, dialect, file), 'utf8'))
    const learnt = parseLineage(texts, { dialect }).statements.flatMap((statement) => statement.schemas)
    const schema = schemaFromTables(Object.fromEntries(learnt.map((t) => [t.table, t.columns.map((c) => c.name)])))
    return texts.map((sql) => ({ dialect, sql, schema }))
  })
}
