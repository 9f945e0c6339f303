/** Shapes of entities and aspects in version 2 and 3, for the OpenAPI page (contract §5.2). */
import { Type } from 'typebox'
import type { Version } from './entities.ts'

const VALUE = Type.Record(Type.String(), Type.Unknown(), { description: 'The aspect, as contract §3 has it' })
const STAMP = Type.Object({ time: Type.Integer(), actor: Type.String() })
const SYSTEM_METADATA = Type.Object(
  { lastObserved: Type.Number(), runId: Type.String(), version: Type.String() },
  { description: 'Who wrote it: run, time, and the version for conditional writes' },
)

/** What is read of one aspect. */
export const ASPECT = Type.Object({
  value: VALUE,
  systemMetadata: Type.Optional(SYSTEM_METADATA),
  auditStamp: Type.Optional(STAMP),
})

/** What is written of one aspect: version 3 wraps it. */
export const ASPECT_IN = Type.Object({
  value: VALUE,
  systemMetadata: Type.Optional(Type.Unknown()),
  headers: Type.Optional(Type.Unsafe({ type: ['object', 'null'], additionalProperties: { type: 'string' } })),
})

/** The bare aspect, as version 2 writes it. */
export const BARE_ASPECT = VALUE

/** An entity as it is shown: in version 2 its aspects under `aspects`, in version 3 beside `urn`. */
export function entityShape(version: Version) {
  return version === 2
    ? Type.Object({ urn: Type.String(), aspects: Type.Record(Type.String(), ASPECT) })
    : Type.Unsafe({
        type: 'object',
        required: ['urn'],
        properties: { urn: { type: 'string' } },
        additionalProperties: ASPECT,
      })
}

/** Entities as they are written. */
export function entitiesIn(version: Version) {
  return version === 2
    ? Type.Array(Type.Object({ urn: Type.String(), aspects: Type.Record(Type.String(), ASPECT_IN) }))
    : Type.Array(
        Type.Unsafe({
          type: 'object',
          required: ['urn'],
          properties: { urn: { type: 'string' } },
          additionalProperties: ASPECT_IN,
        }),
      )
}

const OPERATION = Type.Object({
  op: Type.Union([Type.Literal('add'), Type.Literal('remove'), Type.Literal('replace')]),
  path: Type.String(),
  value: Type.Optional(Type.Unknown()),
})

/** A JSON patch with the keys of its lists (contract §6). */
export const PATCH = Type.Union([
  Type.Object({
    patch: Type.Array(OPERATION),
    arrayPrimaryKeys: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  }),
  Type.Array(OPERATION),
])

export const RELATIONSHIP_END = Type.Object({ urn: Type.String(), entityType: Type.String() })

/** A filter: alternatives of criteria (contract §9.2). */
export const FILTER = Type.Unsafe({
  description: '{and: [{criteria: [{field, values, condition, negated}]}]}: the outer list holds alternatives',
})
