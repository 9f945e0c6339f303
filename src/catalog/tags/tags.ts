/** Tags: made, attached to datasets and columns, removed (interface §4.1, contract §9.3-9.4). */
import { objectsOf, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'
import { aspectNamed, type AspectType } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import { BadRequestError, EntityNotFoundError, InvalidWriteError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Reading } from '../read/read.ts'
import { checkedUrn } from '../../model/registry/urn-rules.ts'
import type { Change, View } from '../write/write.ts'
import { columnEntry, knownColumn } from './columns.ts'

/** What a tag is attached to: an entity, or a column of a dataset. */
export interface TagTarget {
  readonly resource: Urn
  /** The column as its field path or its simple name; the entity itself when absent. */
  readonly column?: string
}

export interface Tags {
  /** @returns the URN of the new tag. @throws InvalidWriteError where the tag exists already */
  create(tag: { readonly id?: string; readonly name: string; readonly description?: string }, actor: Urn): Promise<Urn>
  /** Changes single properties of a tag; what is not given stays. @throws EntityNotFoundError */
  update(
    urn: Urn,
    changes: { readonly name?: string; readonly description?: string; readonly colorHex?: string },
    actor: Urn,
  ): Promise<void>
  /** Attaches all tags to all targets, or nothing. @throws EntityNotFoundError, BadRequestError */
  add(tags: readonly Urn[], targets: readonly TagTarget[], actor: Urn): Promise<void>
  /** Detaches tags; one that is not attached is no error. @throws EntityNotFoundError for the target */
  remove(tags: readonly Urn[], targets: readonly TagTarget[], actor: Urn): Promise<void>
}

export function createTags(ports: Ports, reading: Reading): Tags {
  async function checkTag(tag: Urn, view: View): Promise<void> {
    if (entityTypeOf(tag) !== 'tag') {
      throw new BadRequestError(`Failed to validate label with urn ${tag}. Urn type does not match entity type tag..`)
    }
    if (await view.exists(tag)) return
    const what = `Failed to validate label with urn ${tag}. Urn does not exist.`
    throw new EntityNotFoundError(what, tag, await reading.near(tag))
  }

  async function checkTarget({ resource, column }: TagTarget, view: View): Promise<void> {
    if (!(await view.exists(resource))) {
      const what = `Failed to update resource with urn ${resource}. Entity does not exist.`
      throw new EntityNotFoundError(what, resource, await reading.near(resource))
    }
    if (column !== undefined && entityTypeOf(resource) !== 'dataset') {
      throw new BadRequestError(`Failed to update resource with urn ${resource}. Only datasets have columns.`)
    }
  }

  function write(targets: readonly TagTarget[], tags: readonly Urn[], actor: Urn, mode: 'add' | 'remove') {
    const nowMs = ports.clock.now()
    return ports.write({
      actor,
      mentions: mode === 'add' ? tags : [],
      reads: {
        entities: [...targets.map((target) => target.resource), ...tags],
        aspects: targets.flatMap(({ resource, column }) =>
          column === undefined ? [] : [{ urn: resource, name: 'schemaMetadata' }],
        ),
      },
      async check(view) {
        if (mode === 'add') for (const tag of tags) await checkTag(tag, view)
        for (const target of targets) await checkTarget(target, view)
      },
      changes: targets.map((target) => changeOf(target, tags, mode, { time: nowMs, actor })),
    })
  }

  return {
    async create({ id, name, description }, actor) {
      if (name.trim() === '') throw new BadRequestError('A tag needs a name')
      const nowMs = ports.clock.now()
      const { urn } = checkedUrn(`urn:li:tag:${id ?? ports.ids.next('tag', nowMs)}`)
      await ports.write({
        actor,
        reads: { entities: [urn] },
        async check(view) {
          if (await view.exists(urn)) throw new InvalidWriteError('This Tag already exists!')
        },
        changes: [
          {
            urn,
            aspect: TAG_PROPERTIES,
            next: () => ({ name, ...(description === undefined ? {} : { description }) }),
          },
        ],
      })
      return urn
    },

    async update(urn, changes, actor) {
      await ports.write({
        actor,
        reads: { entities: [urn] },
        async check(view) {
          if (entityTypeOf(urn) !== 'tag' || !(await view.exists(urn))) {
            throw new EntityNotFoundError(`The Tag provided ${urn} does not exist.`, urn, await reading.near(urn))
          }
        },
        changes: [
          {
            urn,
            aspect: TAG_PROPERTIES,
            next: (stored) => ({ name: urn.slice('urn:li:tag:'.length), ...stored?.value, ...changes }),
          },
        ],
      })
    },

    async add(tags, targets, actor) {
      await write(targets, tags, actor, 'add')
    },

    async remove(tags, targets, actor) {
      await write(targets, tags, actor, 'remove')
    },
  }
}

function changeOf(target: TagTarget, tags: readonly Urn[], mode: 'add' | 'remove', stamp: JsonObject): Change {
  const edit = (list: JsonValue | undefined) => (mode === 'add' ? withTags(list, tags) : withoutTags(list, tags))
  const { resource, column } = target
  if (column === undefined) {
    return {
      urn: resource,
      aspect: GLOBAL_TAGS,
      next: (stored) =>
        stored === undefined && mode === 'remove' ? undefined : { ...stored?.value, tags: edit(stored?.value.tags) },
    }
  }
  return {
    urn: resource,
    aspect: EDITABLE_SCHEMA,
    async next(stored, view) {
      const fieldPath = knownColumn((await view.aspect(resource, 'schemaMetadata'))?.value, column, resource)
      const entries = objectsOf(stored?.value.editableSchemaFieldInfo)
      const { entry, replace } = columnEntry(entries, fieldPath)
      if (entry === undefined && mode === 'remove') return undefined
      const globalTags = { tags: edit(objectsOf([entry?.globalTags])[0]?.tags) }
      return {
        created: stamp,
        ...stored?.value,
        lastModified: stamp,
        editableSchemaFieldInfo: replace({ ...entry, fieldPath: textOf(entry?.fieldPath) || fieldPath, globalTags }),
      }
    },
  }
}

function withTags(list: JsonValue | undefined, tags: readonly Urn[]): readonly JsonObject[] {
  const present = objectsOf(list)
  const known = new Set(present.map((association) => association.tag))
  return [...present, ...[...new Set(tags)].filter((tag) => !known.has(tag)).map((tag) => ({ tag }))]
}

function withoutTags(list: JsonValue | undefined, tags: readonly Urn[]): readonly JsonObject[] {
  return objectsOf(list).filter((association) => !tags.some((tag) => tag === association.tag))
}

const GLOBAL_TAGS = aspectNamed('globalTags') as AspectType
const EDITABLE_SCHEMA = aspectNamed('editableSchemaMetadata') as AspectType
const TAG_PROPERTIES = aspectNamed('tagProperties') as AspectType
