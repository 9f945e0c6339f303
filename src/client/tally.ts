/**
 * What a plan's differences come to in items: tags, owners, values, descriptions, edges. A gate asks how much of what is
 * there would go; counting aspects does not say that.
 */
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../model/json.ts'
import { ABSENT, type Comparison } from './change.ts'
import { ITEM_KEYS, STAMPS } from './difference.ts'

/** Items of the aspects that a plan looks at. */
export interface ItemTally {
  readonly added: number
  readonly removed: number
  /** One value in another's place. */
  readonly replaced: number
  /** All that the aspects hold before. */
  readonly held: number
}

const NOTHING: ItemTally = { added: 0, removed: 0, replaced: 0, held: 0 }

/** Counts comparisons on their way. */
export class Tally {
  #sum = NOTHING

  get sum(): ItemTally {
    return this.#sum
  }

  async *watch(comparisons: AsyncIterable<Comparison>): AsyncGenerator<Comparison> {
    for await (const comparison of comparisons) {
      this.#sum = plus(this.#sum, tallyOf(comparison))
      yield comparison
    }
  }
}

/** Of one aspect. */
export function tallyOf(comparison: Comparison): ItemTally {
  const before = comparison.before?.value
  const held = before === undefined ? 0 : itemsOf(before)
  // What a patch comes to, only the catalog knows.
  const isKnown = comparison.kind === 'differs' && comparison.change.changeType !== 'PATCH'
  return isKnown
    ? { ...between(before, comparison.after === ABSENT ? undefined : comparison.after), held }
    : { ...NOTHING, held }
}

function between(before: JsonValue | undefined, after: JsonValue | undefined): ItemTally {
  if (before === undefined) return { ...NOTHING, added: after === undefined ? 0 : itemsOf(after) }
  if (after === undefined) return { ...NOTHING, removed: itemsOf(before) }
  if (Array.isArray(before) && Array.isArray(after)) return betweenLists(before as JsonValue[], after as JsonValue[])
  if (isJsonObject(before) && isJsonObject(after)) return betweenObjects(before, after)
  return canonicalJson(before) === canonicalJson(after) ? NOTHING : { ...NOTHING, replaced: 1 }
}

function betweenObjects(before: JsonObject, after: JsonObject): ItemTally {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !STAMPS.has(key))
    .map((key) => between(before[key], after[key]))
    .reduce(plus, NOTHING)
}

/** Items with a key of their own are compared inside; of others, one that goes and one that comes are a replacement. */
function betweenLists(before: readonly JsonValue[], after: readonly JsonValue[]): ItemTally {
  const held = new Map(before.map((item) => [keyOf(item), item]))
  let sum = NOTHING
  let added = 0
  for (const item of after) {
    const key = keyOf(item)
    const former = held.get(key)
    held.delete(key)
    if (former === undefined) added += itemsOf(item)
    else sum = plus(sum, between(former, item))
  }
  const removed = [...held.values()].reduce<number>((count, item) => count + itemsOf(item), 0)
  const isKeyed = [...before, ...after].some((item) => isJsonObject(item) && itemKeyOf(item) !== undefined)
  const replaced = isKeyed ? 0 : Math.min(added, removed)
  return plus(sum, { ...NOTHING, added: added - replaced, removed: removed - replaced, replaced })
}

/** How many items a value is: an association is one, a column's entry as many as stand in it. */
function itemsOf(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce<number>((count, item: JsonValue) => count + itemsOf(item), 0)
  if (!isJsonObject(value)) return 1
  const members = Object.entries(value).filter(([key]) => !STAMPS.has(key) && !ITEM_KEYS.includes(key))
  const nested = members.filter(([, member]) => typeof member === 'object' && member !== null)
  if (nested.length === 0) return 1
  return members.reduce((count, [, member]) => count + itemsOf(member), 0)
}

function keyOf(item: JsonValue): string {
  const key = isJsonObject(item) ? itemKeyOf(item) : undefined
  return key === undefined ? canonicalJson(item) : canonicalJson((item as JsonObject)[key] ?? null)
}

function itemKeyOf(item: JsonObject): string | undefined {
  return ITEM_KEYS.find((name) => item[name] !== undefined)
}

function plus(a: ItemTally, b: ItemTally): ItemTally {
  return {
    added: a.added + b.added,
    removed: a.removed + b.removed,
    replaced: a.replaced + b.replaced,
    held: a.held + b.held,
  }
}
