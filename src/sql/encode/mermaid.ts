import type { EdgeKind, ScriptLineage } from '../types.ts'
import { lineageGraph } from './graph.ts'

const ARROWS: Readonly<Record<EdgeKind, string>> = { IDENTITY: '-->', TRANSFORMED: '-.->', AGGREGATED: '==>' }

/**
 * A Mermaid flowchart: a box a table, a node a column. A plain arrow copies, a dotted one transforms, a thick one
 * aggregates; a line with a round end joins tables whose columns say nothing of each other.
 */
export function encodeMermaid(lineage: ScriptLineage): string {
  const graph = lineageGraph(lineage)
  const ids = new Map<string, string>()
  const lines = ['flowchart LR']
  graph.tables.forEach((table, t) => {
    ids.set(table.name, `t${t}`)
    lines.push(`  subgraph t${t}["${escape(table.name)}"]`)
    table.columns.forEach((column, c) => {
      ids.set(`${table.name}\u0000${column}`, `t${t}c${c}`)
      lines.push(`    t${t}c${c}["${escape(column)}"]`)
    })
    lines.push('  end')
  })
  for (const { from, to, kind } of graph.columnEdges) {
    const [a, b] = [from, to].map((end) => ids.get(`${end.table}\u0000${end.column}`))
    lines.push(`  ${a} ${ARROWS[kind]} ${b}`)
  }
  for (const { from, to } of graph.tableEdges) lines.push(`  ${ids.get(from)} --o ${ids.get(to)}`)
  return `${lines.join('\n')}\n`
}

/** Mermaid takes HTML entities, with `#` for the ampersand, inside quoted labels. */
function escape(label: string): string {
  return label
    .replaceAll('#', '#35;')
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('>', '#gt;')
    .replaceAll(/\s+/g, ' ')
}
