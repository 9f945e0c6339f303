/** What a harvest is asked for. */
import type { DialectName } from '../sql/types.ts'
import type { UsageSettings } from './usage/usage-rules.ts'
import type { LogColumns, LogPreset } from './log/shape.ts'

export const SOURCE_FORMATS = ['auto', 'sql', 'log', 'dbt', 'lineage', 'postgres'] as const
export const UNKNOWN_TABLE_RULES = ['emit', 'stub', 'require-known'] as const

export interface HarvestSettings {
  /** Folder, file, `-`, http(s) address, or the URL of a PostgreSQL. */
  readonly source: string
  readonly format: (typeof SOURCE_FORMATS)[number]
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  /** YAML; `headwater.yaml` in or beside the source when absent and there. */
  readonly naming?: string | undefined
  readonly platform?: string | undefined
  readonly instance?: string | undefined
  readonly env?: string | undefined
  readonly dialect?: DialectName | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
  /** What the columns of a log are called. */
  readonly preset?: LogPreset | undefined
  readonly columns?: LogColumns | undefined
  /** Whether each file of SQL is a session, or all run in order in one. */
  readonly session?: 'file' | 'together' | undefined
  /** A user without session ids who rests for longer begins a new session. */
  readonly sessionGapMinutes: number
  /** Regular expressions, from the start of the full name, whatever the case: such tables are temporary. */
  readonly temporary: readonly string[]
  /** A lineage file whose edges belong to the harvest, too. */
  readonly declared?: string | undefined
  /** Whose edges these are; a later harvest of the same origin replaces them. */
  readonly origin: string
  /** Whether schemas that the SQL teaches are written, too. */
  readonly schemas: boolean
  /** True where the source shows a window of time: edges that it does not yield stay. */
  readonly adds: boolean
  /** Whether edges into datasets of which the source says nothing any more go. */
  readonly takesAway: boolean
  /** Harvests for which an edge stays that the source no longer yields. */
  readonly grace: number
  /** Whether the statements behind edges are written as query entities. */
  readonly queries: boolean
  /** Whether literals in kept statements and expressions become `?`. */
  readonly mask: boolean
  /** Longest statement that is kept as evidence, characters. */
  readonly statementLength: number
  /** Whether reads are counted and writes told, by the times of a log. */
  readonly usage: boolean
  readonly usageRules?: UsageSettings | undefined
  /** Whether statements that only read are written as query entities and counted, too. */
  readonly readQueries: boolean
  /** The source is a part of what the origin stands for: its coverage says nothing of the whole. */
  readonly partial: boolean
  readonly unknownTables: (typeof UNKNOWN_TABLE_RULES)[number]
  /** Reads everything anew and searches the catalog for what is gone, whatever is remembered. */
  readonly full: boolean
}
