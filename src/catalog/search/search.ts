/** Finding entities by words and filters, in PostgreSQL. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Urn } from '../../model/urn.ts'
import { ints, packedInts } from '../../store/arrays.ts'
import { Bits } from '../../store/bits.ts'
import { BadRequestError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { filterCondition, Parameters, textCondition, type Filter } from './filters.ts'
import { afterResult, relevance, sortColumns, sorted, type SortCriterion } from './sort.ts'

/** Most results of one page. */
export const MAX_PAGE = 10_000

export interface SearchQuery {
  /** Words; `*` matches all. */
  readonly query: string
  /** Entity types by name; all when absent or empty. */
  readonly types?: readonly string[]
  readonly filter?: Filter
  /** Soft-deleted entities: hidden unless this is set, or the filter names `removed` itself. */
  readonly includeRemoved?: boolean
  /** Only these entities, by id. */
  readonly within?: Int32Array
  /** By what the results are sorted; then, and without it, by when they were first written. */
  readonly sort?: readonly SortCriterion[]
}

export interface SearchPage {
  readonly start: number
  readonly total: number
  readonly urns: readonly Urn[]
}

export interface ScrollPage {
  readonly total: number
  readonly urns: readonly Urn[]
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined
}

export interface FacetCount {
  readonly field: string
  readonly value: string
  readonly count: number
}

export interface Search {
  /** Results by their places; those of words without a `sort` come with the best names first. */
  page(query: SearchQuery, range: { readonly start: number; readonly count: number }): Promise<SearchPage>
  scroll(
    query: SearchQuery,
    range: { readonly after?: string | undefined; readonly count: number },
  ): Promise<ScrollPage>
  /** Ids of the entities among `within` that the query finds. */
  matching(query: SearchQuery): Promise<Pick<Bits, 'has'>>
  /** These entities in order, those that do not exist left out. */
  inOrder(ids: Int32Array, sort: readonly SortCriterion[]): Promise<Int32Array>
  /** How the entities found spread over platforms, types, tags and environments. */
  facets(query: SearchQuery, most?: number): Promise<readonly FacetCount[]>
}

const FACET_FIELDS = ['platform', 'origin', 'tags', 'owners', 'domains', 'typeNames'] as const

