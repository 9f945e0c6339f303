/** Why one name does not lead to another: how far it reaches, what feeds the other, and what was not understood there. */
import type { ScriptLineage, StatementLineage } from '../types.ts'
import { columnName } from './columns.ts'
import { UnknownNameError } from './explain.ts'
import { diagnosticLine, position } from './tree.ts'

interface Edge {
  readonly from: string
  readonly to: string
  readonly statement: StatementLineage
}

/**
 * The way from one table or column to another, or where it breaks. Names may leave out leading parts.
 * @throws UnknownNameError
 */
export function explainMissing(lineage: ScriptLineage, from: string, to: string): string {
  const columns = edgesOfColumns(lineage)
  const tables = edgesOfTables(lineage)
  // A column that a definition names is known, also where nothing reads or writes it.
  const defined = new Set([...names(columns), ...definedColumns(lineage)])
  const ofColumns = [from, to].every((name) => match(name, defined).length > 0)
  const [edges, known] = ofColumns ? [columns, defined] : [tables, names(tables)]
  const [starts, ends] = [from, to].map((name) => {
    const found = match(name, known)
    if (found.length === 0) throw new UnknownNameError(name, new Set([...defined, ...names(tables)]))
    return found
  }) as [string[], string[]]
  const way = findWay(edges, starts, new Set(ends))
  const text = way === undefined ? breakOf(lineage, edges, starts, ends) : [`there is a way:`, ...way.map(edgeLine)]
  return `${text.join('\n')}\n`
}

function edgesOfColumns(lineage: ScriptLineage): Edge[] {
  return lineage.statements.flatMap((statement) =>
    statement.columns.flatMap((column) =>
      column.upstreams.map((up) => ({ from: columnName(up), to: columnName(column.downstream), statement })),
    ),
  )
}

function edgesOfTables(lineage: ScriptLineage): Edge[] {
  return lineage.statements.flatMap((statement) =>
    statement.inputs.flatMap((from) => statement.outputs.map((to) => ({ from, to, statement }))),
  )
}

function names(edges: readonly Edge[]): Set<string> {
  return new Set(edges.flatMap(({ from, to }) => [from, to]))
}

function definedColumns(lineage: ScriptLineage): string[] {
  return lineage.statements.flatMap(({ schemas }) =>
    schemas.flatMap(({ table, columns }) => columns.map(({ name: column }) => columnName({ table, column }))),
  )
}

function match(name: string, known: ReadonlySet<string>): string[] {
  const wanted = name.toLowerCase()
  return [...known].filter((one) => {
    const lower = one.toLowerCase()
    return lower === wanted || lower.endsWith(`.${wanted}`)
  })
}

function findWay(edges: readonly Edge[], starts: readonly string[], ends: ReadonlySet<string>): Edge[] | undefined {
  const cameBy = new Map<string, Edge | undefined>(starts.map((start) => [start, undefined]))
  const open = [...starts]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (ends.has(at)) return trace(at, cameBy)
    for (const edge of edges) {
      if (edge.from !== at || cameBy.has(edge.to)) continue
      cameBy.set(edge.to, edge)
      open.push(edge.to)
    }
  }
  return undefined
}

function trace(end: string, cameBy: ReadonlyMap<string, Edge | undefined>): Edge[] {
  const way: Edge[] = []
  for (let edge = cameBy.get(end); edge !== undefined; edge = cameBy.get(edge.from)) way.unshift(edge)
  return way
}

function edgeLine({ from, to, statement }: Edge): string {
  return `  ${from} -> ${to}  ${statement.kind} at ${position(statement.file, statement.span)}`
}

function breakOf(lineage: ScriptLineage, edges: readonly Edge[], starts: string[], ends: string[]): string[] {
  const reached = walk(edges, starts, 'to')
  const feeding = walk(edges, ends, 'from')
  const touched = new Set([...reached.edges, ...feeding.edges].map((edge) => edge.statement))
  const doubts = lineage.diagnostics.filter(
    (d) => d.severity !== 'info' && lineage.statements.some((s) => s.index === d.statement && isNear(s, touched)),
  )
  return [
    `no way from ${starts.join(', ')} to ${ends.join(', ')}`,
    ...section(`${starts.join(', ')} reaches`, reached.edges),
    ...section(`${ends.join(', ')} is fed by`, feeding.edges),
    ...(doubts.length === 0
      ? ['nothing on either side was left in doubt: the statement that would join them is not in what was read']
      : ['what was not understood on either side:', ...doubts.map((d) => `  ${diagnosticLine(d)}`)]),
  ]
}

function section(title: string, edges: readonly Edge[]): string[] {
  return edges.length === 0 ? [`${title}: nothing`] : [`${title}:`, ...edges.map(edgeLine)]
}

function isNear(statement: StatementLineage, touched: ReadonlySet<StatementLineage>): boolean {
  return touched.has(statement) || statement.outputs.length + statement.inputs.length === 0
}

/** All edges that lead on from the names (`to`), or back from them (`from`). */
function walk(edges: readonly Edge[], starts: readonly string[], direction: 'from' | 'to'): { edges: Edge[] } {
  const other = direction === 'to' ? 'from' : 'to'
  const seen = new Set(starts)
  const found: Edge[] = []
  const open = [...starts]
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    for (const edge of edges) {
      if (edge[other] !== at || found.includes(edge)) continue
      found.push(edge)
      if (!seen.has(edge[direction])) open.push(edge[direction])
      seen.add(edge[direction])
    }
  }
  return { edges: found }
}
