import { schemaFromTables } from '../../../src/sql/eval/schema.ts'
import type { DialectName, LineageOptions, ScriptLineage } from '../../../src/sql/types.ts'
import type { GoldenCase, GoldenEdge } from './format.ts'

/** The options with which a golden case is read. */
export function goldenOptions(golden: GoldenCase, dialect: DialectName): LineageOptions {
  return {
    dialect,
    profile: golden.profile,
    schema: schemaFromTables(golden.schemas),
    ...(golden.defaultDatabase === undefined ? {} : { defaultDatabase: golden.defaultDatabase }),
    ...(golden.defaultSchema === undefined ? {} : { defaultSchema: golden.defaultSchema }),
  }
}

/** What the case says, one line a fact, comparable with `actualFacts`. */
export function expectedFacts(golden: GoldenCase, actual: ScriptLineage): string[] {
  const names = golden.edges.some((edge) => edge.downstream.column === '?') ? namedEdges(golden, actual) : golden.edges
  return [
    ...names.map((edge) => expectedEdgeLine(edge)),
    `inputs: ${list(golden.inputs)}`,
    `outputs: ${list(golden.outputs)}`,
    ...(golden.intermediates === undefined ? [] : [`intermediates: ${list(golden.intermediates)}`]),
    ...(golden.indirect === undefined
      ? []
      : [`indirect: ${list(golden.indirect.map((use) => `${use.kind} ${name(use)}`))}`]),
    ...(golden.statements === undefined ? [] : [`statements: ${golden.statements.join(', ')}`]),
    ...golden.diagnostics.map((code) => `diagnostic: ${code}`),
  ].toSorted()
}

/** What the engine says of the same things. Kinds and branches appear where the case names them. */
export function actualFacts(golden: GoldenCase, actual: ScriptLineage): string[] {
  return [
    ...actualEdgeLines(golden, actual),
    `inputs: ${list(actual.tables.inputs)}`,
    `outputs: ${list(actual.tables.outputs)}`,
    ...(golden.intermediates === undefined ? [] : [`intermediates: ${list(actual.tables.intermediates)}`]),
    ...(golden.indirect === undefined ? [] : [`indirect: ${list(indirectUses(actual))}`]),
    ...(golden.statements === undefined ? [] : [`statements: ${actual.statements.map((s) => s.kind).join(', ')}`]),
    ...actual.diagnostics.filter((d) => d.severity !== 'info').map((d) => `diagnostic: ${d.code}`),
  ].toSorted()
}

function actualEdgeLines(golden: GoldenCase, actual: ScriptLineage): string[] {
  const withKinds = new Set<string>()
  const withBranch = new Set<string>()
  for (const edge of golden.edges) {
    if (edge.branch !== undefined) withBranch.add(name(edge.downstream))
    for (const up of edge.upstreams) if (up.kind !== undefined) withKinds.add(`${name(edge.downstream)} ${name(up)}`)
  }
  return actual.columns.map((column) => {
    const downstream = name(column.downstream)
    const upstreams = column.upstreams
      .filter((up) => up.table !== null)
      .map((up) => (withKinds.has(`${downstream} ${name(up)}`) ? `${name(up)} ${up.kind}` : name(up)))
    const branch = withBranch.has(downstream) && column.branch !== undefined ? ` [${column.branch}]` : ''
    return `${downstream} <- ${list(upstreams)}${branch}`
  })
}

function expectedEdgeLine(edge: GoldenEdge): string {
  const upstreams = edge.upstreams.map((up) => (up.kind === undefined ? name(up) : `${name(up)} ${up.kind}`))
  return `${name(edge.downstream)} <- ${list(upstreams)}${edge.branch === undefined ? '' : ` [${edge.branch}]`}`
}

/** Gives each `?` the name of an output that has its sources and that no other line of the case names. */
function namedEdges(golden: GoldenCase, actual: ScriptLineage): GoldenEdge[] {
  const taken = new Set(golden.edges.map((edge) => name(edge.downstream)))
  return golden.edges.map((edge) => {
    if (edge.downstream.column !== '?') return edge
    const sources = list(edge.upstreams.map(name))
    const match = actual.columns.find(
      (column) =>
        !taken.has(name(column.downstream)) &&
        column.downstream.table === edge.downstream.table &&
        list(column.upstreams.filter((up) => up.table !== null).map(name)) === sources,
    )
    if (match === undefined) return edge
    taken.add(name(match.downstream))
    return { ...edge, downstream: { ...match.downstream } }
  })
}

function indirectUses(actual: ScriptLineage): string[] {
  const uses = actual.statements.flatMap((s) => s.indirect.filter((use) => use.table !== null))
  return uses.map((use) => `${use.kind} ${name(use)}`)
}

function name(ref: { readonly table: string | null; readonly column: string }): string {
  return ref.table === null ? ref.column : `${ref.table}.${ref.column}`
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : [...new Set(names)].toSorted().join(', ')
}
