/** Search filters as clients send them: `{or:[{and:[criterion]}]}`, `orFilters: [{and:[criterion]}]`, old and new names. */
import { FILTER_CONDITIONS, type Criterion, type Filter } from '../catalog/search/filters.ts'
import type { SortCriterion } from '../catalog/search/sort.ts'
import { DecodeError } from '../model/errors.ts'
import { isJsonObject, objectsOf, type JsonValue } from '../model/json.ts'

/** Most criteria of one filter. */
const MAX_CRITERIA = 500

/** @returns alternatives of criteria; empty where there is no filter. @throws DecodeError */
export function searchFilter(value: unknown): Filter {
  if (value === undefined || value === null) return []
  const alternatives = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? (value.or ?? (value.and === undefined ? [] : [value]))
      : undefined
  if (!Array.isArray(alternatives)) throw new DecodeError('a filter is {or: [{and: [criterion]}]}', { path: '/filter' })
  const filter = objectsOf(alternatives).map((alternative) =>
    objectsOf(alternative.and ?? alternative.criteria).map((criterion) => criterionOf(criterion)),
  )
  if (filter.flat().length > MAX_CRITERIA) throw new DecodeError(`a filter has at most ${MAX_CRITERIA} criteria`, {})
  return filter
}

/** Most criteria by which results are sorted. */
const MAX_SORT_CRITERIA = 10

/**
 * The order asked for: a list of `{field, sortOrder}`, in GraphQL, or `{field, order}`, in the rest; ascending where it
 * is not said.
 * @throws DecodeError
 */
export function sortCriteria(value: unknown): readonly SortCriterion[] {
  if (value === undefined || value === null) return []
  const given = Array.isArray(value) ? (value as readonly JsonValue[]) : [value as JsonValue]
  if (given.length > MAX_SORT_CRITERIA) {
    throw new DecodeError(`results are sorted by at most ${MAX_SORT_CRITERIA} fields`, { path: '/sortCriteria' })
  }
  return given.map((one) => {
    if (!isJsonObject(one) || typeof one.field !== 'string') {
      throw new DecodeError('a sort criterion is {field, order}', { path: '/sortCriteria' })
    }
    return { field: one.field, descending: isDescending(one.sortOrder ?? one.order ?? 'ASCENDING') }
  })
}

/** @throws DecodeError where it is neither ASCENDING nor DESCENDING */
export function isDescending(order: JsonValue): boolean {
  if (order === 'ASCENDING' || order === 'DESCENDING') return order === 'DESCENDING'
  throw new DecodeError('the order is ASCENDING or DESCENDING', { path: '/sortOrder' })
}

function criterionOf(criterion: Readonly<Record<string, JsonValue | undefined>>): Criterion {
  const { field, condition, negated } = criterion
  if (typeof field !== 'string') throw new DecodeError('a filter criterion needs a field', { path: '/field' })
  const named = condition ?? 'EQUAL'
  const known = FILTER_CONDITIONS.find((one) => one === named)
  if (known === undefined) {
    throw new DecodeError(`condition is none of ${FILTER_CONDITIONS.join(', ')}`, { path: '/condition' })
  }
  return { field, condition: known, negated: negated === true, values: valuesOf(criterion) }
}

function valuesOf(criterion: Readonly<Record<string, JsonValue | undefined>>): readonly string[] {
  const { values, value } = criterion
  const list: readonly JsonValue[] = Array.isArray(values) ? values : []
  const all = list.length > 0 ? list : value === undefined || value === null || value === '' ? [] : [value]
  return all.map((one: JsonValue) => (typeof one === 'string' ? one : JSON.stringify(one)))
}
