/** The first line of a CSV: which cell of a row means what. By the names of `csv-enricher`, or by a mapping. */
import { InvalidUrnError, type Place } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import { asUrn, entityTypeOf, type Urn } from '../model/urn.ts'
import { HeaderError } from './errors.ts'

/** The columns that have a meaning of their own; any other is a structured property. */
const COLUMNS = [
  'resource',
  'subresource',
  'glossary_terms',
  'tags',
  'owners',
  'ownership_type',
  'description',
  'domain',
  'ownership_type_urn',
] as const
export type ColumnName = (typeof COLUMNS)[number]

/** What people also call them, in a mapping. */
const ALIASES: Readonly<Record<string, ColumnName>> = {
  tag: 'tags',
  term: 'glossary_terms',
  terms: 'glossary_terms',
  owner: 'owners',
  column: 'subresource',
}

/** Several columns of a file may hold these: their items add up. */
const LISTS: ReadonlySet<ColumnName> = new Set(['tags', 'glossary_terms', 'owners'])

/** The columns that an errors file puts in front of a row: passed over, so that the mended file can be imported as it is. */
export const ERROR_COLUMNS = ['error_code', 'error_message', 'error_column', 'error_place'] as const

/** Column names of the file to one of `COLUMNS`, to a property's id or URN, or to `ignore`. */
export type ColumnMapping = Readonly<Record<string, string>>

/** A column of the file: where it stands, from 0, and its name as written. */
export interface HeaderColumn {
  readonly index: number
  readonly name: string
}

interface PropertyColumn extends HeaderColumn {
  readonly property: Urn
}

export interface Header {
  /** Names as written, for messages. */
  readonly names: readonly string[]
  readonly delimiter: string
  readonly columns: Readonly<Partial<Record<ColumnName, readonly HeaderColumn[]>>>
  readonly properties: readonly PropertyColumn[]
  /** Names of the columns that are passed over. */
  readonly ignored: readonly string[]
  /** Columns without a name, which spreadsheets leave at the end: nothing may stand in them. */
  readonly unnamed: readonly number[]
}

/** How a header is read. */
export interface HeaderRules {
  readonly columns: ColumnMapping
  /** As found, for messages. */
  readonly delimiter: string
  /** What to do with a column that means nothing. */
  readonly unknownColumns: 'refuse' | 'ignore'
}

const PROPERTY_PREFIX = 'urn:li:structuredProperty:'

/**
 * Reads the header. Names are matched without regard to case and outer blanks.
 * @param file for messages
 * @throws HeaderError naming the column and what it may have meant
 */
export function readHeader(cells: readonly string[], rules: HeaderRules, file: string): Header {
  const { delimiter } = rules
  const names = cells.map((cell) => cell.trim())
  const mapping = checkedMapping(rules, names, file)
  const read = { names, delimiter }
  const columns: Partial<Record<ColumnName, HeaderColumn[]>> = {}
  const properties: PropertyColumn[] = []
  const ignored: string[] = []
  const unnamed: number[] = []
  for (const [index, name] of names.entries()) {
    if (name === '' && !mapping.has('')) {
      unnamed.push(index)
      continue
    }
    const place = { file, line: 1, column: index + 1 }
    const meaning = meaningOf(name, mapping, place)
    if (meaning.kind === 'unknown' && rules.unknownColumns === 'refuse')
      throw unknownColumn(name, { ...read, mapping }, place)
    if (meaning.kind === 'ignored' || meaning.kind === 'unknown') ignored.push(name)
    else if (meaning.kind === 'property') {
      if (properties.some((column) => column.property === meaning.urn)) throw standsTwice(name, place)
      properties.push({ index, name, property: meaning.urn })
    } else {
      const { column } = meaning
      const others = columns[column] ?? []
      const isAgain = others.some((other) => keyOf(other.name) === keyOf(name))
      if (isAgain || (others.length > 0 && !LISTS.has(column))) throw standsTwice(name, place)
      columns[column] = [...others, { index, name }]
    }
  }
  if (columns.resource === undefined) throw noResource(names, delimiter, file)
  return { names, delimiter, columns, properties, ignored, unnamed }
}

