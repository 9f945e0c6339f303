/**
 * Statements to one lineage per downstream dataset: dataset edges and column edges together, each with the statement
 * that it comes from. What several statements say of one dataset adds up.
 */
import { createHash } from 'node:crypto'
import { schemaFieldUrn, type DatasetUrn, type SchemaFieldUrn, type Urn } from '../model/urn.ts'
import { sumByDownstream, uniqueUpstreams } from '../sql/encode/columns.ts'
import { datasetEdges } from '../sql/encode/dataset-edges.ts'
import type { ColumnLineage, StatementLineage } from '../sql/types.ts'
import type { AnalysedUnit } from './analyse.ts'
import { fieldPathOf, type Namer, type NameRules } from './naming.ts'
import type { DeclaredLineage, SqlText, SqlUnit } from './sql-unit.ts'

/** The statement behind an edge. */
export interface Evidence {
  readonly query: Urn
  /** File and line, for people. */
  readonly at: string
  readonly sql: string
  readonly timeMs: number | undefined
}

export interface UpstreamEdge {
  readonly dataset: DatasetUrn
  readonly type: 'VIEW' | 'TRANSFORMED'
  readonly evidence: Evidence
}

interface FieldEdge {
  readonly downstream: SchemaFieldUrn
  readonly upstreams: ReadonlySet<SchemaFieldUrn>
  /** `COPY`, or the expression. */
  readonly operation: string
  readonly confidence: number
  /** Why it is below 1. */
  readonly reasons: readonly string[]
  readonly evidence: Evidence
}

/** All that is known of where one dataset comes from. */
export interface DatasetLineage {
  readonly upstreams: Map<DatasetUrn, UpstreamEdge>
  readonly fields: Map<SchemaFieldUrn, FieldEdge>
}

/** Longest expression and statement that are kept. */
const MAX_OPERATION_LENGTH = 1000
const MAX_SQL_LENGTH = 20_000

export class LineageFold {
  /** Platforms of the sources. */
  readonly platforms = new Set<string>()
  readonly #namer: Namer
  readonly #origin: string
  readonly #byDataset = new Map<DatasetUrn, DatasetLineage>()
  readonly #referenced = new Set<DatasetUrn>()

  /** @param origin of all edges; part of the ids of their queries */
  constructor(namer: Namer, origin: string) {
    this.#namer = namer
    this.#origin = origin
  }

  get datasets(): ReadonlyMap<DatasetUrn, DatasetLineage> {
    return this.#byDataset
  }

  /** Every dataset that is an end of an edge. */
  get referenced(): ReadonlySet<DatasetUrn> {
    return this.#referenced
  }

  add({ unit, lineage }: AnalysedUnit): void {
    const { rules } = unit
    const columns = Map.groupBy(sumByDownstream(lineage.columns), (column) => column.downstream.table)
    for (const edges of datasetEdges(lineage)) {
      const statement = edges.statements.at(-1)
      const own = columns.get(edges.downstream) ?? []
      if (statement === undefined || edges.upstreams.length === 0) continue
      const downstream = this.#namer.datasetOf(edges.downstream, rules)
      const evidence = this.#evidenceOf(unit, statement)
      const type = edges.statements.some(isView) ? 'VIEW' : 'TRANSFORMED'
      for (const table of edges.upstreams) {
        this.#addUpstream(downstream, { dataset: this.#namer.datasetOf(table, rules), type, evidence })
      }
      for (const column of own) this.#addField(downstream, column, rules, evidence)
    }
  }

  /** Edges that a log states itself, between each pair. */
  addDeclared({ text, rules, upstreams, downstreams }: DeclaredLineage): void {
    const evidence = this.#evidence(text, text.sql, text.sql)
    const datasetOf = (name: string): DatasetUrn =>
      name.startsWith('urn:li:dataset:') ? (name as DatasetUrn) : this.#namer.datasetOf(name, rules)
    for (const downstream of downstreams.map(datasetOf)) {
      for (const dataset of upstreams.map(datasetOf))
        this.#addUpstream(downstream, { dataset, type: 'TRANSFORMED', evidence })
    }
  }

  #addUpstream(downstream: DatasetUrn, edge: UpstreamEdge): void {
    this.#referenced.add(downstream).add(edge.dataset)
    this.#lineageOf(downstream).upstreams.set(edge.dataset, edge)
  }

  #addField(downstream: DatasetUrn, column: ColumnLineage, rules: NameRules, evidence: Evidence): void {
    if (column.downstream.column === '*') return
    const upstreams = uniqueUpstreams(column.upstreams).flatMap(({ table, column: name }) => {
      if (table === null || name === '*') return []
      return [schemaFieldUrn(this.#namer.datasetOf(table, rules), fieldPathOf(name, rules))]
    })
    if (upstreams.length === 0) return
    const field = schemaFieldUrn(downstream, fieldPathOf(column.downstream.column, rules))
    const { fields } = this.#lineageOf(downstream)
    const before = fields.get(field)
    fields.set(field, {
      downstream: field,
      upstreams: new Set([...(before?.upstreams ?? []), ...upstreams]),
      operation: operationOf(column),
      confidence: Math.min(before?.confidence ?? 1, column.confidence),
      reasons: [...new Set([...(before?.reasons ?? []), ...column.reasons])],
      evidence,
    })
  }

  #lineageOf(downstream: DatasetUrn): DatasetLineage {
    const known = this.#byDataset.get(downstream)
    if (known !== undefined) return known
    const made = { upstreams: new Map<DatasetUrn, UpstreamEdge>(), fields: new Map<SchemaFieldUrn, FieldEdge>() }
    this.#byDataset.set(downstream, made)
    return made
  }

  #evidenceOf(unit: SqlUnit, statement: StatementLineage): Evidence {
    const text = textOf(unit, statement)
    const sql = text.wholeFile ? text.sql.slice(statement.span.start, statement.span.end) : text.sql
    return this.#evidence(text, sql, statement.fingerprint, statement.span.line)
  }

  #evidence(text: SqlText, sql: string, fingerprint: string, line = 1): Evidence {
    const id = createHash('sha256').update(fingerprint).digest('hex').slice(0, 24)
    return {
      query: `${queryPrefix(this.#origin)}${id}` as Urn,
      at: `${text.file}:${text.wholeFile ? line : text.line}`,
      sql: sql.trim().slice(0, MAX_SQL_LENGTH),
      timeMs: text.timeMs,
    }
  }
}

/** Beginning of the URNs of all queries that a harvest writes. */
export const QUERY_PREFIX = 'urn:li:query:headwater.'

/** Beginning of the URNs of an origin's query entities: by it an edge is known to be this origin's. */
export function queryPrefix(origin: string): string {
  return `${QUERY_PREFIX}${createHash('sha256').update(origin).digest('hex').slice(0, 12)}.`
}

/** The text that a statement of a session stands in. */
export function textOf(unit: SqlUnit, statement: { readonly file?: string }): SqlText {
  const at = unit.texts.length === 1 ? 0 : Number(statement.file ?? 0)
  const text = unit.texts[at] ?? unit.texts[0]
  if (text === undefined) throw new TypeError('a unit without texts')
  return text
}

function isView({ kind }: StatementLineage): boolean {
  return kind === 'view' || kind === 'materializedView'
}

function operationOf(column: ColumnLineage): string {
  const copies = column.upstreams.every((upstream) => upstream.kind === 'IDENTITY')
  if (copies) return 'COPY'
  return (column.transformation ?? 'TRANSFORM').replaceAll(/\s+/g, ' ').slice(0, MAX_OPERATION_LENGTH)
}
