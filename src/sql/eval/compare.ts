/**
 * Is an answer right? Names meet without case, after defaults. Tables are right when the sets of inputs and of outputs
 * are both equal. Columns are right when the same downstream columns have the same sets of upstreams; left out on both
 * sides: upstreams without a table, `*` as the source of a named column, and outputs that then have no source.
 */
import type { ColumnLineage, ScriptLineage } from '../types.ts'
import { sumByDownstream } from '../encode/columns.ts'
import type { LineageCase } from './case.ts'

export interface Verdict {
  /** Undefined where the case says nothing of them. */
  readonly tables: Comparison | undefined
  readonly columns: Comparison | undefined
}

export interface Comparison {
  readonly exact: boolean
  readonly missing: readonly string[]
  readonly wrong: readonly string[]
  /** Facts in common. */
  readonly agreed: number
}

export function compareCase(one: LineageCase, actual: ScriptLineage): Verdict {
  return {
    tables: one.expectedTables === undefined ? undefined : compareTables(one, one.expectedTables, actual),
    columns: one.expectedColumns === undefined ? undefined : compareColumns(one, one.expectedColumns, actual),
  }
}

function compareTables(
  one: LineageCase,
  expected: NonNullable<LineageCase['expectedTables']>,
  actual: ScriptLineage,
): Comparison {
  const name = withDefaults(one)
  const targets = new Set(expected.targets.map(name))
  const isOwn = (table: string): boolean => one.ignoreSelf && targets.has(table)
  const facts = (inputs: readonly string[], outputs: readonly string[]): Set<string> =>
    new Set([
      ...inputs
        .map(name)
        .filter((table) => !isOwn(table))
        .map((table) => `input ${table}`),
      ...outputs.map((table) => `output ${name(table)}`),
    ])
  return compareSets(facts(expected.sources, expected.targets), facts(actual.tables.inputs, actual.tables.outputs))
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>

function compareColumns(
  one: LineageCase,
  expected: NonNullable<LineageCase['expectedColumns']>,
  actual: ScriptLineage,
): Comparison {
  const wanted = expectedEdges(one, expected)
  const found = actualEdges(one, actual, wanted)
  // An output that the case lists without a source that counts is not asked for.
  const kept = one.partialColumns ? new Map([...found].filter(([key]) => wanted.has(key))) : found
  return compareEdges(wanted, kept)
}

/**
 * Outputs are paired by name. What is left unpaired on both sides is paired by equal sources: names of unnamed
 * expressions differ from engine to engine.
 */
function compareEdges(wanted: Edges, found: Edges): Comparison {
  const open = new Map([...found].filter(([key]) => !wanted.has(key)))
  const renamed = new Map<string, string>()
  for (const [key, sources] of wanted) {
    if (found.has(key)) continue
    const twin = [...open].find(([other, set]) => tableOf(other) === tableOf(key) && equal(set, sources))
    if (twin === undefined) continue
    renamed.set(twin[0], key)
    open.delete(twin[0])
  }
  const facts = (edges: Edges): Set<string> =>
    new Set([...edges].flatMap(([key, sources]) => [...sources].map((s) => `${renamed.get(key) ?? key} <- ${s}`)))
  return compareSets(facts(wanted), facts(found))
}

function expectedEdges(one: LineageCase, expected: NonNullable<LineageCase['expectedColumns']>): Edges {
  const name = withDefaults(one)
  const edges = new Map<string, Set<string>>()
  for (const { target, sources } of expected) {
    const key = downstreamOfTarget(target, name)
    const set = edges.get(key) ?? new Set()
    for (const source of sources) {
      if (source.startsWith('?.')) continue
      const { table, column } = splitName(source)
      add(set, key, table === null ? null : name(table), column, one)
    }
    if (set.size > 0) edges.set(key, set)
  }
  return edges
}

/** Outputs of a query that share a name which no answer has stay apart: they are paired by their sources. */
function actualEdges(one: LineageCase, actual: ScriptLineage, wanted: Edges): Edges {
  const name = withDefaults(one)
  const edges = new Map<string, Set<string>>()
  const isApart = ({ downstream }: ColumnLineage): boolean =>
    downstream.table === null && !wanted.has(edgeKey(null, downstream.column))
  const lines = [...sumByDownstream(actual.columns.filter((line) => !isApart(line))), ...actual.columns.filter(isApart)]
  for (const [at, { downstream, upstreams }] of lines.entries()) {
    const named = edgeKey(downstream.table === null ? null : name(downstream.table), downstream.column)
    const key = downstream.table === null && edges.has(named) ? `${named}\u0000${at}` : named
    const set = edges.get(key) ?? new Set()
    for (const up of upstreams) add(set, key, up.table === null ? null : name(up.table), up.column, one)
    if (set.size > 0) edges.set(key, set)
  }
  return edges
}

function add(set: Set<string>, key: string, table: string | null, column: string, one: LineageCase): void {
  if (table === null || (column === '*' && !key.endsWith('\u0000*'))) return
  if (one.ignoreSelf && table === tableOf(key)) return
  set.add(`${table}.${column}`.toLowerCase())
}

/** `-.name` is an output of a bare query; the name may hold dots itself, and so may an expression's text. */
function downstreamOfTarget(target: string, name: (table: string) => string): string {
  if (target.startsWith('-.')) return edgeKey(null, target.slice(2))
  const end = target.search(/[()+*|]|\bcase\s/i)
  const dot = target.lastIndexOf('.', end < 0 ? target.length : end)
  const { table, column } = dot < 0 ? splitName(target) : { table: target.slice(0, dot), column: target.slice(dot + 1) }
  return edgeKey(table === null ? null : name(table), column)
}

function edgeKey(table: string | null, column: string): string {
  return `${table ?? '-'}\u0000${column}`.toLowerCase()
}

function tableOf(key: string): string {
  return key.slice(0, key.indexOf('\u0000'))
}

function splitName(name: string): { table: string | null; column: string } {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? { table: null, column: name } : { table: name.slice(0, dot), column: name.slice(dot + 1) }
}

/** The name in lower case, with the case's defaults in front where it lacks them. */
function withDefaults(one: LineageCase): (table: string) => string {
  const database = one.defaultDatabase?.toLowerCase()
  const schema = one.defaultSchema?.toLowerCase()
  return (table) => {
    const name = table.toLowerCase().replaceAll(/["`[\]]/g, '')
    if (/[/@:]/.test(name)) return name
    const parts = name.split('.').length
    if (parts === 1 && schema !== undefined)
      return database === undefined ? `${schema}.${name}` : `${database}.${schema}.${name}`
    return parts === 2 && database !== undefined ? `${database}.${name}` : name
  }
}

function compareSets(expected: ReadonlySet<string>, actual: ReadonlySet<string>): Comparison {
  const missing = [...expected].filter((fact) => !actual.has(fact)).map(readable)
  const wrong = [...actual].filter((fact) => !expected.has(fact)).map(readable)
  return { exact: missing.length + wrong.length === 0, missing, wrong, agreed: expected.size - missing.length }
}

function readable(fact: string): string {
  return fact.replace('-\u0000', '').replace('\u0000', '.')
}

function equal(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item))
}
