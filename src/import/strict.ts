/**
 * `compat: strict`: a `csv-enricher` file carried out as `csv-enricher` does it, quirk by quirk, for whoever compares the
 * two before changing over. What it does otherwise than our own reading:
 *
 *     lists        an item counts only when it begins with `urn:li:`, a blank in front makes it vanish
 *     PATCH        a domain that is there wins; of two descriptions the later one stays
 *     OVERRIDE     an aspect is replaced whole, columns that the file does not name included; the last row wins
 *     values       every structured property is a list of texts, whatever its definition says
 *     other types  a description or a domain of anything but a dataset is passed over
 *
 * Two of its faults stay out: rows of one dataset never lose each other, and statuses are left alone.
 */
import { replaceAspect, type AspectChange, type Merge } from '../client/change.ts'
import { describeDifference } from '../client/difference.ts'
import { textAt, type JsonObject } from '../model/json.ts'
import { keyAspectValue } from '../model/registry/registry.ts'
import { checkedUrn } from '../model/registry/urn-rules.ts'
import { asUrn, entityTypeOf, type Urn } from '../model/urn.ts'
import { changesOf, editMerges, type AuditStamp, type EntityEdits, type Merges } from './aspects.ts'
import type { ImportMode } from './cells.ts'
import { joinLists, withoutAbsent, type Edits, type ListEdit } from './edits.ts'
import { RowError } from './errors.ts'
import type { EntityRows } from './group.ts'
import type { ColumnName, Header } from './header.ts'
import type { PropertyDefinition } from './property-values.ts'
import type { RowRules, UnderstoodRow } from './row.ts'

/** @returns undefined where the original passes the row over @throws RowError where it would break off */
export function readStrictRow(
  cells: readonly string[],
  { header, arrayDelimiter }: RowRules,
): UnderstoodRow | undefined {
  const cell = (column: ColumnName): string => cells[header.columns[column]?.[0]?.index ?? -1] ?? ''
  const resource = cell('resource')
  if (resource === '') return undefined
  const urn = urnOf(resource, 'resource')
  const isDataset = entityTypeOf(urn) === 'dataset'
  const fieldPath = cell('subresource')
  if (fieldPath !== '' && !isDataset) return undefined
  const items = (column: ColumnName): readonly string[] => itemsOf(cell(column), arrayDelimiter)
  const labels = {
    tags: put(items('tags').map((tag) => ({ tag: urnOf(tag, 'tags') }))),
    terms: put(items('glossary_terms').map((term) => ({ urn: urnOf(term, 'glossary_terms') }))),
    description: isDataset ? cell('description') || undefined : undefined,
  }
  if (fieldPath !== '') return { urn, fieldPath, edits: withoutAbsent(labels) }
  const edits = withoutAbsent({
    ...labels,
    owners: put(ownersOf(items('owners'), cell)),
    domain: isDataset ? cell('domain') || undefined : undefined,
    properties: propertiesOf(cells, header),
  })
  return { urn, edits }
}

/** A property of which nothing is asked: the original sends its cells as texts, and the catalog says what it thinks. */
export function anyProperty(urn: Urn): PropertyDefinition {
  return { urn, valueType: 'string', single: false, entityTypes: [], allowedValues: undefined, allowedTypes: [] }
}

/** The rows of an entity, one after the other. */
export function foldStrictly({ urn, rows }: EntityRows, mode: ImportMode): EntityEdits {
  let own: Edits = {}
  const columns = new Map<string, Edits>()
  for (const { fieldPath, edits } of rows) {
    if (fieldPath === undefined) own = after(own, edits, mode)
    else columns.set(fieldPath, after(columns.get(fieldPath) ?? {}, edits, mode))
  }
  return { urn, own, columns }
}

/**
 * @param merges of `strictMerges`
 * @param named what was named before; each is made once
 * @returns the changes, and the entities of the tags and terms that they name, as the original makes them
 */
export function strictChangesOf(edits: EntityEdits, merges: Merges, named: Set<string>): readonly AspectChange[] {
  return [...changesOf(edits, merges), ...columnsWithoutEdits(edits, merges), ...namedEntities(edits, merges, named)]
}

/** How the original merges, by the aspects' names. */
export function strictMerges(stamp: AuditStamp, mode: ImportMode): Merges {
  const own = [...editMerges(stamp)].map(([name, merge]): [string, Merge] => [name, strictMerge(name, merge, mode)])
  const merges = new Map(own)
  const schema = merges.get(COLUMNS_ASPECT) ?? replaceAspect
  merges.set(COLUMNS_ASPECT, (current, intent) => {
    if (Object.keys(intent).length > 0) return schema(current, intent)
    return current === undefined ? { created: stamp, editableSchemaFieldInfo: [] } : undefined
  })
  for (const name of Object.values(KEY_ASPECTS)) merges.set(name, replaceAspect)
  return merges
}

