/** Reads by URN: one aspect, one entity, several entities (contract §4.3). */
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../catalog/catalog.ts'
import { DecodeError, HeadwaterError } from '../../model/errors.ts'
import { aspectNamed } from '../../model/registry/registry.ts'
import { asUrn } from '../../model/urn.ts'
import { NUMBER, reads, TEXT } from '../route-options.ts'
import { entityJson, systemMetadataJson } from './encode.ts'

/** The aspect or the entity is not there. */
class AbsentError extends HeadwaterError {
  readonly code = 'NOT_FOUND'
}

const SHAPE = Type.Object({
  urn: Type.String(),
  entityName: Type.String(),
  aspects: Type.Record(
    Type.String(),
    Type.Object({
      name: Type.String(),
      type: Type.Union([Type.Literal('VERSIONED'), Type.Literal('TIMESERIES')]),
      version: Type.Integer(),
      value: Type.Record(Type.String(), Type.Unknown()),
    }),
  ),
})
const ASPECT = reads({
  tag: 'rest.li',
  summary: 'An aspect under the full name of its record: 0 is its newest version, 1 the oldest',
  query: Type.Object({ aspect: Type.String(), version: NUMBER }),
  answers: {
    200: Type.Object({ version: Type.Integer(), aspect: Type.Record(Type.String(), Type.Unknown()) }),
  },
})
const ENTITY = reads({
  tag: 'rest.li',
  summary: 'An entity with its aspects, or those of List(a,b); of an unknown one its key',
  query: Type.Object({ aspects: TEXT }),
  answers: { 200: SHAPE },
})
const ENTITIES = reads({
  tag: 'rest.li',
  summary: 'Entities by their URNs, List(…)',
  query: Type.Object({ ids: Type.String(), aspects: TEXT }),
  answers: { 200: Type.Object({ results: Type.Record(Type.String(), SHAPE) }) },
})

export function readRoutes(app: FastifyInstance, catalog: Catalog): void {
  app.get('/aspects/:urn', ASPECT, async (request) => {
    const { urn: text } = request.params as { readonly urn: string }
    const { aspect: name, version = '0' } = request.query as { readonly aspect?: string; readonly version?: string }
    const urn = asUrn(text)
    const aspect = aspectNamed(name ?? '')
    if (aspect === undefined) throw new DecodeError(`there is no aspect ${String(name)}`, { path: '?aspect' })
    if (!/^\d{1,9}$/.test(version)) throw new DecodeError('version is a number from 0', { path: '?version' })
    const stored = await catalog.read.aspect(urn, aspect.name, Number(version))
    if (stored === undefined)
      throw new AbsentError(`Did not find urn: ${urn} aspect: ${aspect.name} version: ${version}`)
    return {
      version: Number(version),
      aspect: { [aspect.record]: stored.value },
      systemMetadata: systemMetadataJson(stored),
    }
  })

  app.get('/entitiesV2/:urn', ENTITY, async (request) => {
    const urn = asUrn((request.params as { readonly urn: string }).urn)
    const names = aspectNames(request.query)
    return entityJson(urn, (await catalog.read.entities([urn], names)).get(urn))
  })

  app.get('/entitiesV2', ENTITIES, async (request) => {
    const { ids = '' } = request.query as { readonly ids?: string }
    const urns = listOf(ids).map((text) => asUrn(text))
    const records = await catalog.read.entities(urns, aspectNames(request.query))
    return {
      results: Object.fromEntries(urns.map((urn) => [urn, entityJson(urn, records.get(urn))])),
      statuses: {},
      errors: {},
    }
  })
}

/** `List(a,b)` of the query string; undefined, which means all, where it is absent. */
function aspectNames(query: unknown): readonly string[] | undefined {
  const { aspects } = query as { readonly aspects?: string }
  return aspects === undefined ? undefined : listOf(aspects)
}

/** The members of `List(a,b)`: split at commas outside of parentheses. */
function listOf(text: string): readonly string[] {
  if (!text.startsWith('List(') || !text.endsWith(')')) throw new DecodeError('a list is written List(a,b)', {})
  const members: string[] = []
  let depth = 0
  let start = 5
  for (let i = 5; i < text.length; i++) {
    const end = i === text.length - 1
    if (text[i] === '(') depth++
    else if (text[i] === ')' && !end) depth--
    else if (end || (text[i] === ',' && depth === 0)) {
      members.push(text.slice(start, i))
      start = i + 1
    }
  }
  return members.filter((member) => member !== '').map((member) => decodeMember(member))
}

/** Inside of a list, URNs are percent-encoded once more by some clients. */
function decodeMember(member: string): string {
  if (!member.startsWith('urn%3A')) return member
  try {
    return decodeURIComponent(member)
  } catch (cause) {
    throw new DecodeError('a broken percent sequence', {}, { cause })
  }
}
