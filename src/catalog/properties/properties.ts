/** Structured properties: definitions, and values on entities (interface §4.4-4.5, contract §8, §9.6). */
import { objectsOf, stringsAt, textOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed, entityTypeNamed, type AspectType } from '../../model/registry/registry.ts'
import { unknownEntityType } from '../../model/registry/unknown.ts'
import { asUrn, entityTypeOf, type Urn } from '../../model/urn.ts'
import { BadRequestError, EntityNotFoundError, InvalidWriteError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Reading } from '../read/read.ts'
import { checkValue } from '../write/proposal-changes.ts'
import { checkedUrn } from '../../model/registry/urn-rules.ts'
import type { Change, StoredAspect } from '../write/write.ts'
import { DEFINITION_RULES } from './definition-rules.ts'
import { VALUE_RULES } from './value-rules.ts'

export interface DefinitionUpdate {
  readonly displayName?: string
  readonly description?: string
  readonly immutable?: boolean
  readonly newAllowedValues?: readonly JsonObject[]
  readonly setCardinalityAsMultiple?: boolean
  readonly newEntityTypes?: readonly string[]
  readonly newAllowedTypes?: readonly string[]
}

export interface PropertyAssignment {
  readonly propertyUrn: Urn
  /** `{string}` or `{double}`. */
  readonly values: readonly JsonObject[]
}

export interface Properties {
  /** Defines a property. @param id its qualified name; a random one when absent. @throws InvalidWriteError where it exists */
  define(id: string | undefined, definition: JsonObject, actor: Urn): Promise<Urn>
  /** Changes a definition within the rules of compatibility. @throws EntityNotFoundError, InvalidWriteError */
  redefine(urn: Urn, update: DefinitionUpdate, actor: Urn): Promise<void>
  /** Sets some properties of an asset; the others stay, and known ones keep their place. @throws EntityNotFoundError */
  assign(asset: Urn, assignments: readonly PropertyAssignment[], actor: Urn): Promise<void>
  /** Takes properties from an asset; one that is not there is no error. @throws EntityNotFoundError */
  unassign(asset: Urn, properties: readonly Urn[], actor: Urn): Promise<void>
}

export function createProperties(ports: Ports, reading: Reading): Properties {
  async function write(
    asset: Urn,
    actor: Urn,
    change: (present: readonly JsonObject[]) => readonly JsonObject[],
    reads: readonly Urn[],
  ) {
    await ports.write({
      actor,
      reads: { entities: [asset], aspects: reads.map((urn) => ({ urn, name: 'propertyDefinition' })) },
      async check(view) {
        if (await view.exists(asset)) return
        const what = `Asset with provided urn ${asset} does not exist.`
        throw new EntityNotFoundError(what, asset, await reading.near(asset))
      },
      changes: [valuesChange(asset, change)],
    })
  }

  return {
    async define(id, given, actor) {
      const nowMs = ports.clock.now()
      const name = id ?? (textOf(given.qualifiedName) || ports.ids.next('property', nowMs))
      const { urn } = checkedUrn(`urn:li:structuredProperty:${name}`)
      const stamp = { time: nowMs, actor }
      await ports.write({
        actor,
        reads: { entities: [urn] },
        async check(view) {
          if (await view.exists(urn))
            throw new InvalidWriteError(`A structured property already exists with urn ${urn}`)
        },
        changes: [
          definitionChange(urn, () => ({
            ...given,
            qualifiedName: textOf(given.qualifiedName) || name,
            created: stamp,
            lastModified: stamp,
          })),
        ],
      })
      return urn
    },

    async redefine(urn, update, actor) {
      const stamp = { time: ports.clock.now(), actor }
      await ports.write({
        actor,
        changes: [
          definitionChange(urn, (stored) => {
            if (stored === undefined)
              throw new EntityNotFoundError(`The structured property ${urn} does not exist.`, urn)
            return { ...updated(stored.value, update), lastModified: stamp }
          }),
        ],
      })
    },

    assign: (asset, assignments, actor) =>
      write(
        asset,
        actor,
        (present) => assigned(present, assignments, { time: ports.clock.now(), actor }),
        assignments.map((one) => one.propertyUrn),
      ),

    unassign: (asset, properties, actor) =>
      write(
        asset,
        actor,
        (present) => present.filter((entry) => !properties.some((urn) => urn === entry.propertyUrn)),
        [],
      ),
  }
}

function definitionChange(urn: Urn, make: (stored: StoredAspect | undefined) => JsonObject): Change {
  return {
    urn,
    aspect: DEFINITION,
    async next(stored, view) {
      const next = make(stored)
      checkValue(DEFINITION, next)
      await DEFINITION_RULES.check({ urn, type: typeOf(urn), next, stored, view })
      return next
    },
  }
}

function valuesChange(asset: Urn, change: (present: readonly JsonObject[]) => readonly JsonObject[]): Change {
  return {
    urn: asset,
    aspect: VALUES,
    async next(stored, view) {
      const next = { ...stored?.value, properties: change(objectsOf(stored?.value.properties)) }
      if (stored === undefined && next.properties.length === 0) return undefined
      checkValue(VALUES, next)
      await VALUE_RULES.check({ urn: asset, type: typeOf(asset), next, stored, view })
      return next
    },
  }
}

function assigned(
  present: readonly JsonObject[],
  assignments: readonly PropertyAssignment[],
  stamp: JsonObject,
): readonly JsonObject[] {
  let next = [...present]
  for (const { propertyUrn, values } of assignments) {
    const index = next.findIndex((entry) => entry.propertyUrn === propertyUrn)
    const known = next[index]
    if (known === undefined) next = [...next, { propertyUrn, values, created: stamp, lastModified: stamp }]
    else next = next.with(index, { ...known, values, lastModified: stamp })
  }
  return next
}

function updated(definition: JsonObject, update: DefinitionUpdate): JsonObject {
  const {
    displayName,
    description,
    immutable,
    newAllowedValues,
    setCardinalityAsMultiple,
    newEntityTypes,
    newAllowedTypes,
  } = update
  return {
    ...definition,
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
    ...(immutable === undefined ? {} : { immutable }),
    ...(setCardinalityAsMultiple === true ? { cardinality: 'MULTIPLE' } : {}),
    ...(newAllowedValues === undefined
      ? {}
      : { allowedValues: [...objectsOf(definition.allowedValues), ...newAllowedValues] }),
    ...(newEntityTypes === undefined
      ? {}
      : { entityTypes: union(stringsAt(definition, 'entityTypes'), newEntityTypes) }),
    ...(newAllowedTypes === undefined
      ? {}
      : {
          typeQualifier: { allowedTypes: union(stringsAt(definition.typeQualifier, 'allowedTypes'), newAllowedTypes) },
        }),
  }
}

function typeOf(urn: Urn) {
  const type = entityTypeNamed(entityTypeOf(urn))
  if (type === undefined) throw new BadRequestError(unknownEntityType(entityTypeOf(urn)))
  return type
}

/** Any namespace is taken (contract §11); a bare name means DataHub's own. */
export function qualified(kind: 'dataType' | 'entityType', text: string): Urn {
  if (text.startsWith('urn:li:')) return asUrn(text)
  return asUrn(`urn:li:${kind}:${text.includes('.') ? text : `datahub.${text}`}`)
}

const DEFINITION = aspectNamed('propertyDefinition') as AspectType
const VALUES = aspectNamed('structuredProperties') as AspectType

function union(old: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...old, ...more])]
}
