/** Search filters as clients send them: `{or:[{and:[criterion]}]}`, `orFilters: [{and:[criterion]}]`, old and new names. */
import { FILTER_CONDITIONS, type Criterion, type Filter } from '../catalog/search/filters.ts'
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
