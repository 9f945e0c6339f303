/** sqllineage's sums: the graph of tables and the graph of columns that a script's statements make together. */

import type { Table } from '../resolve/model.ts'
import type { ColumnLineage, ScriptLineage, Upstream } from '../types.ts'
import { names } from './report.ts'

/** Tables, from what a statement reads to what it writes. */
export class TableFlow {
  readonly #from = new Set<Table>()
  readonly #to = new Set<Table>()
  /** Read by a statement that writes nothing, or that writes the same table: an input whoever else writes it. */
  readonly #inputs = new Set<Table>()
  /** Written by a statement that reads nothing, or that reads the same table: an output whoever else reads it. */
  readonly #outputs = new Set<Table>()
  readonly #loops = new Set<Table>()

  add(read: readonly Table[], written: readonly Table[]): void {
    for (const table of read) {
      ;(written.length === 0 ? this.#inputs : this.#from).add(table)
      if (written.includes(table)) this.#loops.add(table)
    }
    for (const table of written) (read.length === 0 ? this.#outputs : this.#to).add(table)
  }

  has(table: Table): boolean {
    return [this.#from, this.#to, this.#inputs, this.#outputs].some((tables) => tables.has(table))
  }

  summed(): ScriptLineage['tables'] {
    const [from, to, loops] = [this.#from, this.#to, this.#loops]
    const only = (tables: ReadonlySet<Table>, others: ReadonlySet<Table>): Table[] =>
      [...tables].filter((table) => !others.has(table) || loops.has(table))
    return {
      inputs: names([...only(from, to), ...this.#inputs]),
      outputs: names([...only(to, from), ...this.#outputs]),
      intermediates: names([...from].filter((table) => to.has(table) && !loops.has(table))),
    }
  }
}

interface Line {
  readonly line: ColumnLineage
  /** The statement that says so: what it reads is what stood there before it. */
  readonly step: object
}

/** Columns of tables, followed from the last one written back to the first one read. */
export class ColumnFlow {
  readonly #lines: Line[] = []
  readonly #byColumn = new Map<string, Line[]>()
  #step: object | undefined
  #steps = 0

  add(line: ColumnLineage, step: object): void {
    const entry = { line, step }
    this.#lines.push(entry)
    if (step !== this.#step) this.#steps++
    this.#step = step
    const { table, column } = line.downstream
    if (table === null) return
    const key = columnKey(table, column)
    const same = this.#byColumn.get(key)
    if (same) same.push(entry)
    else this.#byColumn.set(key, [entry])
  }

  /** Outputs of bare queries stay as they are, columns that another statement reads are passed through. */
  summed(): ColumnLineage[] {
    if (this.#steps < 2) return this.#lines.map(({ line }) => line)
    const passed = this.#passed()
    return this.#lines
      .filter(
        ({ line: { downstream } }) =>
          downstream.table === null || !passed.has(columnKey(downstream.table, downstream.column)),
      )
      .map((entry) =>
        entry.line.downstream.table === null ? entry.line : { ...entry.line, upstreams: this.#through(entry) },
      )
  }

  #passed(): ReadonlySet<string> {
    const passed = new Set<string>()
    for (const { line, step } of this.#lines) {
      if (line.downstream.table === null) continue
      const own = columnKey(line.downstream.table, line.downstream.column)
      for (const upstream of line.upstreams)
        for (const source of this.#sourcesOf(upstream, step)) {
          const { downstream } = source.line
          const key = columnKey(downstream.table ?? '', downstream.column)
          if (key !== own) passed.add(key)
        }
    }
    return passed
  }

  /** What other statements wrote to the column: under its name, else the star that filled its table. */
  #sourcesOf({ table, column }: Upstream, step: object): readonly Line[] {
    if (table === null) return []
    const named = this.#byColumn.get(columnKey(table, column))
    const lines = named ?? this.#byColumn.get(columnKey(table, '*')) ?? []
    return lines.filter((one) => one.step !== step)
  }

  #through({ line, step }: Line): Upstream[] {
    const result = new Map<string, Upstream>()
    const seen = new Set<string>()
    const queue = line.upstreams.map((upstream) => ({ upstream, step }))
    for (let one = queue.pop(); one; one = queue.pop()) {
      const { upstream } = one
      const key = columnKey(upstream.table ?? '', upstream.column)
      if (seen.has(key)) continue
      seen.add(key)
      const sources = this.#sourcesOf(upstream, one.step)
      if (sources.length === 0) result.set(key, upstream)
      for (const source of sources)
        for (const from of source.line.upstreams) {
          const isStar = source.line.downstream.column === '*' && from.column === '*'
          queue.push({ upstream: isStar ? { ...from, column: upstream.column } : from, step: source.step })
        }
    }
    return [...result.values()]
  }
}

export function columnKey(table: string, column: string): string {
  return `${table}\u0000${column}`.toLowerCase()
}
