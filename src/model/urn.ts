import { InvalidUrnError } from './errors.ts'

declare const brand: unique symbol
/** A URN that was parsed: `urn:li:<entityType>:<key>` (contract §2.1). Compare URNs as strings; never decode and re-encode. */
export type Urn = string & { readonly [brand]: 'Urn' }
export type DatasetUrn = Urn & { readonly [brand]: 'Urn'; readonly entity: 'dataset' }
export type SchemaFieldUrn = Urn & { readonly [brand]: 'Urn'; readonly entity: 'schemaField' }

/** Environments of a dataset (contract §2.2). */
export const FABRICS = [
  'DEV',
  'TEST',
  'QA',
  'UAT',
  'EI',
  'PRE',
  'STG',
  'NON_PROD',
  'PROD',
  'CORP',
  'RVW',
  'PRD',
  'TST',
  'SIT',
  'SBX',
  'SANDBOX',
  'CERT',
] as const

/** The longest URN that DataHub's servers accept, in bytes of its Java URL-encoding (contract §2.5). */
export const MAX_URN_BYTES = 512

export interface UrnParts {
  /** The text itself, now known to be one. */
  readonly urn: Urn
  readonly entityType: string
  /** The key's parts: one, or those of the tuple. */
  readonly key: readonly string[]
}

/**
 * Parses a URN into its entity type and key parts.
 * @throws InvalidUrnError where the text breaks the grammar of contract §2.1
 */
export function parseUrn(text: string): UrnParts {
  const typeEnd = text.startsWith('urn:li:') ? text.indexOf(':', 7) : -1
  if (typeEnd < 0) throw new InvalidUrnError(text, 'it must start with urn:li:<entityType>:')
  const entityType = text.slice(7, typeEnd)
  const key = text.slice(typeEnd + 1)
  if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(entityType))
    throw new InvalidUrnError(text, 'its entity type is empty or not a word')
  if (key === '') throw new InvalidUrnError(text, 'its key is empty')
  if (key.includes('\u0000')) throw new InvalidUrnError(text, 'it holds a NUL character')
  if (!key.startsWith('(')) return { urn: text as Urn, entityType, key: [key] }
  if (!key.endsWith(')')) throw new InvalidUrnError(text, 'its parentheses do not match')
  return { urn: text as Urn, entityType, key: splitTuple(text, key.slice(1, -1)) }
}

/** Checks the grammar and brands the text. @throws InvalidUrnError */
export function asUrn(text: string): Urn {
  return parseUrn(text).urn
}

/** The entity type of a parsed URN, as written. */
export function entityTypeOf(urn: Urn): string {
  return urn.slice(7, urn.indexOf(':', 7))
}

/** `urn:li:dataset:(urn:li:dataPlatform:<platform>,<instance>.<name>,<env>)`; the instance is part of the name (contract §2.1). */
export function datasetUrn(dataset: {
  readonly platform: string
  readonly name: string
  readonly env?: string
  readonly instance?: string | undefined
}): DatasetUrn {
  const platform = dataset.platform.startsWith('urn:li:') ? dataset.platform : `urn:li:dataPlatform:${dataset.platform}`
  const name = dataset.instance === undefined ? dataset.name : `${dataset.instance}.${dataset.name}`
  return asDatasetUrn(`urn:li:dataset:(${platform},${name},${dataset.env ?? 'PROD'})`)
}

/** Brands the URN of a dataset. @throws InvalidUrnError where it is none, or its environment is not a known one */
export function asDatasetUrn(text: string): DatasetUrn {
  const { entityType, key } = parseUrn(text)
  if (entityType !== 'dataset') throw new InvalidUrnError(text, `its entity type is ${entityType}, not dataset`)
  if (key.length !== 3) throw new InvalidUrnError(text, 'a dataset has three parts: platform, name, environment')
  if (!(FABRICS as readonly string[]).includes(key[2] ?? '')) {
    throw new InvalidUrnError(text, `its environment is none of ${FABRICS.join(', ')}`)
  }
  return text as DatasetUrn
}

export interface DatasetParts {
  /** Platform without its URN prefix, for example `snowflake`. */
  readonly platform: string
  /** Name as it stands in the URN, the platform instance included. */
  readonly name: string
  readonly env: string
}

/** The parts of a dataset URN. */
export function datasetParts(urn: DatasetUrn): DatasetParts {
  const [platform = '', name = '', env = ''] = parseUrn(urn).key
  return { platform: platform.replace(/^urn:li:dataPlatform:/, ''), name, env }
}

/**
 * The URN of a column. In the field path only, `,` `(` `)` are encoded; the dataset's URN stands verbatim (contract §2.3).
 */
export function schemaFieldUrn(dataset: Urn, fieldPath: string): SchemaFieldUrn {
  const encoded = fieldPath.replaceAll(',', '%2C').replaceAll('(', '%28').replaceAll(')', '%29')
  return `urn:li:schemaField:(${dataset},${encoded})` as SchemaFieldUrn
}

/** The parent and the field path (decoded) of a column's URN. @throws InvalidUrnError where it is none */
export function schemaFieldParts(text: string): { readonly parent: Urn; readonly fieldPath: string } {
  const { entityType, key } = parseUrn(text)
  const [parent, path] = key
  if (entityType !== 'schemaField' || key.length !== 2 || parent === undefined || path === undefined) {
    throw new InvalidUrnError(text, 'a column reads urn:li:schemaField:(<dataset urn>,<field path>)')
  }
  const fieldPath = path.replaceAll('%2C', ',').replaceAll('%28', '(').replaceAll('%29', ')')
  return { parent: asUrn(parent), fieldPath }
}

/** Length of a URN in bytes of its Java URL-encoding, which is what the 512-byte rule counts (contract §2.5). */
export function encodedUrnBytes(urn: string): number {
  let bytes = 0
  for (let at = 0; at < urn.length; at++) {
    const char = urn.charCodeAt(at)
    if (char >= 0x80) bytes += char < 0x800 || isSurrogate(char) ? 6 : 9
    else bytes += STANDS_AS_IT_IS[char] === true ? 1 : 3
  }
  return bytes
}

/** Letters, digits, `.-*_`, and the blank, which becomes a plus: one byte each; any other byte becomes three. */
const STANDS_AS_IT_IS = Array.from({ length: 0x80 }, (_, char) => /[a-zA-Z0-9.\-*_ ]/.test(String.fromCharCode(char)))

/** Half of a character that is four bytes of UTF-8. */
function isSurrogate(char: number): boolean {
  return char >= 0xd800 && char <= 0xdfff
}

/** Splits at the commas of depth 1; parts may hold parentheses of their own. */
function splitTuple(text: string, inner: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i <= inner.length; i++) {
    const char = inner[i]
    if (char === '(') depth++
    else if (char === ')') depth--
    if (depth < 0) throw new InvalidUrnError(text, 'its parentheses do not match')
    if (i === inner.length || (char === ',' && depth === 0)) {
      parts.push(inner.slice(start, i))
      start = i + 1
    }
  }
  if (depth !== 0) throw new InvalidUrnError(text, 'its parentheses do not match')
  if (parts.includes('')) throw new InvalidUrnError(text, 'a part of its key is empty')
  return parts
}