const COLUMNS_ASPECT = 'editableSchemaMetadata'

/** Rows of columns that say nothing still leave an aspect without columns behind. */
function columnsWithoutEdits({ urn, columns }: EntityEdits, merges: Merges): readonly AspectChange[] {
  if (columns.size === 0 || [...columns.values()].some((edits) => Object.keys(edits).length > 0)) return []
  return [{ urn, aspectName: COLUMNS_ASPECT, intent: {}, merge: merges.get(COLUMNS_ASPECT) ?? replaceAspect }]
}

function urnOf(text: string, column: ColumnName): Urn {
  try {
    return checkedUrn(text).urn
  } catch (error) {
    throw new RowError('INVALID_URN', (error as Error).message, column)
  }
}

function put(list: readonly JsonObject[]): ListEdit | undefined {
  return list.length === 0 ? undefined : { replace: false, add: list, remove: [] }
}

function itemsOf(cell: string, arrayDelimiter: string): readonly string[] {
  const text = cell.replace(/^\[/, '').replace(/\]$/, '')
  return text.split(arrayDelimiter).filter((item) => item.startsWith('urn:li:'))
}

function ownersOf(urns: readonly string[], cell: (column: ColumnName) => string): readonly JsonObject[] {
  const typeUrn = cell('ownership_type_urn')
  const type = typeUrn === '' ? cell('ownership_type') || 'NONE' : 'CUSTOM'
  return urns.map((owner) => ({ owner, type, ...(typeUrn === '' ? {} : { typeUrn }) }))
}

function propertiesOf(cells: readonly string[], header: Header): Readonly<Record<string, ListEdit>> | undefined {
  const edits: Record<string, ListEdit> = {}
  for (const { index, property } of header.properties) {
    const value = (cells[index] ?? '').trim()
    if (value !== '') edits[property] = { replace: false, add: [{ string: value }], remove: [] }
  }
  return Object.keys(edits).length === 0 ? undefined : edits
}

/** What both rows come to: PATCH adds up and keeps the first domain, OVERRIDE keeps the last of everything. */
function after(before: Edits, row: Edits, mode: ImportMode): Edits {
  if (mode === 'override') return { ...before, ...row }
  const properties: Record<string, ListEdit> = { ...before.properties }
  for (const [urn, edit] of Object.entries(row.properties ?? {})) {
    properties[urn] = joinLists(properties[urn], edit) ?? edit
  }
  return withoutAbsent({
    tags: joinLists(before.tags, row.tags),
    terms: joinLists(before.terms, row.terms),
    owners: joinLists(before.owners, row.owners),
    description: row.description ?? before.description,
    domain: before.domain ?? row.domain,
    properties: Object.keys(properties).length === 0 ? undefined : properties,
  })
}

function strictMerge(aspectName: string, merge: Merge, mode: ImportMode): Merge {
  if (mode === 'override') return (current, intent) => replaceUnlessEqual(current, merge(undefined, intent))
  if (aspectName !== 'domains') return merge
  return (current, intent) => (current === undefined ? merge(current, intent) : undefined)
}

/** The original writes it each time; here a second run writes nothing. */
function replaceUnlessEqual(current: JsonObject | undefined, wanted: JsonObject | undefined): JsonObject | undefined {
  if (wanted === undefined || current === undefined) return wanted
  return describeDifference(current, wanted).length === 0 ? undefined : wanted
}

/** Tags and terms exist once something carries them: their key aspects, which never change. */
function namedEntities({ own, columns }: EntityEdits, merges: Merges, named: Set<string>): readonly AspectChange[] {
  const urns = [own, ...columns.values()].flatMap(({ tags, terms }) => [
    ...(tags?.add ?? []).flatMap((item) => textAt(item, 'tag') ?? []),
    ...(terms?.add ?? []).flatMap((item) => textAt(item, 'urn') ?? []),
  ])
  return urns.flatMap((text) => {
    const aspectName = KEY_ASPECTS[text.split(':', 3)[2] ?? '']
    if (aspectName === undefined || named.has(text)) return []
    named.add(text)
    const urn = asUrn(text)
    return [{ urn, aspectName, intent: keyAspectValue(urn), merge: merges.get(aspectName) ?? replaceAspect }]
  })
}

const KEY_ASPECTS: Readonly<Record<string, string>> = { tag: 'tagKey', glossaryTerm: 'glossaryTermKey' }
