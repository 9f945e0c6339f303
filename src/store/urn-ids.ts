import type { Urn } from '../model/urn.ts'
import { ints, texts } from './arrays.ts'
import type { Database, Queryable, Statement } from './database.ts'

const FIND: Statement = { name: 'urn_find', text: 'select id, urn from catalog.urn where urn = any($1)' }
const NAMES: Statement = { name: 'urn_names', text: 'select id, urn from catalog.urn where id = any($1)' }
// Gives the ids of all but those that another writer is adding at this moment: `on conflict do nothing` waits for that
// writer and then adds nothing; FIND sees its row.
const ADD: Statement = {
  name: 'urn_add',
  text: `with known as materialized (select id, urn from catalog.urn where urn = any($1)),
    added as (
      insert into catalog.urn (urn)
      select u from unnest($1) as u where not exists (select 1 from known where known.urn = u)
      order by u on conflict (urn) do nothing returning id, urn)
    select id, urn from known union all select id, urn from added`,
}

interface Row {
  readonly id: number
  readonly urn: Urn
}

/** The ids that stand for URNs in every other table. An id never changes, so each process remembers those it met. */
export interface UrnIds {
  /** Ids of these URNs, made where there are none yet. Runs in a statement of its own, so two writers cannot clash. */
  intern(urns: Iterable<Urn>): Promise<ReadonlyMap<Urn, number>>
  /** Ids of those URNs that have one. */
  find(urns: Iterable<Urn>, on?: Queryable): Promise<ReadonlyMap<Urn, number>>
  /** The URNs that these ids stand for. */
  names(ids: Iterable<number>, on?: Queryable): Promise<ReadonlyMap<number, Urn>>
}

/** @param remembered most URNs to keep in memory, about 300 bytes each */
export function createUrnIds(database: Database, remembered = 100_000): UrnIds {
  const ids = new Map<Urn, number>()
  const urns = new Map<number, Urn>()

  function remember(rows: readonly Row[]): void {
    if (ids.size + rows.length > remembered) {
      ids.clear()
      urns.clear()
    }
    for (const { id, urn } of rows) {
      ids.set(urn, id)
      urns.set(id, urn)
    }
  }

  /** What is remembered of the wanted, and what is not. */
  function recall(wanted: Iterable<Urn>): { readonly found: Map<Urn, number>; readonly unknown: Urn[] } {
    const found = new Map<Urn, number>()
    const unknown: Urn[] = []
    for (const urn of new Set(wanted)) {
      const id = ids.get(urn)
      if (id === undefined) unknown.push(urn)
      else found.set(urn, id)
    }
    return { found, unknown }
  }

  let asked: { readonly wanted: Set<Urn>; readonly rows: Promise<readonly Row[]> } | undefined

  /** What is looked up in the same turn goes in one statement; the rows are those of all who ask. */
  function lookUp(unknown: readonly Urn[]): Promise<readonly Row[]> {
    if (asked === undefined) {
      const wanted = new Set<Urn>()
      const send = () => {
        asked = undefined
        return database.rows<Row>(FIND, [texts([...wanted])])
      }
      asked = { wanted, rows: Promise.resolve().then(send) }
    }
    for (const urn of unknown) asked.wanted.add(urn)
    return asked.rows
  }

  async function find(wanted: Iterable<Urn>, on: Queryable = database): Promise<Map<Urn, number>> {
    const { found, unknown } = recall(wanted)
    if (unknown.length === 0) return found
    const rows = await (on === database ? lookUp(unknown) : on.rows<Row>(FIND, [texts(unknown)]))
    remember(rows)
    const own = new Set(unknown)
    for (const { id, urn } of rows) if (own.has(urn)) found.set(urn, id)
    return found
  }

  return {
    find,
    async intern(wanted) {
      const { found, unknown } = recall(wanted)
      if (unknown.length === 0) return found
      const rows = await database.rows<Row>(ADD, [texts(unknown)])
      remember(rows)
      for (const { id, urn } of rows) found.set(urn, id)
      const missing = unknown.filter((urn) => !found.has(urn))
      if (missing.length > 0) for (const [urn, id] of await find(missing)) found.set(urn, id)
      return found
    },
    async names(wanted, on = database) {
      const found = new Map<number, Urn>()
      const unknown: number[] = []
      for (const id of new Set(wanted)) {
        const urn = urns.get(id)
        if (urn === undefined) unknown.push(id)
        else found.set(id, urn)
      }
      if (unknown.length === 0) return found
      const rows = await on.rows<Row>(NAMES, [ints(unknown)])
      remember(rows)
      for (const { id, urn } of rows) found.set(id, urn)
      return found
    },
  }
}
