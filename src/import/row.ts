/** One row of a CSV to what it asks for, or to the reason why it cannot be used. */
import { InvalidUrnError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { didYouMean } from '../model/near.ts'
import { checkedUrn } from '../model/registry/urn-rules.ts'
import { datasetUrn, entityTypeOf, schemaFieldParts, type Urn } from '../model/urn.ts'
import { readListCell, readTextCell, type ImportMode } from './cells.ts'
import { joinLists, withoutAbsent, type Edits, type ListEdit } from './edits.ts'
import { RowError } from './errors.ts'
import type { ColumnName, Header } from './header.ts'
import { checkEntityType, typedValue, type PropertyDefinition } from './property-values.ts'

/** Of which datasets a bare name in `resource` speaks. */
export interface DatasetNaming {
  readonly platform: string
  readonly instance?: string | undefined
  readonly env: string
}

/** How rows are read. */
export interface RowRules {
  readonly header: Header
  readonly mode: ImportMode
  readonly arrayDelimiter: string
  /** By URN, for each property that the header names. */
  readonly definitions: ReadonlyMap<Urn, PropertyDefinition>
  /** Completes bare names of datasets; without it `resource` holds URNs only. */
  readonly naming?: DatasetNaming | undefined
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

/** A cell with the column that it stands in, for messages. */
interface Cell {
  readonly text: string
  readonly column: string
}

/** @returns undefined where every cell is empty @throws RowError */
export function readRow(cells: readonly string[], rules: RowRules): UnderstoodRow | undefined {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  const { names } = rules.header
  if (cells.length !== names.length) {
    const count = `${cells.length} cells, but the header has ${names.length} columns`
    throw new RowError('CELL_COUNT', `${count}${unquoted(cells)}`)
  }
  const stray = rules.header.unnamed.find((index) => cells[index]?.trim() !== '')
  if (stray !== undefined) {
    const text = JSON.stringify(cells[stray]?.slice(0, 100))
    throw new RowError('CELL_COUNT', `${text} stands in column ${stray + 1}, which the header gives no name`)
  }
  const nul = cells.findIndex((cell) => cell.includes('\u0000'))
  if (nul >= 0) throw new RowError('INVALID_VALUE', 'it holds a NUL character', names[nul])
  const row = new RowCells(cells, rules.header)
  const { urn, fieldPath } = readTarget(row, rules)
  if (fieldPath !== undefined) refuseOnColumn(urn, row)
  const list = (column: ColumnName, make: (item: string, column: string) => JsonObject): ListEdit | undefined =>
    row
      .all(column)
      .map((cell) => readList(cell, rules, make))
      .reduce((joined, edit) => joinLists(joined, edit), undefined)
  const edits = withoutAbsent({
    tags: list('tags', (item, column) => ({ tag: typedUrn(item, 'tag', column) })),
    terms: list('glossary_terms', (item, column) => ({ urn: typedUrn(item, 'glossaryTerm', column) })),
    owners: list('owners', ownerMaker(row)),
    description: readTextCell(row.whole('description')),
    domain: readDomain(row.cell('domain')),
    properties: readProperties(cells, fieldPath === undefined ? entityTypeOf(urn) : 'schemaField', rules),
  })
  return { urn, edits, ...(fieldPath === undefined ? {} : { fieldPath }) }
}

/** What to do where the commas of a URN or a list without quotes made cells of their own; else nothing. */
function unquoted(cells: readonly string[]): string {
  const begun = cells.find((cell) => /^\s*(?:\[|urn:li:\w+:\()/.test(cell) && !isClosed(cell))
  return begun === undefined
    ? ''
    : `: what begins with ${begun.trim()} holds commas, put it in quotes ("${begun.trim()},…")`
}

function isClosed(cell: string): boolean {
  const count = (sign: string): number => cell.split(sign).length
  return count('(') === count(')') && count('[') === count(']')
}

/** The cells of a row by what their columns mean. */
class RowCells {
  readonly #cells: readonly string[]
  readonly #header: Header

  constructor(cells: readonly string[], header: Header) {
    this.#cells = cells
    this.#header = header
  }

  all(column: ColumnName): readonly Cell[] {
    const found = this.#header.columns[column] ?? []
    return found.map(({ index, name }) => ({ text: this.#cells[index]?.trim() ?? '', column: name }))
  }

  cell(column: ColumnName): Cell {
    return this.all(column)[0] ?? { text: '', column }
  }

  /** With the blanks at its ends. */
  whole(column: ColumnName): string {
    const [found] = this.#header.columns[column] ?? []
    return found === undefined ? '' : (this.#cells[found.index] ?? '')
  }

  text(column: ColumnName): string {
    return this.cell(column).text
  }
}

function readList(
  { text, column }: Cell,
  { arrayDelimiter, mode }: RowRules,
  make: (item: string, column: string) => JsonObject,
): ListEdit | undefined {
  const read = readListCell(text, arrayDelimiter, mode, column)
  if (read === undefined) return undefined
  const all = (items: readonly string[]): readonly JsonObject[] => items.map((item) => make(item, column))
  return { replace: read.replace, add: all(read.add), remove: all(read.remove) }
}

/** The entity of a row, and the column where it speaks of one; the URN of a column says both. */
function readTarget(row: RowCells, rules: RowRules): { readonly urn: Urn; readonly fieldPath: string | undefined } {
  const resource = readResource(row.cell('resource'), rules.naming)
  const subresource = row.cell('subresource')
  const fieldPath = subresource.text === '' ? undefined : subresource.text
  if (entityTypeOf(resource) !== 'schemaField') return { urn: resource, fieldPath }
  if (fieldPath !== undefined) {
    throw new RowError('NOT_APPLICABLE', 'the resource is a column already', subresource.column)
  }
  const { parent, fieldPath: ownPath } = schemaFieldParts(resource)
  return { urn: parent, fieldPath: ownPath }
}

/** By the catalog's own rules: it refuses a whole batch of reads for one URN that breaks them. */
function readResource({ text, column }: Cell, naming: DatasetNaming | undefined): Urn {
  if (text === '') throw new RowError('MISSING_RESOURCE', 'the row names no entity', column)
  if (text.startsWith('urn:')) return urnOrRowError(() => checkedUrn(text).urn, column)
  if (naming === undefined) {
    const hint = 'a bare name of a dataset needs --platform'
    throw new RowError('INVALID_URN', `not a URN: ${JSON.stringify(text.slice(0, 300))}; ${hint}`, column)
  }
  return urnOrRowError(() => checkedUrn(datasetUrn({ ...naming, name: text })).urn, column)
}

/** Only datasets have columns, and some things only whole entities have. */
function refuseOnColumn(urn: Urn, row: RowCells): void {
  if (entityTypeOf(urn) !== 'dataset') {
    throw new RowError('NOT_APPLICABLE', `a ${entityTypeOf(urn)} has no columns`, row.cell('subresource').column)
  }
  for (const name of ['owners', 'domain'] as const) {
    const cell = row.all(name).find(({ text }) => text !== '')
    if (cell !== undefined) {
      throw new RowError('NOT_APPLICABLE', `a column of a dataset has no ${name}`, cell.column)
    }
  }
}

function ownerMaker(row: RowCells): (item: string, column: string) => JsonObject {
  const typeCell = row.cell('ownership_type')
  const urnCell = row.cell('ownership_type_urn')
  const type = typeCell.text.toUpperCase() || (urnCell.text === '' ? 'NONE' : 'CUSTOM')
  return (item, column) => {
    if (!OWNERSHIP_TYPES.includes(type)) {
      const hint = didYouMean(type, OWNERSHIP_TYPES)
      throw new RowError('INVALID_VALUE', `unknown type of owner ${JSON.stringify(type)}${hint}`, typeCell.column)
    }
    if (urnCell.text !== '' && type !== 'CUSTOM') {
      throw new RowError('INVALID_VALUE', 'a type URN goes with the type CUSTOM only', urnCell.column)
    }
    const entityType = item.startsWith('urn:li:corpGroup:') ? 'corpGroup' : 'corpuser'
    return {
      owner: typedUrn(item, entityType, column),
      type,
      ...(urnCell.text === '' ? {} : { typeUrn: typedUrn(urnCell.text, 'ownershipType', urnCell.column) }),
    }
  }
}

/** One domain: set (also with `=` in front) or cleared. An entity has one, so it is neither added nor taken away. */
function readDomain({ text, column }: Cell): string | null | undefined {
  const domain = readTextCell(text)
  if (typeof domain !== 'string') return domain
  if (/^[+-]/.test(text)) throw new RowError('INVALID_VALUE', 'a domain is set, or cleared by =', column)
  return typedUrn(text.startsWith('=') ? domain.slice(1).trim() : domain, 'domain', column)
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

/** A property of one value takes its cell as it is: no lists, no signs. Numbers take no signs either: theirs are their own. */
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
    const replaces = text.startsWith('=')
    const items = (replaces ? text.slice(1) : text).split(rules.arrayDelimiter).map((item) => item.trim())
    const add = items.filter((item) => item !== '').map(make)
    return { replace: replaces || rules.mode === 'override', add, remove: [] }
  }
  const list = readListCell(cell, rules.arrayDelimiter, rules.mode, name)
  return list && { replace: list.replace, add: list.add.map(make), remove: list.remove.map(make) }
}

/** A bare name is completed to a URN of the type; a URN must be of it. */
function typedUrn(item: string, entityType: string, column: string): Urn {
  const key = `${entityType} ${item}`
  const known = checkedItems.get(key)
  if (known !== undefined) return known
  const found = checkTyped(item, entityType, column)
  if (checkedItems.size >= MOST_CHECKED_ITEMS) checkedItems.clear()
  checkedItems.set(key, found)
  return found
}

/** A file says the same few tags, terms and owners again and again. What is kept follows from the text alone. */
const checkedItems = new Map<string, Urn>()
const MOST_CHECKED_ITEMS = 1000

function checkTyped(item: string, entityType: string, column: string): Urn {
  return urnOrRowError(() => {
    const { urn } = checkedUrn(item.startsWith('urn:') ? item : `urn:li:${entityType}:${item}`)
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
