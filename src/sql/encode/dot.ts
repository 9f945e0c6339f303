import type { EdgeKind, ScriptLineage } from '../types.ts'
import { lineageGraph } from './graph.ts'

const STYLES: Readonly<Record<EdgeKind, string>> = { IDENTITY: 'solid', TRANSFORMED: 'dashed', AGGREGATED: 'bold' }

/** Graphviz: a table is a node with a port a column. Solid copies, dashed transforms, bold aggregates, dotted: tables only. */
export function encodeDot(lineage: ScriptLineage): string {
  const graph = lineageGraph(lineage)
  const ports = new Map<string, string>()
  const nodes = graph.tables.map((table, t) => {
    ports.set(table.name, `t${t}`)
    const rows = table.columns.map((column, c) => {
      ports.set(`${table.name}\u0000${column}`, `t${t}:c${c}`)
      return `<tr><td port="c${c}" align="left">${escape(column)}</td></tr>`
    })
    const head = `<tr><td bgcolor="lightgrey"><b>${escape(table.name)}</b></td></tr>`
    return `  t${t} [label=<<table border="0" cellborder="1" cellspacing="0">${head}${rows.join('')}</table>>];`
  })
  const edges = graph.columnEdges.map(({ from, to, kind }) => {
    const [a, b] = [from, to].map((end) => ports.get(`${end.table}\u0000${end.column}`))
    return `  ${a}:e -> ${b}:w [style=${STYLES[kind]}];`
  })
  const tables = graph.tableEdges.map(({ from, to }) => `  ${ports.get(from)} -> ${ports.get(to)} [style=dotted];`)
  return ['digraph lineage {', '  rankdir=LR;', '  node [shape=plain];', ...nodes, ...edges, ...tables, '}', ''].join(
    '\n',
  )
}

function escape(label: string): string {
  return label.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
