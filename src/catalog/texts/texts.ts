/** Names and descriptions that people give by hand (contract §9.3): each kind of entity keeps them in an aspect of its own. */
import { objectsOf, type JsonObject } from '../../model/json.ts'
import { aspectNamed, type AspectType } from '../../model/registry/registry.ts'
import { entityTypeOf, parseUrn, type Urn } from '../../model/urn.ts'
import { BadRequestError, EntityNotFoundError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { Reading } from '../read/read.ts'
import { columnEntry, knownColumn } from '../tags/columns.ts'
import type { TagTarget } from '../tags/tags.ts'
import type { Change } from '../write/write.ts'

export interface Texts {
  /** Gives an entity another display name. @throws EntityNotFoundError, BadRequestError where its kind has none to give */
  rename(urn: Urn, name: string, actor: Urn): Promise<void>
  /** Describes an entity, or a column of a dataset. @throws EntityNotFoundError, BadRequestError */
  describe(target: TagTarget, description: string, actor: Urn): Promise<void>
}

/** Where a text stands: the aspect, its field, and what else the aspect must hold where it is new. */
type Place = readonly [aspect: string, field: string, fresh?: (name: string) => JsonObject]

const named = (name: string): JsonObject => ({ name })
const term = (name: string): JsonObject => ({ name, definition: '', termSource: 'INTERNAL' })
const termGroup = (name: string): JsonObject => ({ name, definition: '' })

const NAMES: Readonly<Record<string, Place>> = {
  dataset: ['editableDatasetProperties', 'name'],
  tag: ['tagProperties', 'name'],
  glossaryTerm: ['glossaryTermInfo', 'name', term],
  glossaryNode: ['glossaryNodeInfo', 'name', termGroup],
  domain: ['domainProperties', 'name'],
  corpGroup: ['corpGroupInfo', 'displayName', () => ({ admins: [], members: [], groups: [] })],
  dataProduct: ['dataProductProperties', 'name'],
}

const DESCRIPTIONS: Readonly<Record<string, Place>> = {
  dataset: ['editableDatasetProperties', 'description'],
  container: ['editableContainerProperties', 'description'],
  chart: ['editableChartProperties', 'description'],
  dashboard: ['editableDashboardProperties', 'description'],
  dataFlow: ['editableDataFlowProperties', 'description'],
  dataJob: ['editableDataJobProperties', 'description'],
  notebook: ['editableNotebookProperties', 'description'],
  mlModel: ['editableMlModelProperties', 'description'],
  mlModelGroup: ['editableMlModelGroupProperties', 'description'],
  mlFeature: ['editableMlFeatureProperties', 'description'],
  mlFeatureTable: ['editableMlFeatureTableProperties', 'description'],
  mlPrimaryKey: ['editableMlPrimaryKeyProperties', 'description'],
  tag: ['tagProperties', 'description', named],
  domain: ['domainProperties', 'description', named],
  dataProduct: ['dataProductProperties', 'description', named],
  glossaryTerm: ['glossaryTermInfo', 'definition', term],
  glossaryNode: ['glossaryNodeInfo', 'definition', termGroup],
  corpGroup: ['corpGroupEditableInfo', 'description'],
}

export function createTexts(ports: Ports, reading: Reading): Texts {
  async function write(urn: Urn, actor: Urn, change: Change): Promise<void> {
    await ports.write({
      actor,
      reads: { entities: [urn] },
      async check(view) {
        if (await view.exists(urn)) return
        const what = `Failed to update ${urn}. ${urn} does not exist.`
        throw new EntityNotFoundError(what, urn, await reading.near(urn))
      },
      changes: [change],
    })
  }

  return {
    rename: (urn, name, actor) => write(urn, actor, textChange(urn, placeIn(NAMES, urn, 'name'), name)),

    async describe({ resource, column }, description, actor) {
      const stamp = { time: ports.clock.now(), actor }
      const change =
        column === undefined
          ? textChange(resource, placeIn(DESCRIPTIONS, resource, 'description'), description)
          : columnChange(resource, column, description, stamp)
      await write(resource, actor, change)
    },
  }
}

function placeIn(places: Readonly<Record<string, Place>>, urn: Urn, what: 'name' | 'description'): Place {
  const type = entityTypeOf(urn)
  const place = places[type]
  if (place !== undefined) return place
  throw new BadRequestError(`Failed to update ${what}. Unsupported resource type ${type} provided.`, {
    remedy: `one of ${Object.keys(places).join(', ')} has a ${what} of this kind; write the aspect by a proposal`,
  })
}

function textChange(urn: Urn, [aspect, field, fresh = () => ({})]: Place, text: string): Change {
  return {
    urn,
    aspect: aspectNamed(aspect) as AspectType,
    next: (stored) => ({ ...(stored?.value ?? fresh(parseUrn(urn).key[0] ?? '')), [field]: text }),
  }
}

function columnChange(urn: Urn, column: string, description: string, stamp: JsonObject): Change {
  if (entityTypeOf(urn) !== 'dataset') {
    throw new BadRequestError(`Failed to update resource with urn ${urn}. Only datasets have columns.`)
  }
  return {
    urn,
    aspect: aspectNamed('editableSchemaMetadata') as AspectType,
    async next(stored, view) {
      const fieldPath = knownColumn((await view.aspect(urn, 'schemaMetadata'))?.value, column, urn)
      const { entry, replace } = columnEntry(objectsOf(stored?.value.editableSchemaFieldInfo), fieldPath)
      const editableSchemaFieldInfo = replace({ fieldPath, ...entry, description })
      return { created: stamp, ...stored?.value, lastModified: stamp, editableSchemaFieldInfo }
    },
  }
}
