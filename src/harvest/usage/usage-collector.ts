/**
 * From statements with a time to what was read and what was changed. A log that grew is read from where the last harvest
 * came to: what it says then is added to what its file said before, which is remembered by dataset, day and file.
 */
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../../model/json.ts'
import { asUrn, type DatasetUrn, type Urn } from '../../model/urn.ts'
import type { StatementLineage } from '../../sql/types.ts'
import type { AnalysedUnit } from '../analyse.ts'
import type { Intent } from '../aspects.ts'
import { queryUrn, textOf } from '../fold.ts'
import type { Namer, NameRules } from '../naming.ts'
import type { DeclaredLineage, SqlText } from '../sql-unit.ts'
import type { HarvestMemory } from '../unit-memory.ts'
import { operationAspect } from './operation.ts'
import { addCounts, UsageBook, usageAspect, type UsageCounts } from './usage-book.ts'

/** Characters of a statement that stand with the day on which it was frequent. */
const MAX_TEXT = 1000
/** Days that are looked up together. */
const DAYS_TOGETHER = 500

export interface UsageOptions {
  readonly origin: string
  readonly namer: Namer
  readonly keepText: (sql: string, rules: NameRules) => string
}

export class UsageCollector {
  readonly #options: UsageOptions
  /** By file of the log. */
  readonly #books = new Map<string, UsageBook>()
  readonly #operations = new Map<string, Intent>()
  /** Files that were read from where an earlier harvest came to. */
  readonly #continued = new Set<string>()

  constructor(options: UsageOptions) {
    this.#options = options
  }

  /** Says that a file was not read from its beginning. */
  continues(file: string): void {
    this.#continued.add(file)
  }

  add({ unit, lineage }: AnalysedUnit): void {
    const { namer } = this.#options
    const { rules } = unit
    for (const statement of lineage.statements) {
      const text = textOf(unit, statement)
      if (text.carried === true || text.timeMs === undefined) continue
      for (const table of statement.inputs) {
        const dataset = namer.datasetOf(table, rules)
        const fields = columnsRead(statement, table).map((column) => namer.fieldOf(dataset, column, rules))
        this.#read(dataset, text, rules, fields)
      }
      for (const table of statement.outputs) {
        this.#write(namer.datasetOf(table, rules), text, statement.kind, statement.fingerprint)
      }
    }
  }

  addDeclared({ text, rules, upstreams, downstreams }: DeclaredLineage): void {
    const { namer } = this.#options
    for (const name of upstreams) this.#read(namer.namedDataset(name, rules), text, rules, [])
    for (const name of downstreams) this.#write(namer.namedDataset(name, rules), text, 'other', text.sql)
  }

  #read(dataset: DatasetUrn, text: SqlText, rules: NameRules, fields: readonly string[]): void {
    const { timeMs, user, sql, file } = text
    if (timeMs === undefined) return
    const book = this.#books.get(file) ?? new UsageBook()
    this.#books.set(file, book)
    const kept = this.#options.keepText(sql.trim(), rules).slice(0, MAX_TEXT)
    book.add({ dataset, timeMs, fields, sql: kept, ...(user === undefined ? {} : { user: userUrn(user) }) })
  }

  #write(dataset: DatasetUrn, text: SqlText, kind: StatementLineage['kind'], fingerprint: string): void {
    const { timeMs, user, operation } = text
    if (timeMs === undefined) return
    const { origin } = this.#options
    const actor = user === undefined ? undefined : userUrn(user)
    const query = queryUrn(origin, fingerprint)
    const aspect = operationAspect({ timeMs, kind, named: operation, actor, query }, origin)
    this.#operations.set(`${dataset} ${textAt(aspect, 'messageId') ?? ''}`, {
      urn: dataset,
      aspectName: 'operation',
      intent: aspect,
    })
  }

  /**
   * What the catalog shall say, and the facts by which a later harvest goes on. Days that say what they said are left out.
   * @param remember told of each fact
   */
  async *intents(
    memory: HarvestMemory,
    remember: (key: string, value: JsonValue | undefined) => Promise<void>,
  ): AsyncGenerator<Intent> {
    const { origin } = this.#options
    const days = this.#byDay()
    const keys = [...days.keys()]
    for (let start = 0; start < keys.length; start += DAYS_TOGETHER) {
      const some = keys.slice(start, start + DAYS_TOGETHER)
      const known = await memory.read(some.map((key) => `${origin}/usage/${key}`))
      for (const key of some) {
        const day = days.get(key)
        if (day === undefined) continue
        const former = known.get(`${origin}/usage/${key}`)
        const files = this.#together(day.files, isJsonObject(former) ? former : {})
        if (JSON.stringify(files) === JSON.stringify(former)) continue
        const counts = addCounts(Object.values(files) as unknown as readonly UsageCounts[])
        yield { urn: day.dataset, aspectName: 'datasetUsageStatistics', intent: usageAspect(day.dayMs, counts, origin) }
        await remember(`${origin}/usage/${key}`, files)
      }
    }
    yield* this.#operations.values()
  }

  /** What each file says of a day of a dataset. */
  #byDay(): ReadonlyMap<string, UsageDay> {
    const days = new Map<string, UsageDay>()
    for (const [file, book] of this.#books) {
      for (const { dataset, dayMs, counts } of book.days()) {
        const key = `${dataset}/${dayMs}`
        const day = days.get(key) ?? { dataset, dayMs, files: new Map<string, UsageCounts>() }
        day.files.set(file, counts)
        days.set(key, day)
      }
    }
    return days
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

interface UsageDay {
  readonly dataset: DatasetUrn
  readonly dayMs: number
  readonly files: Map<string, UsageCounts>
}

/** Columns of a table that a statement reads, for a value or otherwise. */
function columnsRead({ columns, indirect }: StatementLineage, table: string): readonly string[] {
  const used = [...columns.flatMap((column) => column.upstreams), ...indirect]
  return [...new Set(used.filter((one) => one.table === table && one.column !== '*').map((one) => one.column))]
}

function userUrn(user: string): Urn {
  return asUrn(`urn:li:corpuser:${user}`)
}
