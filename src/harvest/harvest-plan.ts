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
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { BARRIER, type AspectChange } from '../client/change.ts'
import type { JsonValue } from '../model/json.ts'
import type { StatementReject } from './account.ts'
import { changeOf, type Intent } from './aspects.ts'
import type { Author } from './lineage-aspect.ts'

type PlanLine =
  | { readonly reject: StatementReject }
  | { readonly change: Intent }
  | { readonly barrier: 1 }
  | { readonly remember: readonly [key: string, value: JsonValue | null] }

export class HarvestPlanWriter {
  readonly #out: WriteStream

  constructor(path: string) {
    this.#out = createWriteStream(path, { mode: 0o600 })
  }

  async reject(reject: StatementReject): Promise<void> {
    await this.#write({ reject })
  }

  async change(change: Intent | typeof BARRIER): Promise<void> {
    if (change === BARRIER) return this.#write({ barrier: 1 })
    const { urn, aspectName, intent } = change
    await this.#write({ change: { urn, aspectName, intent } })
  }

  /** @param value undefined to forget the key */
  async remember(key: string, value: JsonValue | undefined): Promise<void> {
    await this.#write({ remember: [key, value ?? null] })
  }

  async close(): Promise<void> {
    this.#out.end()
    await finished(this.#out)
  }

  async #write(line: PlanLine): Promise<void> {
    if (!this.#out.write(`${JSON.stringify(line)}\n`)) await once(this.#out, 'drain')
  }
}

/** The planned changes, in their order. */
export async function* plannedChanges(path: string, author: Author): AsyncGenerator<AspectChange | typeof BARRIER> {
  for await (const line of linesOf(path)) {
    if ('change' in line) yield changeOf(line.change, author)
    else if ('barrier' in line) yield BARRIER
  }
}

/** Statements that could not be used. */
export async function* plannedRejects(path: string): AsyncGenerator<StatementReject> {
  for await (const line of linesOf(path)) if ('reject' in line) yield line.reject
}

/** Facts for later runs, in groups. */
export async function* plannedFacts(path: string): AsyncGenerator<ReadonlyMap<string, JsonValue | undefined>> {
  let facts = new Map<string, JsonValue | undefined>()
  for await (const line of linesOf(path)) {
    if (!('remember' in line)) continue
    facts.set(line.remember[0], line.remember[1] ?? undefined)
    if (facts.size < FACTS_TOGETHER) continue
    yield facts
    facts = new Map()
  }
  if (facts.size > 0) yield facts
}

const FACTS_TOGETHER = 500

/** Our own planning run wrote it, and its hash was checked. */
async function* linesOf(path: string): AsyncGenerator<PlanLine> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    yield JSON.parse(line) as PlanLine
  }
}
