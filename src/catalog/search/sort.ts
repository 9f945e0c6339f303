/**
 * The order of results, as columns of SQL over `catalog.entity e` and `catalog.urn u`. No column is ever null, so that a
 * page can begin after the values of the last result; what lacks a field comes last, whichever way it is sorted.
 */
import { firstValue, type Parameters } from './filters.ts'
import { wordsOf } from './fields.ts'

export interface SortCriterion {
  /** A search field, or one of the names of {@link OWN}. */
  readonly field: string
  readonly descending: boolean
}

export interface SortColumn {
  readonly sql: string
  readonly type: 'text' | 'numeric' | 'bigint' | 'int'
  readonly descending: boolean
}

/** What every result has, under the names by which clients sort. */
const OWN: Readonly<Record<string, Pick<SortColumn, 'sql' | 'type'>>> = {
  urn: { sql: 'u.urn', type: 'text' },
  _entityType: { sql: 'e.entity_type', type: 'text' },
  createdAt: { sql: 'e.created_ms', type: 'bigint' },
  lastModifiedAt: {
    sql: 'coalesce((select max(a.written_ms) from catalog.aspect a where a.urn_id = e.urn_id), e.created_ms)',
    type: 'bigint',
  },
}

const ALIASES: Readonly<Record<string, string>> = {
  entityType: '_entityType',
  _entityName: 'name',
  displayName: 'name',
  created: 'createdAt',
  lastModified: 'lastModifiedAt',
}

/** Distance and relevance are no columns of an entity: lineage search sorts by the one, {@link relevance} is the other. */
const ELSEWHERE = new Set(['degree', '_score'])

export function sortColumns(sort: readonly SortCriterion[], parameters: Parameters): readonly SortColumn[] {
  return sort.flatMap(({ field: given, descending }): SortColumn[] => {
    const named = given.replace(/\.keyword$/, '')
    const field = ALIASES[named] ?? named
    if (ELSEWHERE.has(field)) return []
    const own = OWN[field]
    if (own !== undefined) return [{ ...own, descending }]
    if (field === 'name') return [{ sql: nameOf(parameters), type: 'text', descending }]
    // Numbers before texts, as numbers.
    const value = firstValue(field, parameters)
    const number = `case when ${value} ~ '^-?[0-9]+([.][0-9]+)?$' then (${value})::numeric end`
    return [
      { sql: `(${value} is null)::int`, type: 'int', descending: false },
      { sql: `coalesce(${number}, 'Infinity'::numeric)`, type: 'numeric', descending },
      { sql: `coalesce(${value}, '')`, type: 'text', descending },
    ]
  })
}

/**
 * How well the name fits the words asked for: it, or its last part, is they; begins with them; holds them; or the words
 * stand elsewhere. No column where no words are asked for.
 */
export function relevance(query: string, parameters: Parameters): readonly SortColumn[] {
  if (wordsOf([query]).length === 0) return []
  const words = parameters.add(query.trim().toLowerCase())
  const name = nameOf(parameters)
  const last = `regexp_replace(${name}, '^.*[./]', '')`
  const sql = `case when ${words}::text in (${name}, ${last}) then 0
    when starts_with(${name}, ${words}) or starts_with(${last}, ${words}) then 1
    when position(${words} in ${name}) > 0 then 2 else 3 end`
  return [{ sql, type: 'int', descending: false }]
}

/** The display name, else what the URN calls it; in small letters. */
function nameOf(parameters: Parameters): string {
  return `lower(coalesce(${firstValue('name.*', parameters)}, e.fields -> 'id' ->> 0, ''))`
}

/** A statement for what `condition` finds, in order: `names` and after them the columns of the order. */
export interface Sorted {
  /** Select list of the columns, each `, <sql> as c<n>`. */
  readonly selected: string
  /** Of an outer select over them and `id`. */
  readonly orderBy: string
  /** Of the same, as text: what {@link afterResult} takes. */
  readonly keys: string
}

export function sorted(columns: readonly SortColumn[]): Sorted {
  const order = columns.map((column, n) => `c${n}${column.descending ? ' desc' : ''}`)
  return {
    selected: columns.map(({ sql, type }, n) => `, (${sql})::${type}${collated(type)} as c${n}`).join(''),
    orderBy: [...order, 'id'].join(', '),
    keys: `array[${columns.map((_, n) => `c${n}::text`).join(', ')}]::text[]`,
  }
}

/** Condition for what comes after a result. @param keys its values, as `keys` of {@link sorted} gave them */
export function afterResult(
  columns: readonly SortColumn[],
  result: { readonly id: number; readonly keys: readonly string[] },
  parameters: Parameters,
): string {
  const all = columns.map(({ type, descending }, n) => ({
    name: `c${n}`,
    value: `${parameters.add(result.keys[n])}::${type}`,
    before: descending ? '<' : '>',
  }))
  const places = [...all, { name: 'id', value: parameters.add(result.id), before: '>' }]
  const alternatives = places.map(({ name, value, before }, n) =>
    [...places.slice(0, n).map((one) => `${one.name} = ${one.value}`), `${name} ${before} ${value}`].join(' and '),
  )
  return alternatives.map((one) => `(${one})`).join(' or ')
}

/** The same order on every server. */
const collated = (type: SortColumn['type']): string => (type === 'text' ? ' collate "C"' : '')
