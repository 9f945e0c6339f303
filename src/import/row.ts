/** One row of a CSV to what it asks for, or to the reason why it cannot be used. */
import { InvalidUrnError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { didYouMean } from '../model/near.ts'
import { checkedUrn } from '../model/registry/urn-rules.ts'
import { asUrn, entityTypeOf, type Urn } from '../model/urn.ts'
import { readListCell, readTextCell, type ImportMode } from './cells.ts'
import { withoutAbsent, type Edits, type ListEdit } from './edits.ts'
import { RowError } from './errors.ts'
import type { ColumnName, Header } from './header.ts'
import { checkEntityType, typedValue, type PropertyDefinition } from './property-values.ts'

/** How rows are read. */
export interface RowRules {
  readonly header: Header
  readonly mode: ImportMode
  readonly arrayDelimiter: string
  /** By URN, for each property that the header names. */
  readonly definitions: ReadonlyMap<Urn, PropertyDefinition>
}

export interface UnderstoodRow {
  readonly urn: Urn
  readonly fieldPath?: string
  readonly edits: Edits
}

const OWNERSHIP_TYPES = [
  'NONE',
  'TECHNICAL_OWNER',
  'BUSINESS_OWNER',
  'DATA_STEWARD',
  'PRODUCER',
  'CONSUMER',
  'DEVELOPER',
  'DATAOWNER',
  'DELEGATE',
  'STAKEHOLDER',
  'CUSTOM',
]

/** @returns undefined where every cell is empty @throws RowError */
export function readRow(cells: readonly string[], rules: RowRules): UnderstoodRow | undefined {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  const { names } = rules.header
  if (cells.length !== names.length) {
    throw new RowError('CELL_COUNT', `${cells.length} cells, but the header has ${names.length} columns`)
  }
  const cell = (column: ColumnName): string => cells[rules.header.index[column] ?? -1]?.trim() ?? ''
  const urn = readResource(cell('resource'))
  const fieldPath = cell('subresource')
  if (fieldPath !== '') refuseOnColumn(urn, cell)
  const list = (column: ColumnName, make: (item: string) => JsonObject): ListEdit | undefined => {
    const read = readListCell(cell(column), rules.arrayDelimiter, rules.mode)
    return read && { replace: read.replace, add: read.add.map(make), remove: read.remove.map(make) }
  }
  const owner = ownerMaker(cell)
  const domain = readTextCell(cell('domain'))
  const edits = withoutAbsent({
    tags: list('tags', (item) => ({ tag: typedUrn(item, 'tag', 'tags') })),
    terms: list('glossary_terms', (item) => ({ urn: typedUrn(item, 'glossaryTerm', 'glossary_terms') })),
    owners: list('owners', owner),
    description: readTextCell(cell('description')),
    domain: typeof domain === 'string' ? typedUrn(domain, 'domain', 'domain') : domain,
    properties: readProperties(cells, fieldPath === '' ? entityTypeOf(urn) : 'schemaField', rules),
  })
  return { urn, edits, ...(fieldPath === '' ? {} : { fieldPath }) }
}

/** By the catalog's own rules: it refuses a whole batch of reads for one URN that breaks them. */
function readResource(text: string): Urn {
  if (text === '') throw new RowError('MISSING_RESOURCE', 'the row names no entity', 'resource')
  return urnOrRowError(() => checkedUrn(text).urn, 'resource')
}

/** Only datasets have columns, and some things only whole entities have. */
function refuseOnColumn(urn: Urn, cell: (column: ColumnName) => string): void {
  if (entityTypeOf(urn) !== 'dataset') {
    throw new RowError('NOT_APPLICABLE', `a ${entityTypeOf(urn)} has no columns`, 'subresource')
  }
  for (const column of ['owners', 'domain'] as const) {
    if (cell(column) !== '') throw new RowError('NOT_APPLICABLE', `a column of a dataset has no ${column}`, column)
  }
}

function ownerMaker(cell: (column: ColumnName) => string): (item: string) => JsonObject {
  const typeUrn = cell('ownership_type_urn')
  const type = cell('ownership_type').toUpperCase() || (typeUrn === '' ? 'NONE' : 'CUSTOM')
  return (item) => {
    if (!OWNERSHIP_TYPES.includes(type)) {
      const hint = didYouMean(type, OWNERSHIP_TYPES)
      throw new RowError('INVALID_VALUE', `unknown type of owner ${JSON.stringify(type)}${hint}`, 'ownership_type')
    }
    if (typeUrn !== '' && type !== 'CUSTOM') {
      throw new RowError('INVALID_VALUE', 'a type URN goes with the type CUSTOM only', 'ownership_type_urn')
    }
    const owner = item.startsWith('urn:li:corpGroup:')
      ? typedUrn(item, 'corpGroup', 'owners')
      : typedUrn(item, 'corpuser', 'owners')
    return {
      owner,
      type,
      ...(typeUrn === '' ? {} : { typeUrn: typedUrn(typeUrn, 'ownershipType', 'ownership_type_urn') }),
    }
  }
}

function readProperties(
  cells: readonly string[],
  entityType: string,
  rules: RowRules,
): Readonly<Record<string, ListEdit>> | undefined {
  const edits: Record<string, ListEdit> = {}
  for (const { index, name, property } of rules.header.properties) {
    const definition = rules.definitions.get(property)
    if (definition === undefined) continue
    const edit = readProperty(cells[index] ?? '', name, definition, rules)
    if (edit === undefined) continue
    checkEntityType(definition, entityType, name)
    edits[property] = edit
  }
  return Object.keys(edits).length === 0 ? undefined : edits
}

/** A property of one value takes its cell as it is: no lists, no signs. So do numbers, whose sign is their own. */
function readProperty(
  cell: string,
  name: string,
  definition: PropertyDefinition,
  rules: RowRules,
): ListEdit | undefined {
  const text = readTextCell(cell)
  if (text === undefined) return undefined
  if (text === null) return { replace: true, add: [], remove: [] }
  const make = (item: string): JsonObject => typedValue(definition, item, name)
  if (definition.single) return { replace: true, add: [make(text)], remove: [] }
  if (definition.valueType === 'number') {
    const items = cell.split(rules.arrayDelimiter).map((item) => item.trim())
    return { replace: rules.mode === 'override', add: items.filter((item) => item !== '').map(make), remove: [] }
  }
  const list = readListCell(cell, rules.arrayDelimiter, rules.mode)
  return list && { replace: list.replace, add: list.add.map(make), remove: list.remove.map(make) }
}

/** A bare name is completed to a URN of the type; a URN must be of it. */
function typedUrn(item: string, entityType: string, column: string): Urn {
  return urnOrRowError(() => {
    const urn = asUrn(item.startsWith('urn:') ? item : `urn:li:${entityType}:${item}`)
    if (entityTypeOf(urn).toLowerCase() === entityType.toLowerCase()) return urn
    throw new InvalidUrnError(item, `its entity type is ${entityTypeOf(urn)}, not ${entityType}`)
  }, column)
}

function urnOrRowError(parse: () => Urn, column: string): Urn {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidUrnError) throw new RowError('INVALID_URN', error.message, column)
    throw error
  }
}
