/** What the routes of entities say of themselves, in version 2 and 3 (contract §5.2). */
import { Type } from 'typebox'
import { FLAG, NUMBER, reads, TEXT, writes } from '../route-options.ts'
import type { Version } from './entities.ts'
import { ASPECT, ASPECT_IN, BARE_ASPECT, entitiesIn, entityShape, FILTER, PATCH } from './shapes.ts'

const ORDER = Type.Union([Type.Literal('ASCENDING'), Type.Literal('DESCENDING')])
export const SCROLL_BODY = Type.Object({
  entities: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  aspects: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  filter: Type.Optional(FILTER),
  sortCriteria: Type.Optional(
    Type.Union([Type.Array(Type.Object({ field: Type.String(), order: Type.Optional(ORDER) })), Type.Null()]),
  ),
})
const ABSENT = { 404: 'There is none' }
const SHOWN = { aspects: TEXT, systemMetadata: FLAG }
const PAGED = {
  query: TEXT,
  scrollId: TEXT,
  count: NUMBER,
  sort: TEXT,
  sortCriteria: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
  sortOrder: Type.Optional(ORDER),
  includeSoftDelete: FLAG,
  systemMetadata: FLAG,
}

export function readDocs(version: Version) {
  const tag = version === 2 ? 'entities v2' : 'entities'
  const shown = entityShape(version)
  const pageShape =
    version === 2
      ? Type.Object({ scrollId: TEXT, results: Type.Array(shown) })
      : Type.Object({ scrollId: TEXT, entities: Type.Array(shown), totalCount: Type.Integer() })
  const one = {
    entity: reads({
      tag,
      summary: version === 2 ? 'An entity; of an unknown one its key' : 'An entity',
      query: Type.Object(SHOWN),
      answers: { 200: shown, ...(version === 2 ? {} : ABSENT) },
    }),
    entityHead: reads({ tag, summary: 'Whether an entity exists', answers: { 204: 'It exists', ...ABSENT } }),
    aspect: reads({
      tag,
      summary: 'An aspect: 0 is its newest version, 1 the oldest',
      query: Type.Object({ version: NUMBER, systemMetadata: FLAG }),
      answers: { 200: ASPECT, ...ABSENT },
    }),
    aspectHead: reads({ tag, summary: 'Whether an aspect exists', answers: { 204: 'It exists', ...ABSENT } }),
  }
  const many = {
    list: reads({
      tag,
      summary: 'Entities of a type, page by page',
      query: Type.Object({ ...PAGED, aspects: TEXT }),
      answers: { 200: pageShape },
    }),
    scroll: reads({
      tag,
      summary: 'Entities by a filter, page by page; without aspects their URNs only',
      query: Type.Object(PAGED),
      body: SCROLL_BODY,
      answers: { 200: pageShape },
    }),
  }
  return { one, many }
}

export function writeDocs(version: Version) {
  const tag = version === 2 ? 'entities v2' : 'entities'
  const shown = entityShape(version)
  const stored = { 200: shown, 202: shown }
  const mode = { async: FLAG, systemMetadata: FLAG }
  return {
    many: writes({
      tag,
      summary: 'Writes aspects of many entities, all or none; asynchronous unless async=false',
      query: Type.Object(mode),
      body: entitiesIn(version),
      answers: { 200: Type.Array(shown), 202: Type.Array(shown) },
    }),
    patchMany: writes({
      tag,
      summary: 'Patches aspects of many entities, all or none; asynchronous unless async=false',
      query: Type.Object(mode),
      body: entitiesIn(version),
      answers: { 200: Type.Array(shown), 202: Type.Array(shown) },
    }),
    one: writes({
      tag,
      summary:
        version === 2
          ? 'Sets an aspect, replacing what is there'
          : 'Creates an aspect; with createIfNotExists=false replaces what is there',
      query: Type.Object({ ...mode, createIfNotExists: FLAG, createIfEntityNotExists: FLAG }),
      body: version === 2 ? BARE_ASPECT : ASPECT_IN,
      answers: stored,
    }),
    patchOne: writes({
      tag,
      summary: 'Patches an aspect',
      query: Type.Object(mode),
      body: PATCH,
      answers: stored,
    }),
    remove: writes({
      tag,
      summary: 'Deletes an entity, or the aspects named; clear=true keeps its key',
      query: Type.Object({ aspects: TEXT, clear: FLAG }),
      answers: { 200: 'Gone, or was not there' },
    }),
    removeAspect: writes({ tag, summary: 'Deletes an aspect', answers: { 200: 'Gone, or was not there' } }),
  }
}
