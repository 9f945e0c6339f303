/** Names in paths and queries: matched ignoring case (contract §5.2). */
import { DecodeError, InvalidUrnError } from '../../model/errors.ts'
import {
  aspectNamed,
  carries,
  entityTypeNamed,
  type AspectType,
  type EntityType,
} from '../../model/registry/registry.ts'
import { unknownAspect, unknownEntityType } from '../../model/registry/unknown.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'

/** The entity type of `:entity`. @throws DecodeError */
export function entityTypeIn(params: unknown): EntityType {
  const { entity } = params as { readonly entity: string }
  const type = entityTypeNamed(entity)
  if (type === undefined) throw new DecodeError(unknownEntityType(entity), { path: '/entity' })
  return type
}

/** The aspect that an entity type carries under this name. @throws DecodeError */
export function aspectIn(type: EntityType, name: string): AspectType {
  const aspect = aspectNamed(name, { anyCase: true })
  if (aspect === undefined || !carries(type, aspect.name)) {
    throw new DecodeError(unknownAspect(type, name), { path: '/aspect' })
  }
  return aspect
}

export const aspectNameIn = (type: EntityType, name: string): string => aspectIn(type, name).name

/** The URN of `:urn`, which must be of this entity type. @throws InvalidUrnError */
export function urnIn(params: unknown, type: EntityType): Urn {
  const { urn: text } = params as { readonly urn: string }
  const urn = asUrn(text)
  if (entityTypeOf(urn).toLowerCase() !== type.name.toLowerCase()) {
    throw new InvalidUrnError(text, `it is a ${entityTypeOf(urn)}, not a ${type.name}`)
  }
  return urn
}

/** A flag of the query string. @throws DecodeError where it is neither `true` nor `false` */
export function flagIn(query: unknown, name: string): boolean | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name]
  if (value === undefined || value === '') return undefined
  if (value === 'true' || value === 'True') return true
  if (value === 'false' || value === 'False') return false
  throw new DecodeError(`${name} is true or false`, { path: `?${name}` })
}

export const isTrue = (query: unknown, name: string): boolean => flagIn(query, name) === true
