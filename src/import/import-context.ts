/** What an import is asked for, and what it is handed. */
import type { ImportMode } from './cells.ts'
import type { ColumnMapping, Header } from './header.ts'
import type { PropertyDefinition } from './property-values.ts'
import type { DatasetNaming } from './row.ts'
import type { Sink } from '../client/sink.ts'
import type { ScrollDatasets } from './near-entities.ts'
import type { AuditStamp } from './aspects.ts'
import type { Progress } from '../observe/progress.ts'
import type { RowReject } from './errors.ts'

export interface ImportSettings {
  readonly files: readonly string[]
  readonly mode: ImportMode
  /** One character; sniffed when absent. */
  readonly delimiter?: string
  readonly arrayDelimiter: string
  readonly columns: ColumnMapping
  readonly unknownColumns: 'refuse' | 'ignore'
  /** Definitions that are known without asking the catalog, since they are written in the same run. */
  readonly definitions: readonly PropertyDefinition[]
  /** What a row means whose entity the catalog does not have. */
  readonly missing: 'fail' | 'skip' | 'create'
  /** Completes bare names of datasets. */
  readonly naming?: DatasetNaming | undefined
  /** `strict`: as `csv-enricher` does it, its quirks included. */
  readonly compat?: 'strict' | undefined
}

/** What an import needs of its surroundings, and whom it tells what became of the rows. */
export interface ImportContext {
  readonly sink: Sink & { readonly scrollDatasets?: ScrollDatasets }
  readonly stamp: AuditStamp
  /** Folder for rows that do not fit into memory. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly progress?: Progress
  /** Told of each file's header, before any of its rows. @param text the line as it stands */
  onHeader?(file: string, header: Header, text: string): void
  records(add: {
    readonly read?: number
    readonly used?: number
    readonly duplicate?: number
    readonly noEffect?: number
  }): void
  /** Counts them, too. */
  reject(...rejects: readonly RowReject[]): Promise<void>
}
