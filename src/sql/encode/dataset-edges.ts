import type { ScriptLineage, StatementKind, StatementLineage } from '../types.ts'

/** A table that a script writes, and the tables that its rows come from. */
export interface DatasetEdges {
  readonly downstream: string
  readonly upstreams: readonly string[]
  /** By upstream, the first statement that brings rows from it. */
  readonly broughtBy: ReadonlyMap<string, StatementLineage>
  /** The statements that write it, in order. */
  readonly statements: readonly StatementLineage[]
}

/**
 * Which output comes from which inputs. A table that is neither input nor output of the whole (a temporary table) is
 * replaced by what it was made from, however long the chain. Of a routine with several statements each counts for itself:
 * what one of them reads does not come to where another writes.
 */
export function datasetEdges(lineage: ScriptLineage): DatasetEdges[] {
  const visible = new Set([...lineage.tables.inputs, ...lineage.tables.outputs, ...lineage.tables.intermediates])
  const writers: Writers = new Map()
  for (const statement of lineage.statements) {
    for (const part of partsOf(statement)) {
      for (const output of part.outputs) {
        writers.set(output, [...(writers.get(output) ?? []), { part, statement }])
      }
    }
  }
  const outputs = [...lineage.tables.outputs, ...lineage.tables.intermediates]
  return outputs.map((downstream) => {
    const own = writers.get(downstream) ?? []
    const broughtBy = new Map<string, StatementLineage>()
    for (const { part, statement } of own) {
      for (const upstream of visibleSources(part, visible, writers)) {
        if (!broughtBy.has(upstream)) broughtBy.set(upstream, statement)
      }
    }
    const statements = [...new Set(own.map(({ statement }) => statement))]
    return { downstream, upstreams: [...broughtBy.keys()], broughtBy, statements }
  })
}

/** By table, what writes it: a statement, or a part of one. */
type Writers = Map<string, { readonly part: StatementLineage; readonly statement: StatementLineage }[]>

/** The statements of a routine's body, where they write all that it writes; else the statement itself. */
function partsOf(statement: StatementLineage): readonly StatementLineage[] {
  const parts = (statement.body ?? []).flatMap(partsOf)
  const written = new Set(parts.flatMap((part) => part.outputs))
  return statement.outputs.every((output) => written.has(output)) && parts.length > 0 ? parts : [statement]
}

function visibleSources(statement: StatementLineage, visible: ReadonlySet<string>, writers: Writers): Set<string> {
  const found = new Set<string>()
  const seen = new Set<string>()
  const open = [...sourcesOf(statement)]
  for (let table = open.pop(); table !== undefined; table = open.pop()) {
    if (seen.has(table)) continue
    seen.add(table)
    if (visible.has(table)) found.add(table)
    else open.push(...(writers.get(table) ?? []).flatMap(({ part }) => sourcesOf(part)))
  }
  return found
}

/** A statement that only takes a table away or changes its shape moves no rows into it. */
const MOVES_NOTHING: ReadonlySet<StatementKind> = new Set(['drop', 'truncate', 'alter', 'delete'])

function sourcesOf(statement: StatementLineage): readonly string[] {
  if (MOVES_NOTHING.has(statement.kind)) return []
  // An UPDATE counts its own target among its inputs; that is no edge between tables unless a column says so.
  const own = new Set(statement.outputs)
  const real = new Set(statement.columns.flatMap((column) => column.upstreams.flatMap((up) => up.table ?? [])))
  // A statement that reads temporary tables only has no inputs of its own; its columns know what is behind them.
  const all = new Set([...statement.inputs, ...real])
  return [...all].filter((input) => !own.has(input) || (statement.kind !== 'update' && real.has(input)))
}
