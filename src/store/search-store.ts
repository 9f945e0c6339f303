/** What entities are found by: fields with their values, words, and whether they are soft-deleted. */
import { booleans, ints, jsonbs } from './arrays.ts'
import type { Statement, Transaction } from './database.ts'

export interface FieldChange {
  readonly urnId: number
  /** Names of the fields to drop. */
  readonly dropped: readonly string[]
  /** Fields to set, each with its values. */
  readonly set: Readonly<Record<string, readonly string[]>>
  readonly removed: boolean
}

const UPDATE_FIELDS: Statement = {
  name: 'entity_fields',
  text: `update catalog.entity e set removed = k.removed,
      fields = (e.fields - array(select jsonb_array_elements_text(k.dropped))) || k.set
    from (select * from unnest($1::int[], $2::boolean[], $3::jsonb[], $4::jsonb[])) as k (urn_id, removed, dropped, set)
    where e.urn_id = k.urn_id`,
}
const UPDATE_WORDS: Statement = {
  name: 'entity_words',
  text: `update catalog.entity e set word_sources = k.sources, words = catalog.words_of(k.sources)
    from (
      select o.urn_id, (o.word_sources - array(select jsonb_array_elements_text(n.dropped))) || n.set as sources
      from unnest($1::int[], $2::jsonb[], $3::jsonb[]) as n (urn_id, dropped, set)
      join catalog.entity o on o.urn_id = n.urn_id) as k
    where e.urn_id = k.urn_id`,
}

/** Names of the members that hold words, not fields to filter by. */
const isWords = (name: string): boolean => name.startsWith('_words.')

/** Search fields and words apart, as the table keeps them. */
export function splitWords(set: FieldChange['set']) {
  const fields: Record<string, readonly string[]> = {}
  const sources: Record<string, readonly string[]> = {}
  const words = new Set<string>()
  for (const [name, values] of Object.entries(set)) {
    if (!isWords(name)) fields[name] = values
    else {
      sources[name] = values
      for (const word of values) words.add(word)
    }
  }
  return { fields, sources, words: [...words] }
}

/** @param changes each entity at most once */
export function changeFields(tx: Transaction, changes: readonly FieldChange[]): void {
  if (changes.length === 0) return
  tx.send(UPDATE_FIELDS, [
    ints(changes.map((change) => change.urnId)),
    booleans(changes.map((change) => change.removed)),
    jsonbs(changes.map((change) => JSON.stringify(change.dropped.filter((name) => !isWords(name))))),
    jsonbs(changes.map((change) => JSON.stringify(splitWords(change.set).fields))),
  ])
  const worded = changes.filter((change) => change.dropped.some(isWords) || Object.keys(change.set).some(isWords))
  if (worded.length === 0) return
  tx.send(UPDATE_WORDS, [
    ints(worded.map((change) => change.urnId)),
    jsonbs(worded.map((change) => JSON.stringify(change.dropped.filter(isWords)))),
    jsonbs(worded.map((change) => JSON.stringify(splitWords(change.set).sources))),
  ])
}
