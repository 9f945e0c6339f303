import type { ProjectFacts, TemplateText } from '../sql/types.ts'
import type { NameRules } from './naming.ts'

/** One text of SQL and where it stands. */
export interface SqlText {
  readonly sql: string
  readonly file: string
  /** Where the text begins in its file, from 1: 1 for a file of SQL, the line of the entry for a query log. */
  readonly line: number
  /** True where lines inside of the text are lines of the file. */
  readonly wholeFile: boolean
  readonly timeMs?: number
  readonly user?: string
  /** What the text makes, where it is a model of a dbt project. */
  readonly model?: TemplateText | undefined
}

/** Texts that run in order in one database session. */
export interface SqlUnit {
  readonly texts: readonly SqlText[]
  readonly rules: NameRules
  /** The dbt project that the texts are models of. */
  readonly project?: ProjectFacts
}

/** Lineage that a query log states itself: no SQL is read. */
export interface DeclaredLineage {
  readonly text: SqlText
  readonly rules: NameRules
  /** Table names or dataset URNs. */
  readonly upstreams: readonly string[]
  readonly downstreams: readonly string[]
}

/** What a source yields, in bounded portions. */
export interface SourcePortion {
  readonly units: readonly SqlUnit[]
  readonly declared: readonly DeclaredLineage[]
  readonly rejected: readonly SourceReject[]
}

/** An entry or a file that cannot be read. */
export interface SourceReject {
  readonly code: 'LOG_ENTRY_INVALID' | 'SOURCE_UNREADABLE' | 'WRONG_ENCODING'
  readonly message: string
  readonly file: string
  readonly line: number
  readonly record: string
}
