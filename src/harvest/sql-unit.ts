import type { ProjectFacts, TemplateText } from '../sql/types.ts'
import type { SchemaFieldUrn } from '../model/urn.ts'
import type { NameRules } from './naming.ts'

/** One text of SQL and where it stands. */
export interface SqlText {
  readonly sql: string
  readonly file: string
  /** Where the text begins in its file, from 1: 1 for a file of SQL, the line of the entry for a query log. */
  readonly line: number
  /** True where an earlier portion held the text: it is read again for what it does to its session, and not counted. */
  readonly carried?: boolean
  /** True where lines inside of the text are lines of the file. */
  readonly wholeFile: boolean
  readonly timeMs?: number
  /** What the log has for a time, where it cannot be read. */
  readonly unreadTime?: string
  readonly user?: string
  /** What the log says that the statement did: INSERT, SELECT, … */
  readonly operation?: string
  /** What the text makes, where it is a model of a dbt project. */
  readonly model?: TemplateText | undefined
}

/** Texts that run in order in one database session. */
export interface SqlUnit {
  readonly texts: readonly SqlText[]
  readonly rules: NameRules
  /** The dbt project that the texts are models of. */
  readonly project?: ProjectFacts
  /** By which later runs find what was read of it; absent where that is not worth keeping. */
  readonly memoryKey?: string
  /** Equal for entries of a log that differ in literals only; absent where an entry does not stand for itself. */
  readonly statement?: string
}

/** An entry of a log whose statement ran before. */
export interface RepeatedEntry {
  readonly statement: string
  readonly text: SqlText
  readonly rules: NameRules
}

/** Lineage that a source states itself: no SQL is read. */
export interface DeclaredLineage {
  readonly text: SqlText
  readonly rules: NameRules
  /** Table names or dataset URNs. */
  readonly upstreams: readonly string[]
  readonly downstreams: readonly string[]
  /** Column edges into the one downstream. */
  readonly fields?: readonly DeclaredField[]
}

export interface DeclaredField {
  readonly downstream: SchemaFieldUrn
  readonly upstreams: ReadonlySet<SchemaFieldUrn>
  readonly operation: string
  readonly confidence: number
}

/** How far a source was read, by which a later run goes on. */
export interface SourcePosition {
  /** Name of the file in its folder. */
  readonly file: string
  /** Bytes that were taken. */
  readonly bytes: number
  /** Lines in them. */
  readonly lines: number
  /** Hash of the file's beginning: a file that was replaced by another is read from its start. */
  readonly head: string
}

/** What a source yields, in bounded portions. */
export interface SourcePortion {
  readonly units: readonly SqlUnit[]
  readonly declared: readonly DeclaredLineage[]
  readonly rejected: readonly SourceReject[]
  /** Statements that are equal to earlier ones: counted, and not read again. */
  readonly duplicates?: number
  /** Statements that are equal to earlier ones of this portion, where each counts: to be read where those do not say enough. */
  readonly repeated?: readonly RepeatedEntry[]
  /** Entries that say of themselves that they had no effect: they failed, or are no SQL. */
  readonly skipped?: number
  /** What a person should know about the source itself. */
  readonly doubts?: readonly SourceDoubt[]
  /** Where the portion ends. */
  readonly position?: SourcePosition
  /** File that was read from where an earlier run came to. */
  readonly continues?: string
}

export interface SourceDoubt {
  readonly code: string
  readonly message: string
  readonly file: string
  readonly line: number
}

/** An entry or a file that cannot be read. */
export interface SourceReject {
  readonly code:
    | 'FRONT_MATTER'
    | 'LINEAGE_ENTRY_INVALID'
    | 'LOG_ENTRY_INVALID'
    | 'SOURCE_UNREADABLE'
    | 'STATEMENT_TOO_LONG'
    | 'WRONG_ENCODING'
  readonly message: string
  readonly file: string
  readonly line: number
  readonly record: string
}
