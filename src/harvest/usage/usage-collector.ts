/**
 * From statements with a time to what was read, what was changed, and what ran how often. A log that grew is read from
 * where the last harvest came to: what it says then is added to what its file said before, which is remembered by bucket
 * of time, entity and file.
 *
 *     entries ─► books by file ─┐
 *                               ├─ added up ─► events        (facts older than KEPT_MS are forgotten)
 *     facts of earlier runs ────┘
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import type { DatasetUrn, Urn } from '../../model/urn.ts'
import type { StatementLineage } from '../../sql/types.ts'
import { Recent } from '../../sql/workers/recent.ts'
import type { Doubt } from '../account.ts'
import type { AnalysedUnit } from '../analyse.ts'
import type { Intent } from '../aspects.ts'
import { evidenceOf, textOf, userUrn } from '../fold.ts'
import type { Namer, NameRules } from '../naming.ts'
import { QueryBook } from '../query-book.ts'
import type { DeclaredLineage, RepeatedEntry, SqlText } from '../sql-unit.ts'
import type { HarvestMemory } from '../unit-memory.ts'
import { KnownStatements, type StatementUse } from './known-statements.ts'
import { OperationBook } from './operation-book.ts'
import { operationType } from './operation.ts'
import { addCounts, UsageBook, usageAspect, usageAspectName, type UsageCounts } from './usage-book.ts'
import type { UsageRules } from './usage-rules.ts'

/** Buckets that are looked up together. */
const TOGETHER = 500
/** For how long before the newest use it is known what each file of a log said: a log that grows tells of late. */
export const KEPT_MS = 35 * 86_400_000
/** Digits of a time in a key, so that keys are in order of time. */
const TIME_DIGITS = 14
/** Users whose URNs are at hand. */
const MAX_ACTORS = 10_000

export interface UsageOptions {
  readonly origin: string
  readonly namer: Namer
  /** Changes with the columns of a dataset. */
  readonly versionOf: (dataset: DatasetUrn) => string
  readonly keepText: (sql: string, rules: NameRules) => string
  readonly rules: UsageRules
  /** Tables that are temporary by their name. */
  readonly isTemporary: (table: string, rules: NameRules) => boolean
  /** Whether statements that only read are counted and kept as queries, too. */
  readonly readQueries: boolean
}

export class UsageCollector {
  readonly #options: UsageOptions
  /** Statements that operations, or counts of queries, speak of. */
  readonly queries = new QueryBook()
  /** By file of the log. */
  readonly #books = new Map<string, UsageBook>()
  readonly #operations = new OperationBook()
  readonly #known: KnownStatements
  readonly #actors = new Recent<Urn>(MAX_ACTORS)
  /** Files that were read from where an earlier harvest came to. */
  readonly #continued = new Set<string>()

  constructor(options: UsageOptions) {
    this.#options = options
    this.#known = new KnownStatements(options.versionOf)
  }

  /** Says that a file was not read from its beginning. */
  continues(file: string): void {
    this.#continued.add(file)
  }