export function createSearch({ database }: Ports): Search {
  return {
    async page(query, range) {
      const { condition, parameters } = conditionOf(query)
      const [count] = await database.rows<{ total: number }>(
        `select count(*) as total from catalog.entity e where ${condition}`,
        parameters.values,
      )
      const sort = query.sort ?? []
      const order = sorted(sort.length > 0 ? sortColumns(sort, parameters) : relevance(query.query, parameters))
      const rows = await database.rows<{ urn: Urn }>(
        `select urn from (${rowsOf(condition, order.selected)}) as found
         order by ${order.orderBy} offset ${parameters.add(range.start)} limit ${parameters.add(bounded(range.count))}`,
        parameters.values,
      )
      return { start: range.start, total: count?.total ?? 0, urns: rows.map((row) => row.urn) }
    },

    async scroll(query, range) {
      const last = range.after === undefined ? undefined : scrollPosition(range.after)
      const { condition, parameters } = conditionOf(query)
      const [count] = await database.rows<{ total: number }>(
        `select count(*) as total from catalog.entity e where ${condition}`,
        parameters.values,
      )
      const limit = bounded(range.count)
      const columns = sortColumns(query.sort ?? [], parameters)
      const order = sorted(columns)
      if (last !== undefined && last.keys.length !== columns.length) throw notAScrollId(range.after)
      const after = last === undefined ? 'true' : afterResult(columns, last, parameters)
      const rows = await database.rows<{ urn: Urn; id: number; keys: readonly string[] }>(
        `select urn, id, ${order.keys} as keys from (${rowsOf(condition, order.selected)}) as found
         where ${after} order by ${order.orderBy} limit ${parameters.add(limit + 1)}`,
        parameters.values,
      )
      const page = rows.slice(0, limit)
      const end = page.at(-1)
      return {
        total: count?.total ?? 0,
        urns: page.map((row) => row.urn),
        next: rows.length > limit && end !== undefined ? scrollId(end) : undefined,
      }
    },

    async matching(query) {
      const { condition, parameters } = conditionOf(query)
      const [row] = await database.rows<{ ints: Buffer | null }>(
        `select string_agg(int4send(e.urn_id), '') as ints from catalog.entity e where ${condition}`,
        parameters.values,
      )
      const ids = packedInts(row?.ints)
      const found = new Bits(ids.reduce((most, id) => Math.max(most, id), 0) + 1)
      for (const id of ids) found.add(id)
      return found
    },

    async inOrder(ids, sort) {
      const parameters = new Parameters()
      const order = sorted(sortColumns(sort, parameters))
      const [row] = await database.rows<{ ints: Buffer | null }>(
        `select string_agg(int4send(id), '' order by ${order.orderBy}) as ints
         from (${rowsOf(`e.urn_id = any(${parameters.add(ints(ids))}::int[])`, order.selected)}) as found`,
        parameters.values,
      )
      return packedInts(row?.ints)
    },

    async facets(query, most = 20) {
      const { condition, parameters } = conditionOf(query)
      const lists = FACET_FIELDS.map((field) => ({ field: parameters.add(field), list: `list_${field}` }))
      const taken = lists.map(({ field, list }) => `e.fields -> ${field}::text as "${list}"`).join(', ')
      const each = lists.map(({ field, list }) => `(${field}::text, "${list}")`).join(', ')
      // Entities whose lists are the same are counted together before any list is taken apart: less than half the time.
      return database.rows<FacetCount>(
        `with found as (select e.entity_type, ${taken} from catalog.entity e where ${condition}),
          alike as materialized (
            select *, count(*) as many from found group by entity_type, ${lists.map(({ list }) => `"${list}"`).join(', ')}),
          counted as (
            select '_entityType' as field, entity_type as value, sum(many)::bigint as count from alike group by 2
            union all
            select k.field, v.value, sum(many)::bigint from alike, lateral (values ${each}) as k (field, list),
              jsonb_array_elements_text(coalesce(k.list, '[]')) as v (value) group by 1, 2),
          ranked as (select *, row_number() over (partition by field order by count desc, value) as place from counted)
         select field, value, count from ranked where place <= ${parameters.add(most)} order by field, place`,
        parameters.values,
      )
    },
  }
}

/** Statement for what a condition finds. @param more columns, each after a comma */
function rowsOf(condition: string, more: string): string {
  return `select u.urn, u.id${more} from catalog.entity e join catalog.urn u on u.id = e.urn_id where ${condition}`
}

function conditionOf(query: SearchQuery): { readonly condition: string; readonly parameters: Parameters } {
  const parameters = new Parameters()
  const filter = query.filter ?? []
  const namesRemoved = filter.some((criteria) => criteria.some((criterion) => criterion.field === 'removed'))
  const conditions = [textCondition(query.query, parameters), filterCondition(filter, parameters)]
  if (query.includeRemoved !== true && !namesRemoved) conditions.push('not e.removed')
  if (query.types !== undefined && query.types.length > 0) {
    conditions.push(`e.entity_type = any(${parameters.add(query.types)}::text[])`)
  }
  if (query.within !== undefined) conditions.push(`e.urn_id = any(${parameters.add(ints(query.within))}::int[])`)
  return { condition: conditions.join(' and '), parameters }
}

function bounded(count: number): number {
  return Math.min(Math.max(count, 0), MAX_PAGE)
}

/** The last result of a page, from which the next one goes on. */
interface LastResult {
  readonly id: number
  /** Its values of the columns by which the results are sorted. */
  readonly keys: readonly string[]
}

function scrollId({ id, keys }: LastResult): string {
  return Buffer.from(JSON.stringify({ after: id, ...(keys.length === 0 ? {} : { keys }) })).toString('base64url')
}

const scrollShape = Compile(
  Type.Object({
    after: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
    keys: Type.Optional(Type.Array(Type.String())),
  }),
)

function scrollPosition(after: string): LastResult {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(after, 'base64url').toString())
    if (scrollShape.Check(parsed)) return { id: parsed.after, keys: parsed.keys ?? [] }
  } catch {
    // Falls through: whatever it is, it is not a scroll id of ours.
  }
  throw notAScrollId(after)
}

function notAScrollId(text = ''): BadRequestError {
  return new BadRequestError(`not a scroll id of this search: ${text.slice(0, 80)}`)
}
