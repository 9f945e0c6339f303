/**
 * How much of what was read was understood: statements, tables with lineage, columns with a source; of all, of each
 * platform, of each table that something writes.
 */
import type { DatasetUrn } from '../model/urn.ts'
import { DIAGNOSTIC_RULES, type DiagnosticCode } from '../sql/diagnostics.ts'
import type { ColumnLineage } from '../sql/types.ts'

/** Shares of what was understood, from 0 to 1; 1 where there was nothing to understand. */
export interface Coverage {
  /** Of the statements that were read. */
  readonly statements: number
  /** Of the tables with lineage, those with lineage of columns. */
  readonly tables: number
  /** Of the columns that statements write, those whose every source is known. */
  readonly columns: number
}

export interface PlatformCoverage extends Coverage {
  readonly platform: string
  readonly read: number
}

export interface TableCoverage {
  readonly dataset: DatasetUrn
  readonly columns: number
  readonly resolved: number
  /** The first of the columns that are not. */
  readonly missing: readonly string[]
}

/** Columns that are named. */
const MISSING_NAMED = 12

/** Reasons by which a column counts as not resolved. */
const UNRESOLVED: ReadonlySet<string> = new Set(
  (['UNRESOLVED_COLUMN', 'AMBIGUOUS_COLUMN', 'AMBIGUOUS_CASE'] satisfies DiagnosticCode[]).map(
    (code) => DIAGNOSTIC_RULES[code].meaning,
  ),
)

interface Tally {
  read: number
  understood: number
}

export class CoverageBook {
  readonly #platforms = new Map<string, Tally>()
  readonly #tables = new Map<DatasetUrn, Map<string, boolean>>()
  readonly #platformOf = new Map<DatasetUrn, string>()
  #unread = 0

  /** Entries that are no statement that one could read. */
  unread(count: number): void {
    this.#unread += count
  }

  /** A statement that was read, whether or not it says anything. */
  statement(platform: string, understood: boolean): void {
    const tally = this.#platforms.get(platform) ?? { read: 0, understood: 0 }
    tally.read++
    if (understood) tally.understood++
    this.#platforms.set(platform, tally)
  }

  /** A column that a statement writes. Once resolved it stays so. */
  column(platform: string, dataset: DatasetUrn, column: ColumnLineage): void {
    const columns = this.#tables.get(dataset) ?? new Map<string, boolean>()
    this.#tables.set(dataset, columns)
    this.#platformOf.set(dataset, platform)
    const name = column.downstream.column.toLowerCase()
    columns.set(name, columns.get(name) === true || isResolved(column))
  }

  /** A table that has lineage, whatever is known of its columns. */
  table(platform: string, dataset: DatasetUrn): void {
    if (!this.#tables.has(dataset)) this.#tables.set(dataset, new Map())
    this.#platformOf.set(dataset, platform)
  }

  get all(): Coverage {
    const unread = { read: this.#unread, understood: 0 }
    return coverageOf([...this.#platforms.values(), unread], [...this.#tables.values()])
  }

  /** In the order of their names. */
  get platforms(): readonly PlatformCoverage[] {
    const names = [...new Set([...this.#platforms.keys(), ...this.#platformOf.values()])].toSorted()
    return names.map((platform) => {
      const tally = this.#platforms.get(platform) ?? { read: 0, understood: 0 }
      const tables = [...this.#tables].filter(([dataset]) => this.#platformOf.get(dataset) === platform)
      return {
        platform,
        read: tally.read,
        ...coverageOf(
          [tally],
          tables.map(([, columns]) => columns),
        ),
      }
    })
  }

  /** Those with most unresolved columns first. */
  get tables(): readonly TableCoverage[] {
    const tables = [...this.#tables].map(([dataset, columns]) => {
      const missing = [...columns].filter(([, isKnown]) => !isKnown).map(([name]) => name)
      const resolved = columns.size - missing.length
      return { dataset, columns: columns.size, resolved, missing: missing.slice(0, MISSING_NAMED) }
    })
    return tables.toSorted(
      (a, b) => b.columns - b.resolved - (a.columns - a.resolved) || (a.dataset < b.dataset ? -1 : 1),
    )
  }
}

function coverageOf(tallies: readonly Tally[], tables: readonly ReadonlyMap<string, boolean>[]): Coverage {
  const read = tallies.reduce((sum, tally) => sum + tally.read, 0)
  const understood = tallies.reduce((sum, tally) => sum + tally.understood, 0)
  const columns = tables.flatMap((table) => [...table.values()])
  return {
    statements: share(understood, read),
    tables: share(tables.filter((table) => [...table.values()].includes(true)).length, tables.length),
    columns: share(columns.filter(Boolean).length, columns.length),
  }
}

/** A column that is no more than "all of them" says nothing of its sources. */
function isResolved({ downstream, reasons }: ColumnLineage): boolean {
  return downstream.column !== '*' && !reasons.some((reason) => UNRESOLVED.has(reason))
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
