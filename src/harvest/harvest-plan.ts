/**
 * A harvest's plan, as a file: every change as data, with what it comes to, so that carrying it out reads nothing anew
 * and does exactly what was planned; an aspect that changed in between is merged again, since a harvest only ever speaks
 * for its own edges. One line each:
 *
 *     {"reject": …}   a statement that cannot be used
 *     {"change": …}   an aspect and what it shall say
 *     {"barrier": 1}  all before must be answered before any after is begun
 *     {"remember": …} a fact for later runs
 */
import { createReadStream } from 'node:fs'
import { BARRIER, type AspectChange, type Comparison } from '../client/change.ts'
import { TextFile } from '../client/text-file.ts'
import type { JsonValue } from '../model/json.ts'
import { linesOf } from '../model/lines.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import type { StatementReject } from './account.ts'
import { changeOf, type Intent } from './aspects.ts'
import type { Author } from './lineage-aspect.ts'

interface PlanLines {
  readonly reject: StatementReject
  readonly change: Intent & { readonly found?: Found }
  readonly barrier: 1
  readonly remember: readonly [key: string, value: JsonValue | null]
}

/** What the plan found in the catalog, where carrying it out can do without reading it again. */
type Found = NonNullable<AspectChange['found']>

const WRITE_CHARACTERS = 64 * 1024
const READ_BYTES = 256 * 1024

export class HarvestPlanWriter {
  readonly #out: TextFile
  #waiting = ''

  constructor(path: string) {
    this.#out = new TextFile(path)
  }

  async reject(reject: StatementReject): Promise<void> {
    await this.#write('reject', reject)
  }

  async change(comparison: Comparison): Promise<void> {
    const { urn, aspectName, intent } = comparison.change
    const found = foundBy(comparison)
    await this.#write('change', { urn, aspectName, intent, ...(found === undefined ? {} : { found }) })
  }

  async barrier(): Promise<void> {
    await this.#write('barrier', 1)
  }

  /** @param value undefined to forget the key */
  async remember(key: string, value: JsonValue | undefined): Promise<void> {
    await this.#write('remember', [key, value ?? null])
  }

  async close(): Promise<void> {
    if (this.#waiting !== '') await this.#out.write(this.#waiting)
    await this.#out.close()
  }

  async #write<Kind extends keyof PlanLines>(kind: Kind, value: PlanLines[Kind]): Promise<void> {
    this.#waiting += `{"${kind}":${JSON.stringify(value)}}\n`
    if (this.#waiting.length < WRITE_CHARACTERS) return
    const waiting = this.#waiting
    this.#waiting = ''
    await this.#out.write(waiting)
  }
}

function foundBy({ kind, before }: Comparison): Found | undefined {
  if (kind === 'same') return 'same'
  return kind === 'differs' && before === undefined ? 'absent' : undefined
}

/**
 * The planned changes, in their order.
 * @param isFresh whether the catalog was read so lately that what was as it should be counts as being so
 */
export async function* plannedChanges(
  path: string,
  author: Author,
  { isFresh }: { readonly isFresh: boolean },
): AsyncGenerator<AspectChange | typeof BARRIER> {
  for await (const [kind, line] of planLines(path, ['change', 'barrier'])) {
    if (kind === 'barrier') yield BARRIER
    else {
      const { found, ...intent } = line as PlanLines['change']
      yield { ...changeOf(intent, author), ...(found === undefined || (found === 'same' && !isFresh) ? {} : { found }) }
    }
  }
}

/** Statements that could not be used. */
export async function* plannedRejects(path: string): AsyncGenerator<StatementReject> {
  for await (const [, reject] of planLines(path, ['reject'])) yield reject
}

/** Facts for later runs, in groups. */
export async function* plannedFacts(path: string): AsyncGenerator<ReadonlyMap<string, JsonValue | undefined>> {
  let facts = new Map<string, JsonValue | undefined>()
  for await (const [, [key, value]] of planLines(path, ['remember'])) {
    facts.set(key, value ?? undefined)
    if (facts.size < FACTS_TOGETHER) continue
    yield facts
    facts = new Map()
  }
  if (facts.size > 0) yield facts
}

const FACTS_TOGETHER = 500

/** Lines of some kinds; the others are not even decoded. Our own planning run wrote it, and its hash was checked. */
async function* planLines<Kind extends keyof PlanLines>(
  path: string,
  kinds: readonly Kind[],
): AsyncGenerator<readonly [Kind, PlanLines[Kind]]> {
  for await (const text of linesOf(decodeUtf8(createReadStream(path, { highWaterMark: READ_BYTES }), path))) {
    const kind = kinds.find((one) => text.startsWith(`{"${one}":`))
    if (kind !== undefined) yield [kind, (JSON.parse(text) as PlanLines)[kind]]
  }
}
