import type { ScriptLineage } from '../types.ts'
import { columnName, sumByDownstream } from './columns.ts'
import { datasetEdges } from './dataset-edges.ts'

/** What a change of SQL does to lineage. */
export interface LineageDiff {
  /** `downstream <- upstream`, columns and tables, sorted. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Edges that stay and whose value comes about in another way. */
  readonly changed: readonly { readonly edge: string; readonly before: string; readonly after: string }[]
}

/** Edges that only one side has, and those whose kind or expression differs. */
export function diffLineage(before: ScriptLineage, after: ScriptLineage): LineageDiff {
  const [old, next] = [factsOf(before), factsOf(after)]
  const changed = [...old].flatMap(([edge, how]) => {
    const now = next.get(edge)
    return now === undefined || now === how ? [] : [{ edge, before: how, after: now }]
  })
  return {
    added: [...next.keys()].filter((edge) => !old.has(edge)).toSorted(),
    removed: [...old.keys()].filter((edge) => !next.has(edge)).toSorted(),
    changed: changed.toSorted((a, b) => a.edge.localeCompare(b.edge)),
  }
}

function factsOf(lineage: ScriptLineage): Map<string, string> {
  const facts = new Map<string, string>()
  for (const { downstream, upstreams } of datasetEdges(lineage)) {
    for (const upstream of upstreams) facts.set(`${downstream} <- ${upstream}`, '')
  }
  for (const column of sumByDownstream(lineage.columns)) {
    const text = column.transformation?.replaceAll(/\s+/g, ' ')
    for (const up of column.upstreams) {
      const how = up.kind === 'IDENTITY' || text === undefined ? up.kind : `${up.kind} ${text}`
      facts.set(`${columnName(column.downstream)} <- ${columnName(up)}`, how)
    }
  }
  return facts
}