  add({ unit, lineage }: AnalysedUnit): void {
    const { namer, isTemporary } = this.#options
    const { rules } = unit
    // Nobody looks for a table that went with its session.
    const lasting = new Set(
      Object.values(lineage.tables)
        .flat()
        .filter((table) => !isTemporary(table, rules)),
    )
    const uses: StatementUse[] = []
    for (const statement of lineage.statements) {
      const text = textOf(unit, statement)
      if (text.carried === true || !this.#isInWindow(text.timeMs)) continue
      const { kind, fingerprint } = statement
      const inputs = statement.inputs.filter((table) => lasting.has(table))
      const outputs = statement.outputs.filter((table) => lasting.has(table))
      const reads = inputs.map((table) => {
        const dataset = namer.datasetOf(table, rules)
        const fields = columnsRead(statement, table).map((column) => namer.fieldOf(dataset, column, rules))
        return [dataset, [...new Set(fields)]] as const
      })
      const writes = outputs.map((table) => namer.datasetOf(table, rules))
      uses.push(this.#take({ text, rules, kind, fingerprint, reads: new Map(reads), writes }))
    }
    const isWhole = uses.length === lineage.statements.length
    if (unit.statement !== undefined && isWhole) this.#known.keep(unit.statement, uses)
  }

  /** Counts a statement that ran before; false where it must be read. */
  again({ statement, text }: Pick<RepeatedEntry, 'statement' | 'text'>): boolean {
    if (!this.#isInWindow(text.timeMs)) return true
    const uses = this.#known.find(statement)
    for (const use of uses ?? []) this.#count(use, text)
    return uses !== undefined
  }

  /** @param kind what the statement is, where its SQL was understood */
  addDeclared(
    { text, rules, upstreams, downstreams }: DeclaredLineage,
    kind: StatementLineage['kind'] = 'other',
  ): void {
    if (!this.#isInWindow(text.timeMs)) return
    const { namer } = this.#options
    this.#take({
      text,
      rules,
      kind,
      fingerprint: text.sql,
      reads: new Map(upstreams.map((name) => [namer.namedDataset(name, rules), []])),
      writes: downstreams.map((name) => namer.namedDataset(name, rules)),
    })
  }

  #isInWindow(timeMs: number | undefined): boolean {
    const { fromMs, untilMs } = this.#options.rules
    return timeMs !== undefined && timeMs >= fromMs && timeMs < untilMs
  }

  #take({ text, rules, kind, fingerprint, reads, writes }: Ran): StatementUse {
    const { origin, keepText, readQueries } = this.#options
    const isKept = writes.length > 0 || (readQueries && reads.size > 0)
    const evidence = evidenceOf(text, { origin, keepText, rules, fingerprint })
    if (isKept) this.queries.add(evidence, { writes, reads })
    const shown = shortened(evidence.sql, this.#options.rules.queryLength)
    const use = { kind, reads, writes, query: evidence.query, isKept, shown }
    this.#count(use, text)
    return use
  }

  /** Counts an execution of a statement. */
  #count(
    { kind, reads, writes, query, isKept, shown }: StatementUse,
    { file, timeMs, user, operation }: SqlText,
  ): void {
    if (timeMs === undefined) return
    const book = this.#books.get(file) ?? new UsageBook(this.#options.rules.bucket)
    this.#books.set(file, book)
    const actor = user === undefined ? undefined : this.#actorOf(user)
    if (user === undefined || this.#options.rules.counts(user)) {
      const by = actor === undefined ? {} : { user: actor }
      const statement = { query, shown }
      for (const [dataset, fields] of reads) book.add({ of: dataset, timeMs, fields, statement, ...by })
      if (isKept) book.add({ of: query, timeMs, fields: [], ...by })
    }
    if (writes.length === 0) return
    const type = operationType(kind, operation)
    for (const dataset of writes) this.#operations.add({ dataset, timeMs, type, actor, query })
  }