/** Whatever stands in the mapping must be in the file: a name that is mistyped there would be passed over in silence. */
function checkedMapping({ columns, unknownColumns }: HeaderRules, names: readonly string[], file: string): Mapping {
  const mapping = new Map(Object.entries(columns).map(([name, meaning]) => [keyOf(name), meaning.trim()]))
  const present = new Set(names.map(keyOf))
  for (const name of Object.keys(columns)) {
    // Recipes map columns that some of their files do not have.
    if (present.has(keyOf(name)) || unknownColumns === 'ignore') continue
    throw new HeaderError(
      `the mapping names a column ${JSON.stringify(name)} that the file does not have${didYouMean(name, names)}`,
      { file, line: 1 },
      `the file's columns are ${names.join(', ')}`,
    )
  }
  return mapping
}

type Mapping = ReadonlyMap<string, string>

interface HeaderPlace extends Place {
  readonly file: string
}

type Meaning =
  | { readonly kind: 'column'; readonly column: ColumnName }
  | { readonly kind: 'property'; readonly urn: Urn }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unknown' }

function meaningOf(name: string, mapping: Mapping, place: HeaderPlace): Meaning {
  const mapped = mapping.get(keyOf(name))
  if (mapped === 'ignore') return { kind: 'ignored' }
  const column = columnOf(mapped ?? name) ?? (mapped === undefined ? undefined : ALIASES[keyOf(mapped)])
  if (column !== undefined) return { kind: 'column', column }
  if (mapped !== undefined) return { kind: 'property', urn: propertyUrn(mapped, place) }
  if ((ERROR_COLUMNS as readonly string[]).includes(keyOf(name))) return { kind: 'ignored' }
  if (name.startsWith(PROPERTY_PREFIX)) return { kind: 'property', urn: propertyUrn(name, place) }
  const prefixed = /^sp(?:\.|__)(.+)$/.exec(name)?.[1]
  return prefixed === undefined ? { kind: 'unknown' } : { kind: 'property', urn: propertyUrn(prefixed, place) }
}

function columnOf(name: string): ColumnName | undefined {
  return COLUMNS.find((column) => column === keyOf(name))
}

function keyOf(name: string): string {
  return name.trim().toLowerCase()
}

/** A property by its id (also `sp.<id>`) or its URN. */
function propertyUrn(idOrUrn: string, place: HeaderPlace): Urn {
  const id = idOrUrn.replace(/^sp(?:\.|__)/, '')
  try {
    const urn = asUrn(id.startsWith('urn:') ? id : `${PROPERTY_PREFIX}${id}`)
    if (entityTypeOf(urn) === 'structuredProperty') return urn
    throw new InvalidUrnError(id, `its entity type is ${entityTypeOf(urn)}, not structuredProperty`)
  } catch (error) {
    if (!(error instanceof InvalidUrnError)) throw error
    throw new HeaderError(error.message, place, 'name a structured property by its id or its URN')
  }
}

function unknownColumn(
  name: string,
  { names, delimiter, mapping }: { readonly names: readonly string[]; readonly delimiter: string; mapping: Mapping },
  place: HeaderPlace,
): HeaderError {
  const known = [...COLUMNS, ...mapping.keys()]
  if (names.length === 1) {
    return new HeaderError(
      `the file has one column, ${JSON.stringify(name)}, when cut at ${JSON.stringify(delimiter)}${didYouMean(name, known)}`,
      place,
      'say what stands between its cells: --delimiter',
    )
  }
  return new HeaderError(
    `unknown column ${JSON.stringify(name)}${didYouMean(name, known)}`,
    place,
    `name it after a property (sp.<id> or its URN), map it with --columns ${shellName(name)}=<property id>, ignore it with --columns ${shellName(name)}=ignore, or all such columns with --unknown-columns ignore`,
  )
}

function shellName(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name}'`
}

function standsTwice(name: string, place: HeaderPlace): HeaderError {
  return new HeaderError(`column ${JSON.stringify(name)} stands twice`, place, 'keep one of them')
}

function noResource(names: readonly string[], delimiter: string, file: string): HeaderError {
  return new HeaderError(
    `no column "resource"${didYouMean('resource', names)} (delimiter ${JSON.stringify(delimiter)}, columns: ${names.join(' ')})`,
    { file, line: 1 },
    `the first line must name the columns: ${COLUMNS.join(',')}; or map one of yours: --columns <name>=resource`,
  )
}
