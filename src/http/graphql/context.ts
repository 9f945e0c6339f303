import DataLoader from 'dataloader'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Along } from '../../catalog/read/read.ts'
import type { AspectRef, Soon } from '../../catalog/write/write.ts'
import type { JsonObject } from '../../model/json.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import type { Caller } from '../caller.ts'

/** What resolvers work with; one a request. */
export interface GraphqlContext {
  readonly catalog: Catalog
  readonly caller: Caller
  /** The caller's user. */
  readonly actor: Urn
  /** The value of an aspect, at once where it is at hand; undefined where the entity has none. */
  aspect(urn: Urn, name: string): Soon<JsonObject | undefined>
  exists(urn: Urn): Promise<boolean>
  /** Forgets what was read; a mutation calls it before its answer is resolved. */
  refresh(): void
}

/** Most keys of one statement. */
const MAX_BATCH = 5000
/**
 * Statements at a time; what is asked for meanwhile goes with the next one. While one is in the database, the answers of
 * the other are made; more at a time are smaller, and cost a fifth of the rate of 64 clients (measured).
 */
const IN_FLIGHT = 2

/**
 * Reads that any number of requests share: all that is asked for in the same turn goes in one statement, each key once,
 * however many requests ask for it.
 */
export interface SharedReads {
  /** The newest value of an aspect that is no key. */
  value(urn: Urn, name: string): Promise<SharedValue>
  exists(urn: Urn): Promise<boolean>
}

interface SharedValue {
  /** undefined where the entity has none */
  readonly value: JsonObject | undefined
  /** What came in the same statement. */
  readonly along: Along
}

/** @returns reads without memory beyond their turn: each request remembers its own, so that none sees another's past */
export function sharedReads({ read }: Catalog): SharedReads {
  const value = inTurns<AspectRef, SharedValue>(async (refs) => {
    const { values, along } = await read.values(refs)
    return values.map((one) => ({ value: one, along }))
  })
  const exists = inTurns<Urn, boolean>(async (urns) => {
    const records = await read.entities(urns, [])
    return urns.map((urn) => records.has(urn))
  })
  return {
    value: (urn, name) => value(urn, name, () => ({ urn, name })),
    exists: (urn) => exists(urn, '', () => urn),
  }
}

/** @param read gives a value for each reference, in their order */
function inTurns<Ref, Value>(read: (refs: readonly Ref[]) => Promise<readonly Value[]>) {
  const asked = new ByName<Promise<Value>>()
  const waiting: (() => void)[] = []
  let inFlight = 0

  function next(): void {
    if (inFlight >= IN_FLIGHT) return
    const run = waiting.shift()
    if (run === undefined) return
    // What is asked for from now on may have been written since.
    asked.clear()
    run()
  }

  async function counted(refs: readonly Ref[]): Promise<readonly Value[]> {
    inFlight++
    try {
      return await read(refs)
    } finally {
      inFlight--
      next()
    }
  }

  const loader = new DataLoader<Ref, Value>(counted, {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn(run) {
      waiting.push(run)
      setImmediate(next)
    },
  })
  return (urn: Urn, name: string, ref: () => Ref): Promise<Value> => asked.get(urn, name, () => loader.load(ref()))
}

export function graphqlContext(catalog: Catalog, reads: SharedReads, caller: Caller): GraphqlContext {
  const values = new ByName<Soon<JsonObject | undefined>>()
  const alongs = new Set<Along>()
  const existing = new ByName<Promise<boolean>>()
  const keyValue = async (urn: Urn, name: string) => (await catalog.read.aspect(urn, name))?.value
  const ask = async (urn: Urn, name: string) => {
    const { value, along } = await reads.value(urn, name)
    if (along.size > 0) alongs.add(along)
    return value
  }
  function look(urn: Urn, name: string): Soon<JsonObject | undefined> {
    for (const along of alongs) {
      const value = along.get(name)?.get(urn)
      if (value !== undefined) return value
    }
    return isKey(name) ? keyValue(urn, name) : ask(urn, name)
  }
  return {
    catalog,
    caller,
    actor: caller.actor,
    aspect: (urn, name) => values.get(urn, name, () => look(urn, name)),
    exists: (urn) => existing.get(urn, '', () => reads.exists(urn)),
    refresh() {
      values.clear()
      alongs.clear()
      existing.clear()
    },
  }
}

/** Key aspects are no rows; they exist as long as their entity does. */
const isKey = (name: string): boolean => aspectNamed(name)?.kind === 'key'

/** What was made for a URN under a name; two maps, since a key of both would be a new text each time. */
class ByName<Value> {
  readonly #names = new Map<string, Map<Urn, Value>>()

  get(urn: Urn, name: string, make: () => Value): Value {
    let named = this.#names.get(name)
    if (named === undefined) this.#names.set(name, (named = new Map()))
    const known = named.get(urn)
    if (known !== undefined) return known
    const made = make()
    named.set(urn, made)
    return made
  }

  clear(): void {
    this.#names.clear()
  }
}
