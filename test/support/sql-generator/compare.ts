import { schemaFromTables } from '../../../src/sql/eval/schema.ts'
import type { LineageOptions, ScriptLineage } from '../../../src/sql/types.ts'
import type { GeneratedStatement } from './statement.ts'

export function generatedOptions(statement: GeneratedStatement): LineageOptions {
  return { dialect: statement.dialect, schema: schemaFromTables(statement.schemas) }
}

/** Facts that differ between what the statement means and what the engine says; empty when it is right. */
export function differences(statement: GeneratedStatement, actual: ScriptLineage): string[] {
  const expected = new Set([
    ...statement.columns.map((column) => {
      const sources = [...column.sources].map(([source, kind]) => `${source} ${kind}`)
      return edgeLine(column.target ?? statement.target, column.name, sources)
    }),
    tableLine('inputs', statement.inputs),
    tableLine('outputs', statement.outputs),
    ...statement.uses.map((use) => useLine(use)),
  ])
  const found = new Set([
    ...actual.columns.map((column) => {
      const sources = column.upstreams.flatMap((up) => (up.table === null ? [] : `${up.table}.${up.column} ${up.kind}`))
      // ClickHouse calls the second of two columns with one name by its alias: r5.n2.
      return edgeLine(column.downstream.table, column.downstream.column.replace(/^[a-z]+\d+\./, ''), sources)
    }),
    tableLine('inputs', actual.tables.inputs),
    tableLine('outputs', actual.tables.outputs),
    ...actual.statements.flatMap(({ indirect }) =>
      indirect.flatMap((use) => (use.table === null ? [] : useLine(`${use.kind} ${use.table}.${use.column}`))),
    ),
    ...actual.diagnostics.filter((d) => d.severity !== 'info').map((d) => `${d.severity} ${d.code}: ${d.message}`),
  ])
  return [
    ...[...expected].filter((line) => !found.has(line)).map((line) => `missing: ${line}`),
    ...[...found].filter((line) => !expected.has(line)).map((line) => `wrong:   ${line}`),
  ]
}

function edgeLine(table: string | null, column: string, sources: readonly string[]): string {
  return `${table === null ? '' : `${table}.`}${column} <- ${sources.toSorted().join(', ')}`.toLowerCase()
}

function useLine(use: string): string {
  return `uses ${use}`.toLowerCase()
}

function tableLine(word: string, tables: readonly string[]): string {
  return `${word}: ${tables.toSorted().join(', ')}`.toLowerCase()
}
