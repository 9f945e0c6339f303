/** The lineage of a script for people: a block a statement, a line an output column, the place of each at the right. */
import type { ColumnLineage, Diagnostic, ScriptLineage, StatementLineage, Upstream } from '../types.ts'
import { columnName } from './columns.ts'

export type TreeStyle = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan'

export interface TreeOptions {
  /** Colours a piece of text; plain when absent. */
  readonly style?: (style: TreeStyle, text: string) => string
}

/** Longest expression that is shown on its line. */
const MAX_TRANSFORMATION_LENGTH = 60

export function encodeTree(lineage: ScriptLineage, options: TreeOptions = {}): string {
  const style = options.style ?? ((_, text) => text)
  const blocks = lineage.statements.filter(saysSomething).map((statement) => block(statement, style))
  const summed = lineage.statements.length > 1 ? [summary(lineage, style)] : []
  const diagnostics = lineage.diagnostics.map((diagnostic) => diagnosticLine(diagnostic, style))
  return [...blocks, ...summed, ...(diagnostics.length === 0 ? [] : [diagnostics.join('\n')])].join('\n\n') + '\n'
}

type Style = NonNullable<TreeOptions['style']>

function saysSomething(statement: StatementLineage): boolean {
  return statement.outputs.length + statement.inputs.length + statement.columns.length > 0
}

function block(statement: StatementLineage, style: Style): string {
  const target = statement.outputs.length === 0 ? 'result' : statement.outputs.join(', ')
  const sources = statement.inputs.length === 0 ? '' : ` <- ${statement.inputs.join(', ')}`
  const head = `${style('bold', `${statement.kind} ${target}`)}${sources}  ${style('dim', placeOf(statement))}`
  const rows = statement.columns.map((column) => row(column, statement))
  const widths = [0, 1, 2].map((i) => Math.max(0, ...rows.map((cells) => cells[i]?.length ?? 0)))
  const lines = rows.map((cells) => {
    const [name = '', sourcesOfColumn = '', means = '', place = ''] = cells
    const left = `  ${name.padEnd(widths[0] ?? 0)} <- ${sourcesOfColumn.padEnd(widths[1] ?? 0)}`
    return `${left}  ${style('cyan', means.padEnd(widths[2] ?? 0))}  ${style('dim', place)}`.trimEnd()
  })
  return [head, ...lines, ...indirectLines(statement, style)].join('\n')
}

function row(column: ColumnLineage, statement: StatementLineage): string[] {
  const several = statement.outputs.length > 1 || column.downstream.table === null
  const name = several ? columnName(column.downstream) : column.downstream.column
  const sources = column.upstreams.length === 0 ? '(no source)' : column.upstreams.map(columnName).join(', ')
  const place = column.span === undefined ? '' : position(statement.file, column.span)
  return [name, sources, how(column), place]
}

/** How the value comes about: nothing for a copy, else the expression; the branch of a MERGE in brackets. */
function how(column: ColumnLineage): string {
  const text = (column.transformation ?? strongestKind(column.upstreams)).replaceAll(/\s+/g, ' ')
  const short = text.length > MAX_TRANSFORMATION_LENGTH ? `${text.slice(0, MAX_TRANSFORMATION_LENGTH - 1)}…` : text
  return [short, column.branch === undefined ? '' : `[${column.branch}]`].filter((part) => part !== '').join(' ')
}

function strongestKind(upstreams: readonly Upstream[]): string {
  if (upstreams.some((up) => up.kind === 'AGGREGATED')) return 'aggregated'
  return upstreams.some((up) => up.kind === 'TRANSFORMED') ? 'transformed' : ''
}

function indirectLines(statement: StatementLineage, style: Style): string[] {
  const byKind = new Map<string, Set<string>>()
  for (const use of statement.indirect) {
    const columns = byKind.get(use.kind) ?? new Set()
    byKind.set(use.kind, columns.add(columnName(use)))
  }
  return [...byKind].map(([kind, columns]) => style('dim', `  (${kind.toLowerCase()}: ${[...columns].join(', ')})`))
}

function summary(lineage: ScriptLineage, style: Style): string {
  const { inputs, outputs, intermediates } = lineage.tables
  const rows = [
    ['inputs', inputs],
    ['outputs', outputs],
    ['intermediates', intermediates],
  ] as const
  const shown = rows.filter(([, tables]) => tables.length > 0)
  const lines = shown.map(([word, tables]) => `  ${word}: ${tables.join(', ')}`)
  const head = `${lineage.statements.length} statements, confidence ${lineage.confidence.toFixed(2)}`
  return [style('bold', head), ...lines].join('\n')
}

/** `file:line:column severity CODE message`. */
export function diagnosticLine(diagnostic: Diagnostic, style: Style = (_, text) => text): string {
  const { file, line, column, severity, code, message } = diagnostic
  const place = line === undefined ? (file ?? '') : position(file, { line, column: column ?? 1 })
  const colour = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim'
  return `${place === '' ? '' : `${place} `}${style(colour, `${severity} ${code}`)} ${message}`
}

function placeOf(statement: StatementLineage): string {
  return position(statement.file, statement.span)
}

/** `file:line:column`, which terminals and editors open. */
export function position(file: string | undefined, at: { readonly line: number; readonly column: number }): string {
  return `${file ?? 'line '}${file === undefined ? '' : ':'}${at.line}:${at.column}`
}
