/**
 * An entity's aspects to rows of the CSV that an import reads: one row for the entity, one for each column that says
 * something, and one more for each further type of owner, since a row has one. What the cell language cannot say is
 * left out and told, never written so that it would read differently.
 */
import { isJsonObject, numberAt, objectsAt, textAt, type JsonObject, type JsonValue } from '../../model/json.ts'
import { entityTypeOf, schemaFieldParts, type Urn } from '../../model/urn.ts'
import { descriptionAspect } from '../aspects.ts'
import type { PropertyDefinition } from '../property-values.ts'
import { listCell, propertyCell, textCell } from './cells.ts'

/** What is exported. */
export type ExportKind = 'tags' | 'properties' | 'all'

/** An entity as a catalog has it. */
export interface ExportEntity {
  readonly urn: Urn
  readonly aspects: Readonly<Record<string, JsonObject>>
}

/** Cells by the name of their column; what is absent is an empty cell. */
export type Cells = Readonly<Record<string, string>>

export interface ExportRow {
  readonly resource: Urn
  readonly subresource: string
  /** Tells rows of one resource apart: 0 for the first. */
  readonly number: number
  readonly cells: Cells
}

/** What rows are made with. */
export interface RowMaking {
  readonly kind: ExportKind
  /** By URN; of a property without one nothing can be written. */
  readonly definitions: ReadonlyMap<string, PropertyDefinition>
  /** Told of what cannot be written. */
  readonly tell: (resource: Urn, subresource: string, reason: string) => void
}

/** Columns that every row has, by kind; columns of properties follow. */
export const FIXED_COLUMNS: Readonly<Record<ExportKind, readonly string[]>> = {
  tags: ['tags'],
  properties: [],
  all: ['glossary_terms', 'tags', 'owners', 'ownership_type', 'description', 'domain', 'ownership_type_urn'],
}

/** Aspects that rows are made of, besides descriptions, for catalogs that are asked for some. */
export const EXPORTED_ASPECTS: readonly string[] = [
  'globalTags',
  'glossaryTerms',
  'ownership',
  'domains',
  'structuredProperties',
  'editableSchemaMetadata',
  'propertyDefinition',
  'status',
]

/** @returns none for an entity that says nothing of this kind, and for one that was removed */
export function rowsOf(entity: ExportEntity, making: RowMaking): readonly ExportRow[] {
  const { urn, aspects } = entity
  const { kind, definitions, tell } = making
  if (aspects['status']?.['removed'] === true) return []
  if (entityTypeOf(urn) === 'schemaField') return fieldEntityRows(entity, making)
  const say = (reason: string): void => tell(urn, '', reason)
  const own = {
    ...(kind === 'properties' ? {} : { tags: tagsCell(aspects['globalTags'], say) }),
    ...(kind === 'all' ? entityCells(entity, say) : {}),
    ...(kind === 'tags' ? {} : propertyCells(aspects['structuredProperties'], { definitions, say })),
  }
  const [owners = {}, ...moreOwners] = kind === 'all' ? ownerCells(aspects['ownership'], say) : []
  return [
    ...rowOf(urn, '', 0, { ...own, ...owners }),
    ...moreOwners.flatMap((cells, index) => rowOf(urn, '', index + 1, cells)),
    ...(kind === 'properties' ? [] : columnRows(urn, aspects['editableSchemaMetadata'], making)),
  ]
}

function rowOf(resource: Urn, subresource: string, number: number, cells: Cells): readonly ExportRow[] {
  const full = Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''))
  return Object.keys(full).length === 0 ? [] : [{ resource, subresource, number, cells: full }]
}

/** Structured properties of a column lie on an entity of its own. */
function fieldEntityRows({ urn, aspects }: ExportEntity, { kind, definitions, tell }: RowMaking): readonly ExportRow[] {
  if (kind === 'tags') return []
  const { parent, fieldPath } = schemaFieldParts(urn)
  const say = (reason: string): void => tell(parent, fieldPath, reason)
  const cells = propertyCells(aspects['structuredProperties'], { definitions, say })
  return rowOf(parent, fieldPath, 0, cells)
}

