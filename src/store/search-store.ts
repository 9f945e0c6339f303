/** What entities are found by: fields with their values, words, and whether they are soft-deleted. */
import type { Queryable, Statement } from './database.ts'

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
      fields = (e.fields - array(select jsonb_array_elements_text(k.dropped))) || k.set,
      words = case when k.rewords
        then catalog.words_of((e.fields - array(select jsonb_array_elements_text(k.dropped))) || k.set) else e.words end
    from (select * from unnest($1::int[], $2::boolean[], $3::jsonb[], $4::jsonb[], $5::boolean[]))
      as k (urn_id, removed, dropped, set, rewords)
    where e.urn_id = k.urn_id`,
}

/** @param changes each entity at most once */
export async function changeFields(tx: Queryable, changes: readonly FieldChange[]): Promise<void> {
  if (changes.length === 0) return
  const touchesWords = (change: FieldChange) =>
    change.dropped.some((name) => name.startsWith('_words.')) ||
    Object.keys(change.set).some((name) => name.startsWith('_words.'))
  await tx.execute(UPDATE_FIELDS, [
    changes.map((change) => change.urnId),
    changes.map((change) => change.removed),
    changes.map((change) => JSON.stringify(change.dropped)),
    changes.map((change) => JSON.stringify(change.set)),
    changes.map(touchesWords),
  ])
}