  #actorOf(user: string): Urn {
    const known = this.#actors.get(user)
    if (known !== undefined) return known
    const actor = userUrn(user)
    this.#actors.set(user, actor)
    return actor
  }

  /**
   * What the catalog shall say, and the facts by which a later harvest goes on. Buckets that say what they said are left
   * out; so are those that are too old to know what other files said of them, unless all files were read.
   * @param remember told of each fact
   */
  async *intents(
    memory: HarvestMemory,
    remember: (key: string, value: JsonValue | undefined) => Promise<void>,
    doubt: (doubt: Doubt) => void,
  ): AsyncGenerator<Intent> {
    const { origin, rules } = this.#options
    const buckets = this.#buckets()
    const keys = [...buckets.keys()]
    const horizonMs = Math.max(...[...buckets.values()].map(({ startMs }) => startMs), 0) - KEPT_MS
    let late = 0
    for (let start = 0; start < keys.length; start += TOGETHER) {
      const some = keys.slice(start, start + TOGETHER)
      const known = await memory.read(some)
      for (const key of some) {
        const bucket = buckets.get(key)
        if (bucket === undefined) continue
        const { of, startMs } = bucket
        const isOld = startMs < horizonMs
        if (isOld && this.#continued.size > 0) {
          late++
          continue
        }
        const former = known.get(key)
        const files = this.#together(bucket.files, isJsonObject(former) ? former : {})
        if (JSON.stringify(files) === JSON.stringify(former)) continue
        const counts = addCounts(Object.values(files) as unknown as readonly UsageCounts[])
        const intent = usageAspect(of, startMs, counts, { origin, ...rules })
        yield { urn: of, aspectName: usageAspectName(of), intent }
        if (!isOld) await remember(key, files)
      }
    }
    yield* this.#operations.intents(origin)
    if (late > 0) doubt(tooLate(late))
    await this.#forget(horizonMs, memory, remember)
  }

  /** Facts are found in order of time: those that are too old stand first. */
  async #forget(
    horizonMs: number,
    memory: HarvestMemory,
    remember: (key: string, value: undefined) => Promise<void>,
  ): Promise<void> {
    const horizon = this.#keyOf('', horizonMs)
    for await (const keys of memory.keys(usagePrefix(this.#options.origin))) {
      for (const key of keys) {
        if (key >= horizon) return
        await remember(key, undefined)
      }
    }
  }

  #keyOf(of: string, startMs: number): string {
    return `${usagePrefix(this.#options.origin)}${String(Math.max(0, startMs)).padStart(TIME_DIGITS, '0')}/${of}`
  }

  /** What each file says of a bucket of time of an entity. */
  #buckets(): ReadonlyMap<string, UsageFact> {
    const buckets = new Map<string, UsageFact>()
    for (const [file, book] of this.#books) {
      for (const { of, startMs, counts } of book.buckets()) {
        const key = this.#keyOf(of, startMs)
        const bucket = buckets.get(key) ?? { of, startMs, files: new Map<string, UsageCounts>() }
        bucket.files.set(file, counts)
        buckets.set(key, bucket)
      }
    }
    return buckets
  }

  #together(now: ReadonlyMap<string, UsageCounts>, former: JsonObject): JsonObject {
    const files = Object.entries(former).filter(([file]) => !now.has(file))
    for (const [file, counts] of now) {
      const before = this.#continued.has(file) ? former[file] : undefined
      // We wrote it.
      const sum = before === undefined ? counts : addCounts([before as unknown as UsageCounts, counts])
      files.push([file, sum as unknown as JsonObject])
    }
    return Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** A statement with what it read and wrote. */
interface Ran {
  readonly text: SqlText
  readonly rules: NameRules
  readonly kind: StatementLineage['kind']
  readonly fingerprint: string
  /** Field paths by dataset. */
  readonly reads: StatementUse['reads']
  readonly writes: readonly DatasetUrn[]
}

interface UsageFact {
  readonly of: Urn
  readonly startMs: number
  readonly files: Map<string, UsageCounts>
}

function usagePrefix(origin: string): string {
  return `${origin}/usage/`
}

function tooLate(buckets: number): Doubt {
  const days = KEPT_MS / 86_400_000
  const message = `${buckets} counts of usage are of more than ${days} days before the newest and were not added: what the log said of them is no longer known; --full counts all of it anew`
  return { code: 'USAGE_TOO_OLD', message, place: {} }
}

function shortened(sql: string, length: number): string {
  return sql.length <= length ? sql : `${sql.slice(0, Math.max(0, length - ELLIPSIS.length))}${ELLIPSIS}`
}

const ELLIPSIS = ' ...'

/** Columns of a table that a statement reads, for a value or otherwise. */
function columnsRead({ columns, indirect }: StatementLineage, table: string): readonly string[] {
  const used = [...columns.flatMap((column) => column.upstreams), ...indirect]
  return [...new Set(used.filter((one) => one.table === table && one.column !== '*').map((one) => one.column))]
}