function columnRows(urn: Urn, schema: JsonObject | undefined, { kind, tell }: RowMaking): readonly ExportRow[] {
  return objectsAt(schema, 'editableSchemaFieldInfo').flatMap((field) => {
    const fieldPath = textAt(field, 'fieldPath') ?? ''
    const say = (reason: string): void => tell(urn, fieldPath, reason)
    if (fieldPath === '' || fieldPath !== fieldPath.trim()) {
      say('the path of the column cannot stand in a cell')
      return []
    }
    return rowOf(urn, fieldPath, 0, {
      tags: tagsCell(field['globalTags'], say),
      ...(kind === 'all'
        ? { glossary_terms: termsCell(field['glossaryTerms'], say), description: described(field, say) }
        : {}),
    })
  })
}

type Say = (reason: string) => void

interface Writing {
  readonly definitions: RowMaking['definitions']
  readonly say: Say
}

function entityCells({ urn, aspects }: ExportEntity, say: Say): Cells {
  const description = aspects[descriptionAspect(entityTypeOf(urn)) ?? '']
  const domains = aspects['domains']?.['domains']
  if (Array.isArray(domains) && domains.length > 1) say('more than one domain')
  return {
    glossary_terms: termsCell(aspects['glossaryTerms'], say),
    description: described(description, say),
    domain: Array.isArray(domains) && domains.length === 1 ? String(domains[0]) : '',
  }
}

function described(holder: JsonObject | undefined, say: Say): string {
  const text = textAt(holder, 'description') ?? ''
  return text === '' ? '' : (textCell(text) ?? cannot('the description', say))
}

function tagsCell(aspect: JsonValue | undefined, say: Say): string {
  return urnsCell(
    objectsAt(aspect, 'tags').map((tag) => textAt(tag, 'tag')),
    'tags',
    say,
  )
}

function termsCell(aspect: JsonValue | undefined, say: Say): string {
  return urnsCell(
    objectsAt(aspect, 'terms').map((term) => textAt(term, 'urn')),
    'glossary_terms',
    say,
  )
}

function urnsCell(urns: readonly (string | undefined)[], column: string, say: Say): string {
  const items = urns.filter((urn) => urn !== undefined)
  // The same tag may stand there more than once, from different sources.
  return listCell([...new Set(items)]) ?? cannot(column, say)
}

/** One set of cells for each type of owner. */
function ownerCells(aspect: JsonObject | undefined, say: Say): readonly Cells[] {
  const groups = Map.groupBy(objectsAt(aspect, 'owners'), (owner) =>
    JSON.stringify([textAt(owner, 'type') ?? 'NONE', textAt(owner, 'typeUrn') ?? '']),
  )
  return [...groups].flatMap(([key, owners]) => {
    const [type, typeUrn] = JSON.parse(key) as [string, string]
    if (typeUrn !== '' && type !== 'CUSTOM') {
      say(`owners of type ${type} with a type URN, which a row may have with CUSTOM only`)
      return []
    }
    const cell = urnsCell(
      owners.map((owner) => textAt(owner, 'owner')),
      'owners',
      say,
    )
    return cell === '' ? [] : [{ owners: cell, ownership_type: type, ownership_type_urn: typeUrn }]
  })
}

function propertyCells(aspect: JsonObject | undefined, { definitions, say }: Writing): Cells {
  const cells: Record<string, string> = {}
  for (const property of objectsAt(aspect, 'properties')) {
    const urn = textAt(property, 'propertyUrn') ?? ''
    const definition = definitions.get(urn)
    const values = objectsAt(property, 'values').flatMap((value) => textAt(value, 'string') ?? numberText(value) ?? [])
    if (definition === undefined) say(`${urn} has no definition`)
    else cells[urn] = propertyCell(definition, values) ?? cannot(urn, say)
  }
  return cells
}

function numberText(value: JsonValue): string | undefined {
  const number = isJsonObject(value) ? numberAt(value, 'double') : undefined
  return number === undefined ? undefined : String(number)
}

function cannot(column: string, say: Say): '' {
  say(`${column} cannot be written so that it would read the same`)
  return ''
}
