/** Reading entities over the REST interface (contract §5.2). */
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { BadRequestError } from '../../catalog/errors.ts'
import type { SearchQuery } from '../../catalog/search/search.ts'
import type { SortCriterion } from '../../catalog/search/sort.ts'
import { DecodeError } from '../../model/errors.ts'
import { keyAspectValue } from '../../model/registry/registry.ts'
import { decoder } from '../decode.ts'
import { isDescending, searchFilter, sortCriteria } from '../filter-decoder.ts'
import { aspectJson, recordJson, type Version } from './entities.ts'
import { readDocs, SCROLL_BODY } from './entity-docs.ts'
import { aspectIn, aspectNameIn, entityTypeIn, isTrue, urnIn } from './names.ts'

const scrollBody = decoder(SCROLL_BODY, 'scroll')
const MAX_COUNT = 5000

export function readRoutes(app: FastifyInstance, catalog: Catalog, version: Version): void {
  const base = `/openapi/v${version}/entity`
  const { one, many } = readDocs(version)

  app.get(`${base}/:entity/:urn`, one.entity, async (request, reply) => {
    const type = entityTypeIn(request.params)
    const urn = urnIn(request.params, type)
    const names = aspectNames(request.query)?.map((name) => aspectNameIn(type, name))
    const record = (await catalog.read.entities([urn], names)).get(urn)
    if (record !== undefined) return recordJson(record, version, isTrue(request.query, 'systemMetadata'))
    // Version 2 shows the key of an unknown entity; version 3 says that there is none.
    if (version === 2) return { urn, aspects: { [type.keyAspect]: { value: keyAspectValue(urn) } } }
    return reply.code(404).header('not-found-reason', 'ENTITY').send()
  })

  app.head(`${base}/:entity/:urn`, one.entityHead, async (request, reply) => {
    const urn = urnIn(request.params, entityTypeIn(request.params))
    return reply.code((await catalog.read.exists(urn)) ? 204 : 404).send()
  })

  app.get(`${base}/:entity/:urn/:aspect`, one.aspect, async (request, reply) => {
    const stored = await storedAspect(request.params, request.query)
    if (stored === undefined) return reply.code(404).header('not-found-reason', 'ENTITY').send()
    return aspectJson(stored, version, isTrue(request.query, 'systemMetadata'))
  })

  app.head(`${base}/:entity/:urn/:aspect`, one.aspectHead, async (request, reply) => {
    const stored = await storedAspect(request.params, request.query)
    return reply.code(stored === undefined ? 404 : 204).send()
  })

  app.get(`${base}/:entity`, many.list, async (request) => {
    const type = entityTypeIn(request.params)
    const { query = '*', scrollId, count } = request.query as Readonly<Record<string, string | undefined>>
    return scroll(
      {
        query,
        types: [type.name],
        includeRemoved: isTrue(request.query, 'includeSoftDelete'),
        sort: sortOf(request.query),
      },
      { scrollId, count },
      aspectNames(request.query) ?? undefined,
      isTrue(request.query, 'systemMetadata'),
    )
  })

  for (const path of version === 3 ? [`${base}/scroll`, `${base}/:entity/scroll`] : []) {
    app.post(path, many.scroll, async (request) => {
      const body = scrollBody(request.body ?? {})
      const own = 'entity' in (request.params as object) ? [entityTypeIn(request.params).name] : []
      const types = [...own, ...(body.entities ?? []).map((entity) => entityTypeIn({ entity }).name)]
      const { query = '*', scrollId, count } = request.query as Readonly<Record<string, string | undefined>>
      const search = {
        query,
        types,
        filter: searchFilter(alternativesOf(body.filter)),
        includeRemoved: isTrue(request.query, 'includeSoftDelete'),
        sort: body.sortCriteria ? sortCriteria(body.sortCriteria) : sortOf(request.query),
      }
      // No `aspects` asks for URNs only, an empty list for all aspects.
      const aspects = body.aspects ?? undefined
      const urnsOnly = aspects === undefined
      return scroll(search, { scrollId, count }, aspects, isTrue(request.query, 'systemMetadata'), urnsOnly)
    })
  }

  async function storedAspect(params: unknown, query: unknown) {
    const type = entityTypeIn(params)
    const aspect = aspectIn(type, (params as { readonly aspect: string }).aspect)
    const { version: wanted = '0' } = query as { readonly version?: string }
    if (!/^\d{1,9}$/.test(wanted)) throw new DecodeError('version is a number from 0', { path: '?version' })
    return catalog.read.aspect(urnIn(params, type), aspect.name, Number(wanted))
  }

  async function scroll(
    query: SearchQuery,
    range: { readonly scrollId: string | undefined; readonly count: string | undefined },
    aspects: readonly string[] | undefined,
    withSystemMetadata: boolean,
    urnsOnly = false,
  ) {
    const page = await catalog.search.scroll(query, { after: range.scrollId, count: countOf(range.count) })
    const names = aspects === undefined || aspects.length === 0 ? undefined : aspects
    const records = urnsOnly ? undefined : await catalog.read.entities(page.urns, names)
    const entities = page.urns.flatMap((urn) => {
      if (records === undefined) return [{ urn }]
      const record = records.get(urn)
      return record === undefined ? [] : [recordJson(record, version, withSystemMetadata)]
    })
    const next = page.next === undefined ? {} : { scrollId: page.next }
    return version === 2 ? { ...next, results: entities } : { ...next, entities, totalCount: page.total }
  }
}

/** `{and: [{criteria: […]}]}`: the outer list holds alternatives, whatever it is called (contract §5.2). */
export function alternativesOf(filter: unknown): unknown {
  if (typeof filter !== 'object' || filter === null) return filter
  return 'and' in filter ? { or: filter.and } : filter
}

/** `?sort=<field>`, or `?sortCriteria=<field>` many times; `sortOrder` holds for all of them. */
function sortOf(query: unknown): readonly SortCriterion[] {
  const given = query as Readonly<Record<string, string | readonly string[] | undefined>>
  const fields = [given.sortCriteria ?? given.sort ?? []].flat()
  const order = given.sortOrder ?? 'ASCENDING'
  const descending = isDescending(typeof order === 'string' ? order : '')
  return sortCriteria(fields.map((field) => ({ field, order: descending ? 'DESCENDING' : 'ASCENDING' })))
}

function aspectNames(query: unknown): readonly string[] | undefined {
  const { aspects, aspectNames: names } = query as Readonly<Record<string, string | readonly string[] | undefined>>
  const given = aspects ?? names
  return given === undefined ? undefined : [given].flat().flatMap((one) => one.split(','))
}

function countOf(text: string | undefined): number {
  const count = Number(text ?? 10)
  if (!Number.isInteger(count) || count < 1) throw new BadRequestError('count is a number from 1')
  return Math.min(count, MAX_COUNT)
}
