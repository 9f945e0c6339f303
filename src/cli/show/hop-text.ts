/** A hop in words: its two ends, the place of its statement, and what the engine says when it reads the statement again. */
import { datasetParts } from '../../model/urn.ts'
import {
  parseLineage,
  type ColumnLineage,
  type Diagnostic,
  type IndirectKind,
  type ScriptLineage,
} from '../../sql/index.ts'
import { dialectOfPlatform } from '../lineage/names.ts'
import type { Stop } from './lineage-graph.ts'
import type { Hop } from './way.ts'

/** Columns that a line names at most. */
const MOST_LISTED = 6

export interface HopExplanation {
  readonly from: string
  readonly to: string
  readonly place?: string
  /** Text of the expression that makes the column; absent for a plain copy. */
  readonly expression?: string
  readonly confidence?: number
  /** Why the confidence is below 1. */
  readonly reasons: readonly string[]
  /** Columns that filter, join, group or choose the rows of the statement, with how they do. */
  readonly shapedBy: readonly { readonly column: string; readonly uses: readonly IndirectKind[] }[]
  /** What the engine did not understand in the statement. */
  readonly diagnostics: readonly Diagnostic[]
}

export function explainHop({ from, to, evidence }: Hop): HopExplanation {
  const { place, confidence } = evidence
  const lineage = reading(to, evidence.statement)
  const column = lineage === undefined ? undefined : columnOf(lineage, to)
  const expression = evidence.expression === 'TRANSFORM' ? column?.transformation : evidence.expression
  return {
    from: nameOf(from),
    to: nameOf(to),
    ...(place === undefined ? {} : { place }),
    ...(expression === undefined || expression === 'COPY' ? {} : { expression }),
    ...(confidence === undefined ? {} : { confidence }),
    reasons: column?.reasons ?? [],
    shapedBy: to.column === undefined || lineage === undefined ? [] : shapedBy(lineage),
    diagnostics: lineage?.diagnostics.filter((diagnostic) => diagnostic.severity !== 'info') ?? [],
  }
}

/** Dotted, as a person writes it. */
export function nameOf({ dataset, column }: Stop): string {
  const { name } = datasetParts(dataset)
  return column === undefined ? name : `${name}.${column}`
}

/** `  a.b -> c.d  place`, and what there is to say of it below. */
export function hopLines(hop: HopExplanation): readonly string[] {
  const doubt = hop.confidence !== undefined && hop.confidence < 1
  return [
    `  ${hop.from} -> ${hop.to}${hop.place === undefined ? '' : `  ${hop.place}`}`,
    ...(hop.expression === undefined ? [] : [`      = ${hop.expression}`]),
    ...(hop.shapedBy.length === 0 ? [] : [`      rows shaped by ${someOf(hop.shapedBy.map(usesLine))}`]),
    ...(doubt ? [`      confidence ${hop.confidence.toFixed(2)}${listed(hop.reasons)}`] : []),
    ...hop.diagnostics.map((one) => `      ${one.severity} ${one.code}: ${one.message}`),
  ]
}

/** The first few, and how many more there are. */
function someOf(texts: readonly string[]): string {
  const more = texts.length - MOST_LISTED
  return [...texts.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

function usesLine({ column, uses }: HopExplanation['shapedBy'][number]): string {
  return `${column} (${uses.map((use) => use.toLowerCase().replace('_', ' ')).join(', ')})`
}

function shapedBy(lineage: ScriptLineage): HopExplanation['shapedBy'] {
  const uses = lineage.statements.flatMap((statement) => statement.indirect)
  // The last part of the table's name is enough beside the statement's place.
  const byColumn = Map.groupBy(uses, ({ table, column }) =>
    table === null ? column : `${table.slice(table.lastIndexOf('.') + 1)}.${column}`,
  )
  return [...byColumn].map(([column, all]) => ({ column, uses: [...new Set(all.map((use) => use.kind))] }))
}

function listed(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
}

function reading(to: Stop, statement: string | undefined): ScriptLineage | undefined {
  if (statement === undefined) return undefined
  return parseLineage(statement, { dialect: dialectOfPlatform(datasetParts(to.dataset).platform) })
}

function columnOf(lineage: ScriptLineage, to: Stop): ColumnLineage | undefined {
  const wanted = to.column?.toLowerCase()
  return lineage.columns.find(({ downstream }) => downstream.column.toLowerCase() === wanted)
}
