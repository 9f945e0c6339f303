/** The first line of a CSV, in the `csv-enricher` shape: which cell of a row means what. */
import { didYouMean } from '../model/near.ts'
import { asUrn, type Urn } from '../model/urn.ts'
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

/** Column names of the file to one of `COLUMNS`, to a property's id or URN, or to `ignore`. */
export type ColumnMapping = Readonly<Record<string, string>>

interface PropertyColumn {
  readonly index: number
  readonly name: string
  readonly property: Urn
}

export interface Header {
  /** Names as written, for messages. */
  readonly names: readonly string[]
  readonly delimiter: string
  readonly index: Readonly<Partial<Record<ColumnName, number>>>
  readonly properties: readonly PropertyColumn[]
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
  const { columns: mapping, delimiter } = rules
  const names = cells.map((cell) => cell.trim())
  const index: Partial<Record<ColumnName, number>> = {}
  const properties: PropertyColumn[] = []
  for (const [at, name] of names.entries()) {
    const place = { file, line: 1, column: at + 1 }
    const meaning = meaningOf(name, mapping)
    if (meaning.kind === 'ignored' || (meaning.kind === 'unknown' && rules.unknownColumns === 'ignore')) continue
    if (meaning.kind === 'unknown') {
      const known = [...COLUMNS, ...Object.keys(mapping)]
      throw new HeaderError(
        `unknown column ${JSON.stringify(name)}${didYouMean(name, known)}`,
        place,
        `name it after a property (sp.<id> or its URN), map it with --columns ${name}=<property id>, or ignore it with --columns ${name}=ignore`,
      )
    }
    if (meaning.kind === 'property') properties.push({ index: at, name, property: meaning.urn })
    else if (index[meaning.column] === undefined) index[meaning.column] = at
    else throw new HeaderError(`column ${JSON.stringify(name)} stands twice`, place, 'keep one of them')
  }
  if (index.resource === undefined) {
    throw new HeaderError(
      `no column "resource" (delimiter ${JSON.stringify(delimiter)}, columns: ${names.join(' ')})`,
      { file, line: 1 },
      `the first line must name the columns: ${COLUMNS.join(',')}`,
    )
  }
  return { names, delimiter, index, properties }
}

type Meaning =
  | { readonly kind: 'column'; readonly column: ColumnName }
  | { readonly kind: 'property'; readonly urn: Urn }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unknown' }

function meaningOf(name: string, mapping: ColumnMapping): Meaning {
  const mapped = mapping[name]
  if (mapped === 'ignore') return { kind: 'ignored' }
  const column = columnOf(mapped ?? name)
  if (column !== undefined) return { kind: 'column', column }
  if (mapped !== undefined) return { kind: 'property', urn: propertyUrn(mapped) }
  if (name.startsWith(PROPERTY_PREFIX)) return { kind: 'property', urn: propertyUrn(name) }
  const prefixed = /^sp(?:\.|__)(.+)$/.exec(name)?.[1]
  return prefixed === undefined ? { kind: 'unknown' } : { kind: 'property', urn: propertyUrn(prefixed) }
}

function columnOf(name: string): ColumnName | undefined {
  const lower = name.toLowerCase()
  return COLUMNS.find((column) => column === lower)
}

/** A property by its id or its URN. */
function propertyUrn(idOrUrn: string): Urn {
  return asUrn(idOrUrn.startsWith('urn:li:') ? idOrUrn : `${PROPERTY_PREFIX}${idOrUrn}`)
}
