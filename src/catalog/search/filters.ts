/** Search filters as SQL over `catalog.entity e`: parameters only, never text from outside in a statement. */
import { BadRequestError } from '../errors.ts'
import { wordsOf } from './fields.ts'

export const FILTER_CONDITIONS = [
  'CONTAIN',
  'EQUAL',
  'IEQUAL',
  'IN',
  'EXISTS',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'START_WITH',
  'END_WITH',
  'DESCENDANTS_INCL',
  'ANCESTORS_INCL',
  'RELATED_INCL',
] as const
export type FilterCondition = (typeof FILTER_CONDITIONS)[number]

export interface Criterion {
  readonly field: string
  readonly values: readonly string[]
  readonly condition: FilterCondition
  readonly negated: boolean
}

/** Alternatives, each a list of criteria that hold together. */
export type Filter = readonly (readonly Criterion[])[]

/** Collects the parameters of a statement under construction. */
export class Parameters {
  readonly values: unknown[] = []

  /** The placeholder of one more value. */
  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}

/** Condition for text: every word must begin a word of the entity; `*` and nothing match all. */
export function textCondition(query: string, parameters: Parameters): string {
  const words = wordsOf([query])
  if (words.length === 0) return 'true'
  return `e.words @@ ${parameters.add(words.map((word) => `${word}:*`).join(' & '))}::tsquery`
}

export function filterCondition(filter: Filter, parameters: Parameters): string {
  const alternatives = filter.map((criteria) => {
    const all = criteria.map((criterion) => criterionCondition(criterion, parameters))
    return all.length === 0 ? 'true' : all.join(' and ')
  })
  return alternatives.length === 0 ? 'true' : `(${alternatives.map((one) => `(${one})`).join(' or ')})`
}

function criterionCondition(criterion: Criterion, parameters: Parameters): string {
  const positive = positiveCondition(criterion, parameters)
  return criterion.negated ? `not coalesce(${positive}, false)` : positive
}

function positiveCondition(criterion: Criterion, parameters: Parameters): string {
  const field = criterion.field.replace(/\.keyword$/, '')
  const { values } = criterion
  switch (field) {
    case 'degree':
      return 'true'
    case 'removed':
      return `e.removed = any(${parameters.add(values.map((value) => value === 'true'))}::boolean[])`
    case 'urn': {
      if (criterion.condition === 'EXISTS') return 'true'
      const test = values.map((value) => valueCondition(criterion.condition, value, parameters)).join(' or ') || 'false'
      return `e.urn_id in (select id from catalog.urn as u (id, v) where ${test})`
    }
    case 'lowercasedUrn':
      return `e.urn_id in (select id from catalog.urn where lower(urn) = any(${parameters.add(values)}::text[]))`
    case '_entityType':
    case 'entityType':
      return `lower(e.entity_type) = any(${parameters.add(values.map((value) => value.replaceAll('_', '').toLowerCase()))}::text[])`
    case 'platform':
      return compared(PLATFORM, { ...criterion, values: values.map(platformUrn) }, parameters)
    default:
      return compared(ALIASES[field] ?? [field], criterion, parameters)
  }
}

/** A platform stands in the URN, or in an aspect. */
const PLATFORM = ['platform', 'platform.instance']

/** Search fields by the names that clients know. A name with `.*` is a family: the field of any aspect. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  env: ['origin'],
  name: ['name.*', 'id'],
  customProperties: ['customProperties.*'],
  typeNames: ['typeNames'],
  fieldTags: ['fieldTags', 'editedFieldTags'],
}

/** SQL of an entity's least value of a search field, by any of the names that clients know; null where it has none. */
export function firstValue(field: string, parameters: Parameters): string {
  const fields = ALIASES[field] ?? (field === 'platform' ? PLATFORM : [field])
  return `(select min(v collate "C") from jsonb_each(e.fields) as f (k, list), jsonb_array_elements_text(f.list) as v
    where ${nameCondition(...byKind(fields), parameters)})`
}

function compared(fields: readonly string[], criterion: Criterion, parameters: Parameters): string {
  const { condition, values } = criterion
  const [exact, families] = byKind(fields)
  if (condition === 'EXISTS') {
    return `exists (select 1 from jsonb_object_keys(e.fields) as k where ${nameCondition(exact, families, parameters)})`
  }
  if ((condition === 'EQUAL' || condition === 'IN') && families.length === 0) {
    const contains = exact.flatMap((field) =>
      values.map((value) => `e.fields @> ${parameters.add(JSON.stringify({ [field]: [value] }))}::jsonb`),
    )
    return contains.length === 0 ? 'false' : `(${contains.join(' or ')})`
  }
  const test = values.map((value) => valueCondition(condition, value, parameters)).join(' or ') || 'false'
  return `exists (select 1 from jsonb_each(e.fields) as f (k, list), jsonb_array_elements_text(f.list) as v
    where ${nameCondition(exact, families, parameters)} and (${test}))`
}

function byKind(fields: readonly string[]): readonly [exact: readonly string[], families: readonly string[]] {
  return [fields.filter((field) => !field.endsWith('.*')), fields.filter((field) => field.endsWith('.*'))]
}

function nameCondition(exact: readonly string[], families: readonly string[], parameters: Parameters): string {
  const equal = `k = any(${parameters.add(exact)}::text[])`
  const begins = families.map((family) => `starts_with(k, ${parameters.add(family.slice(0, -1))})`)
  return `(${[equal, ...begins].join(' or ')})`
}

function valueCondition(condition: FilterCondition, value: string, parameters: Parameters): string {
  const parameter = () => parameters.add(value)
  const comparison = COMPARISONS[condition]
  if (comparison !== undefined) return numericComparison(comparison, value, parameters)
  switch (condition) {
    case 'CONTAIN':
      return `position(lower(${parameter()}) in lower(v)) > 0`
    case 'START_WITH':
      return `starts_with(v, ${parameter()})`
    case 'END_WITH':
      return `right(v, length(${parameters.add(value)})) = ${parameter()}`
    case 'IEQUAL':
      return `lower(v) = lower(${parameter()})`
    default:
      return `v = ${parameter()}`
  }
}

const COMPARISONS: Partial<Readonly<Record<FilterCondition, string>>> = {
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL_TO: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL_TO: '<=',
}

function numericComparison(operator: string, value: string, parameters: Parameters): string {
  if (value.trim() === '' || !Number.isFinite(Number(value))) {
    throw new BadRequestError(`${value.slice(0, 100)} is not a number, which a comparison needs`)
  }
  const number = parameters.add(Number(value))
  return `(case when v ~ '^-?[0-9]+([.][0-9]+)?$' then v::numeric ${operator} ${number}::numeric else false end)`
}

function platformUrn(value: string): string {
  return value.startsWith('urn:li:') ? value : `urn:li:dataPlatform:${value}`
}
