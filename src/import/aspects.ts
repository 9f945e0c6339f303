/**
 * Edits to aspects: which aspect each edit lives in, and how that aspect reads afterwards. Merges keep whatever else an
 * aspect holds, entries of others and fields that we do not know.
 */
import type { AspectChange, Merge } from '../client/change.ts'
import { simpleFieldPath } from '../model/field-path.ts'
import { canonicalJson, isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { entityTypeOf, schemaFieldUrn, type Urn } from '../model/urn.ts'
import { withoutAbsent, type Edits, type ListEdit } from './edits.ts'

/** Who changed something and when; used where an aspect demands it, and only when something changes. */
export interface AuditStamp extends JsonObject {
  readonly time: number
  readonly actor: string
}

/** A change of which only values are asked, and which removes no aspect. */
export interface ValueChange extends AspectChange {
  readonly merge: Merge
}

/** What is asked of an entity and of its columns. */
export interface EntityEdits {
  readonly urn: Urn
  readonly own: Edits
  readonly columns: ReadonlyMap<string, Edits>
}

/** Entity types whose descriptions can be edited, and the aspect that holds them. */
const EDITABLE_PROPERTIES: Readonly<Record<string, string>> = {
  dataset: 'editableDatasetProperties',
  chart: 'editableChartProperties',
  dashboard: 'editableDashboardProperties',
  dataJob: 'editableDataJobProperties',
  dataFlow: 'editableDataFlowProperties',
  container: 'editableContainerProperties',
  mlFeature: 'editableMlFeatureProperties',
  mlFeatureTable: 'editableMlFeatureTableProperties',
  mlModel: 'editableMlModelProperties',
  mlModelGroup: 'editableMlModelGroupProperties',
  mlPrimaryKey: 'editableMlPrimaryKeyProperties',
  notebook: 'editableNotebookProperties',
}

/** Those whose record has no audit stamps: a catalog refuses fields that a record does not have. */
const WITHOUT_STAMPS: ReadonlySet<string> = new Set([
  'container',
  'mlFeature',
  'mlFeatureTable',
  'mlModel',
  'mlModelGroup',
  'mlPrimaryKey',
])

/** The aspect that holds an entity's description; undefined where that type has none that people edit. */
export function descriptionAspect(entityType: string): string | undefined {
  return EDITABLE_PROPERTIES[entityType]
}

/** How aspects are merged with what a CSV asks of them, by their names: the name alone says it. */
export type Merges = ReadonlyMap<string, Merge>

/** The aspects that a CSV speaks of. @param stamp used where something changes */
export function editMerges(stamp: AuditStamp): Merges {
  return new Map([
    ['globalTags', mergeTags],
    ['glossaryTerms', termsMerge(stamp)],
    ['ownership', listMerge('owners', ownerKey, { lastModified: stamp })],
    ['domains', mergeDomain],
    ['structuredProperties', propertiesMerge(stamp)],
    ['editableSchemaMetadata', schemaMerge(stamp)],
    ...Object.entries(EDITABLE_PROPERTIES).map(([entityType, aspectName]): [string, Merge] => [
      aspectName,
      descriptionMerge(stampsOf(entityType, stamp)),
    ]),
  ])
}

/** All changes that an entity's edits come to, at most one an aspect. */
export function changesOf(edits: EntityEdits, merges: Merges): readonly ValueChange[] {
  return asksOf(edits).flatMap((asked) => {
    const merge = merges.get(asked.aspectName)
    return merge === undefined ? [] : [{ ...asked, merge }]
  })
}

/** The same, as data: what is asked of which aspect. */
export function asksOf({ urn, own, columns }: EntityEdits): readonly Omit<ValueChange, 'merge'>[] {
  const asks: Omit<ValueChange, 'merge'>[] = []
  const ask = (of: Urn, aspectName: string | undefined, intent: object | undefined): void => {
    if (aspectName === undefined || intent === undefined) return
    asks.push({ urn: of, aspectName, intent: intent as JsonObject })
  }
  const { tags, terms, owners, domain, description, properties } = own
  ask(urn, 'globalTags', tags)
  ask(urn, 'glossaryTerms', terms)
  ask(urn, 'ownership', owners)
  if (domain !== undefined) ask(urn, 'domains', { domain })
  if (description !== undefined) ask(urn, descriptionAspect(entityTypeOf(urn)), { description })
  ask(urn, 'structuredProperties', properties)
  if (columns.size === 0) return asks
  ask(urn, 'editableSchemaMetadata', schemaIntent(columns))
  for (const [fieldPath, edits] of columns) {
    ask(schemaFieldUrn(urn, fieldPath), 'structuredProperties', edits.properties)
  }
  return asks
}

/** What is asked of columns, but for their properties, which columns carry themselves; undefined where it is nothing. */
function schemaIntent(columns: ReadonlyMap<string, Edits>): JsonObject | undefined {
  const fields: Record<string, JsonObject> = {}
  for (const [fieldPath, { tags, terms, description }] of columns) {
    const field = withoutAbsent({ tags, terms, description })
    if (Object.keys(field).length > 0) fields[fieldPath] = field
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}

/** An aspect whose one list holds associations, for example `{tags: [{tag}]}`. */
function listMerge(listName: string, keyOf: (item: JsonObject) => string, onChange: JsonObject = {}): Merge {
  return (current, intent) => {
    const list = mergeList(objectsAt(current, listName), intent as unknown as ListEdit, keyOf)
    if (list === undefined) return undefined
    return { ...current, ...onChange, [listName]: list }
  }
}

const mergeTags = listMerge('tags', (tag) => textAt(tag, 'tag') ?? '')

function termsMerge(stamp: AuditStamp): Merge {
  return listMerge('terms', (term) => textAt(term, 'urn') ?? '', { auditStamp: stamp })
}

/** @returns undefined where the list already is as asked. Entries that stay keep their place and whatever they hold. */
function mergeList(
  current: readonly JsonObject[],
  edit: ListEdit,
  keyOf: (item: JsonObject) => string,
): readonly JsonObject[] | undefined {
  const wanted = new Map(edit.add.map((item) => [keyOf(item), item]))
  const removed = new Set(edit.remove.map(keyOf))
  const kept = current.filter((item) => wanted.has(keyOf(item)) || (!edit.replace && !removed.has(keyOf(item))))
  for (const item of kept) wanted.delete(keyOf(item))
  if (kept.length === current.length && wanted.size === 0) return undefined
  return [...kept, ...wanted.values()]
}

/** An owner may stand once with each type. */
function ownerKey(owner: JsonObject): string {
  return [textAt(owner, 'owner'), textAt(owner, 'type') ?? 'NONE', textAt(owner, 'typeUrn') ?? ''].join(' ')
}

const mergeDomain: Merge = (current, intent) => {
  const { domain } = intent
  const wanted: readonly JsonValue[] = typeof domain === 'string' ? [domain] : []
  const held = Array.isArray(current?.['domains']) ? current['domains'] : []
  return canonicalJson(held as JsonValue) === canonicalJson(wanted) ? undefined : { ...current, domains: wanted }
}

function descriptionMerge({ created, changed }: Stamps): Merge {
  return (current, intent) => {
    const wanted = textAt(intent, 'description')
    if (textAt(current, 'description') === wanted) return undefined
    const { description: _, ...rest } = current ?? created
    return { ...rest, ...(wanted === undefined ? {} : { description: wanted }), ...changed }
  }
}

/** What stands in an editable aspect beside the description: of a new one, and of one that changes. */
interface Stamps {
  readonly created: JsonObject
  readonly changed: JsonObject
}

function stampsOf(entityType: string, stamp: AuditStamp): Stamps {
  if (WITHOUT_STAMPS.has(entityType)) return { created: {}, changed: {} }
  return { created: { created: stamp }, changed: { lastModified: stamp } }
}

/** Intent: property URN to the edit of its values. */
function propertiesMerge(stamp: AuditStamp): Merge {
  return (current, intent) => {
    const held = objectsAt(current, 'properties')
    const byUrn = new Map(held.map((entry) => [textAt(entry, 'propertyUrn') ?? '', entry]))
    let changed = false
    for (const [propertyUrn, edit] of Object.entries(intent)) {
      const entry = byUrn.get(propertyUrn)
      const values = mergeList(objectsAt(entry, 'values'), edit as unknown as ListEdit, canonicalJson)
      if (values === undefined) continue
      changed = true
      if (values.length === 0) byUrn.delete(propertyUrn)
      else byUrn.set(propertyUrn, { ...(entry ?? { propertyUrn, created: stamp }), values, lastModified: stamp })
    }
    return changed ? { ...current, properties: [...byUrn.values()] } : undefined
  }
}

/** Intent: field path to the edits of that column. An entry is found by its simple path, whatever form it has. */
function schemaMerge(stamp: AuditStamp): Merge {
  const mergeTerms = termsMerge(stamp)
  return (current, intent) => {
    const fields = [...objectsAt(current, 'editableSchemaFieldInfo')]
    let changed = false
    for (const [fieldPath, edit] of Object.entries(intent)) {
      const simple = simpleFieldPath(fieldPath)
      const at = fields.findIndex((field) => simpleFieldPath(textAt(field, 'fieldPath') ?? '') === simple)
      const merged = mergeField(fields[at] ?? { fieldPath }, edit as Edits & JsonObject, mergeTerms)
      if (merged === undefined) continue
      changed = true
      fields.splice(at < 0 ? fields.length : at, 1, merged)
    }
    if (!changed) return undefined
    return { created: stamp, ...current, lastModified: stamp, editableSchemaFieldInfo: fields }
  }
}

function mergeField(field: JsonObject, edits: Edits & JsonObject, mergeTerms: Merge): JsonObject | undefined {
  const tags = edits.tags && mergeTags(objectAt(field, 'globalTags'), edits.tags)
  const terms = edits.terms && mergeTerms(objectAt(field, 'glossaryTerms'), edits.terms)
  const described = edits.description !== undefined && (textAt(field, 'description') ?? null) !== edits.description
  if (tags === undefined && terms === undefined && !described) return undefined
  const { description, ...rest } = field
  const text = described ? edits.description : description
  return {
    ...rest,
    ...(typeof text === 'string' ? { description: text } : {}),
    ...(tags === undefined ? {} : { globalTags: tags }),
    ...(terms === undefined ? {} : { glossaryTerms: terms }),
  }
}

function objectAt(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key]
  return isJsonObject(found) ? found : undefined
}
