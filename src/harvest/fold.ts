/**
 * Statements to one lineage per downstream dataset: dataset edges and column edges together, each with the statement
 * that it comes from. What several statements say of one dataset adds up; what they say of one column in different ways
 * stays apart, so that each expression keeps its own statement. Of equal sayings the first counts: so a log that is read
 * in two halves comes to the same as one that is read at once.
 */
import { hash } from 'node:crypto'
import { asUrn, schemaFieldUrn, type DatasetUrn, type SchemaFieldUrn, type Urn } from '../model/urn.ts'
import { othersTurn } from '../observe/turns.ts'
import { sumByDownstream, uniqueUpstreams } from '../sql/encode/columns.ts'
import { datasetEdges } from '../sql/encode/dataset-edges.ts'
import type { ColumnLineage, StatementLineage } from '../sql/types.ts'
import type { AnalysedUnit } from './analyse.ts'
import type { CoverageBook } from './coverage.ts'
import { HeldEvidence } from './held-evidence.ts'
import type { Namer, NameRules } from './naming.ts'
import { Shared } from './shared.ts'
import type { DeclaredLineage, SqlText, SqlUnit } from './sql-unit.ts'

/** The statement behind an edge. */
export interface Evidence {
  readonly query: Urn
  /** File and line, for people. */
  readonly at: string
  readonly sql: string
  readonly platform: string
  /** When it ran and who ran it, where a log tells it. */
  readonly timeMs: number | undefined
  readonly user?: Urn | undefined
}

export interface UpstreamEdge {
  readonly dataset: DatasetUrn
  readonly type: 'COPY' | 'TRANSFORMED' | 'VIEW'
  readonly evidence: Evidence
}

export interface FieldEdge {
  readonly downstream: SchemaFieldUrn
  /** Each once. */
  readonly upstreams: readonly SchemaFieldUrn[]
  /** `COPY`, or the expression. */
  readonly operation: string
  readonly confidence: number
  /** Why it is below 1. */
  readonly reasons: readonly string[]
  readonly evidence: Evidence
  /** `line:column` of the expression in its file, where the statement's file is known. */
  readonly place?: string
}

/** All that is known of where one dataset comes from. */
export interface DatasetLineage {
  readonly upstreams: Map<DatasetUrn, UpstreamEdge>
  readonly fields: Map<SchemaFieldUrn, readonly FieldEdge[]>
}

/** Longest expression that is kept. */
const MAX_OPERATION_LENGTH = 1000
/**
 * Ways to fill one column that are kept apart, each with its own statement; those beyond are joined into one, so that a
 * long log stays small, and so does an aspect: that of a table with 8 columns, each filled in 50 ways, is 250 KB.
 */
const MAX_WAYS = 12
/** What an expression is called that is one of too many. */
const MANY = 'TRANSFORM'

/** What a fold asks of the statements' texts. */
export interface FoldOptions {
  readonly namer: Namer
  /** Of all edges; part of the ids of their queries. */
  readonly origin: string
  /** Tables that are temporary by their name: edges of those that a session did not fold are not drawn. */
  readonly isTemporary: (table: string, rules: NameRules) => boolean
  /** How a statement's text is kept: masked, shortened. */
  readonly keepText: (sql: string, rules: NameRules) => string
  /** Told of each column and table that a statement writes. */
  readonly coverage: CoverageBook
  /** Where texts may lie until the fold is disposed of. */
  readonly scratchFolder: string
}

export class LineageFold implements Disposable {
  /** Platforms of the sources. */
  readonly platforms = new Set<string>()
  readonly #options: FoldOptions
  readonly #byDataset = new Map<DatasetUrn, DatasetLineage>()
  readonly #referenced = new Set<DatasetUrn>()
  readonly #shared = new Shared()
  readonly #held: HeldEvidence

  constructor(options: FoldOptions) {
    this.#options = options
    this.#held = new HeldEvidence(options.scratchFolder)
  }

  /** From now on the texts of its evidence cannot be read. */
  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }

  get datasets(): ReadonlyMap<DatasetUrn, DatasetLineage> {
    return this.#byDataset
  }

  /** Every dataset that is an end of an edge. */
  get referenced(): ReadonlySet<DatasetUrn> {
    return this.#referenced
  }

  async add({ unit, lineage }: AnalysedUnit): Promise<void> {
    const { rules } = unit
    const { namer, isTemporary } = this.#options
    const evidences = new Map<StatementLineage, Evidence>()
    const evidenceFor = (statement: StatementLineage): Evidence => {
      const known = evidences.get(statement) ?? this.#evidenceOf(unit, statement)
      evidences.set(statement, known)
      return known
    }
    for (const { downstream: table, broughtBy, statements } of datasetEdges(lineage)) {
      await othersTurn()
      if (broughtBy.size === 0 || isTemporary(table, rules)) continue
      const downstream = namer.datasetOf(table, rules)
      this.#options.coverage.table(rules.platform, downstream)
      const type = statements.some(isView) ? 'VIEW' : 'TRANSFORMED'
      for (const [upstream, statement] of broughtBy) {
        if (isTemporary(upstream, rules)) continue
        this.#addUpstream(downstream, {
          dataset: namer.datasetOf(upstream, rules),
          type,
          evidence: evidenceFor(statement),
        })
      }
      for (const statement of statements) {
        const own = statement.columns.filter((column) => column.downstream.table === table)
        const { wholeFile } = textOf(unit, statement)
        for (const column of sumByDownstream(own)) {
          this.#addField(downstream, column, rules, evidenceFor(statement), wholeFile)
        }
      }
    }
  }

  /** Edges that a source states itself, between each pair. */
  addDeclared({ text, rules, upstreams, downstreams, fields }: DeclaredLineage): void {
    const evidence = evidenceOf(text, { ...this.#options, rules, fingerprint: text.sql })
    const datasetOf = (name: string): DatasetUrn => this.#options.namer.namedDataset(name, rules)
    for (const downstream of downstreams.map(datasetOf)) {
      for (const dataset of upstreams.map(datasetOf))
        this.#addUpstream(downstream, { dataset, type: 'TRANSFORMED', evidence })
      for (const field of fields ?? []) {
        this.#keepField(downstream, { ...field, upstreams: [...field.upstreams], evidence, reasons: [] })
      }
    }
  }

  #addUpstream(downstream: DatasetUrn, edge: UpstreamEdge): void {
    this.#referenced.add(downstream).add(edge.dataset)
    const { upstreams } = this.#lineageOf(downstream)
    const before = upstreams.get(edge.dataset)
    // A view says more than that something is derived.
    if (before === undefined || (before.type !== 'VIEW' && edge.type === 'VIEW')) {
      upstreams.set(edge.dataset, { ...edge, evidence: this.#held.hold(edge.evidence) })
    }
  }

  #addField(
    downstream: DatasetUrn,
    column: ColumnLineage,
    rules: NameRules,
    evidence: Evidence,
    wholeFile: boolean,
  ): void {
    const { namer, isTemporary, coverage, keepText } = this.#options
    coverage.column(rules.platform, downstream, column)
    if (column.downstream.column === '*') return
    const upstreams = uniqueUpstreams(column.upstreams).flatMap(({ table, column: name }) => {
      if (table === null || name === '*' || isTemporary(table, rules)) return []
      const dataset = namer.datasetOf(table, rules)
      return [schemaFieldUrn(dataset, namer.fieldOf(dataset, name, rules))]
    })
    if (upstreams.length === 0) return
    const { span } = column
    this.#keepField(downstream, {
      downstream: this.#shared.text(
        schemaFieldUrn(downstream, namer.fieldOf(downstream, column.downstream.column, rules)),
      ),
      upstreams: this.#shared.list(upstreams),
      operation: operationOf(column, (text) => keepText(text, rules)),
      confidence: column.confidence,
      reasons: this.#shared.list(column.reasons),
      evidence,
      ...(span === undefined || !wholeFile ? {} : { place: `${span.line}:${span.column}` }),
    })
  }

  #keepField(dataset: DatasetUrn, edge: FieldEdge): void {
    const { fields } = this.#lineageOf(dataset)
    const ways = fields.get(edge.downstream) ?? []
    if (ways.some((way) => way.operation === edge.operation && isWithin(edge.upstreams, way.upstreams))) return
    const same = ways.findIndex((way) => way.operation === edge.operation && way.evidence.query === edge.evidence.query)
    const full = ways.length >= MAX_WAYS ? ways.length - 1 : -1
    const at = same >= 0 ? same : full
    const before = ways[at]
    if (before === undefined) {
      fields.set(edge.downstream, [...ways, { ...edge, evidence: this.#held.hold(edge.evidence) }])
      return
    }
    if (same < 0 && before.operation === MANY && saysLess(edge, before)) return
    const joined = {
      ...before,
      upstreams: this.#shared.list([...before.upstreams, ...edge.upstreams]),
      operation: same >= 0 ? before.operation : MANY,
      confidence: Math.min(before.confidence, edge.confidence),
      reasons: [...new Set([...before.reasons, ...edge.reasons])],
    }
    fields.set(edge.downstream, ways.with(at, joined))
  }

  #lineageOf(downstream: DatasetUrn): DatasetLineage {
    const known = this.#byDataset.get(downstream)
    if (known !== undefined) return known
    const made: DatasetLineage = { upstreams: new Map(), fields: new Map() }
    this.#byDataset.set(downstream, made)
    this.#referenced.add(downstream)
    return made
  }

  #evidenceOf(unit: SqlUnit, statement: StatementLineage): Evidence {
    const text = textOf(unit, statement)
    const { fingerprint, span } = statement
    return evidenceOf(text, { ...this.#options, rules: unit.rules, fingerprint, span })
  }
}

/** Of columns that are few. */
function isWithin(some: readonly SchemaFieldUrn[], all: readonly SchemaFieldUrn[]): boolean {
  return some === all || some.every((one) => all.includes(one))
}

/** Whether an edge adds nothing to one that stands for many. */
function saysLess(edge: FieldEdge, many: FieldEdge): boolean {
  return (
    edge.confidence >= many.confidence &&
    isWithin(edge.upstreams, many.upstreams) &&
    edge.reasons.every((reason) => many.reasons.includes(reason))
  )
}

/** @param of whose statement it is, by what it is known again, and where in its text it stands (all of it when absent) */
export function evidenceOf(
  text: SqlText,
  of: Pick<FoldOptions, 'origin' | 'keepText'> & {
    readonly rules: NameRules
    readonly fingerprint: string
    readonly span?: StatementLineage['span']
  },
): Evidence {
  const { origin, keepText, rules, fingerprint, span } = of
  const sql = text.wholeFile && span !== undefined ? text.sql.slice(span.start, span.end) : text.sql
  return {
    query: queryUrn(origin, fingerprint),
    at: `${text.file}:${text.line + (text.wholeFile ? (span?.line ?? 1) - 1 : 0)}`,
    sql: keepText(sql.trim(), rules),
    platform: rules.platform,
    timeMs: text.timeMs,
    ...(text.user === undefined ? {} : { user: userUrn(text.user) }),
  }
}

/** Whom a log names: a user, unless it says otherwise. Logs name users in any way; a URN's key may be nearly anything. */
export function userUrn(user: string): Urn {
  if (/^urn:li:corp(user|Group):[^(]/.test(user)) return asUrn(user)
  return asUrn(`urn:li:corpuser:${user.replaceAll('\u0000', '').replace(/^\(/, '%28')}`)
}

/** Beginning of the URNs of all queries that a harvest writes. */
export const QUERY_PREFIX = 'urn:li:query:headwater.'

const prefixes = new Map<string, string>()

/** Beginning of the URNs of an origin's query entities: by it an edge is known to be this origin's. */
export function queryPrefix(origin: string): string {
  const known = prefixes.get(origin)
  if (known !== undefined) return known
  const made = `${QUERY_PREFIX}${hash('sha256', origin).slice(0, 12)}.`
  // A process harvests few origins.
  if (prefixes.size < 1000) prefixes.set(origin, made)
  return made
}

/** The query entity of a statement: one for all that differ in literals only. */
export function queryUrn(origin: string, fingerprint: string): Urn {
  return `${queryPrefix(origin)}${hash('sha256', fingerprint, 'buffer').toString('hex', 0, 12)}` as Urn
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

function operationOf({ upstreams, transformation }: ColumnLineage, keepText: (text: string) => string): string {
  const copies = upstreams.every((upstream) => upstream.kind === 'IDENTITY')
  if (copies) return 'COPY'
  const text = transformation === undefined ? MANY : keepText(transformation)
  return text.replaceAll(/\s+/g, ' ').slice(0, MAX_OPERATION_LENGTH)
}
