/**
 * From table names as SQL writes them to dataset URNs: platform, instance, environment, the database and schema that a
 * bare name belongs to, the case that a platform's names have, and names under which one platform sees another's tables.
 */
import { Type, type Static } from 'typebox'
import { asDatasetUrn, datasetUrn, FABRICS, type DatasetUrn } from '../model/urn.ts'
import { decodeYaml } from '../model/yaml.ts'
import { DIALECTS, type DialectName } from '../sql/types.ts'
import { PlatformUnknownError } from './errors.ts'
import { pathPattern, type PathParts, type PathPattern } from './path-pattern.ts'
import type { SchemaBook } from './schema-book.ts'

export { DIALECTS }

export const CASINGS = ['lower', 'keep'] as const

const platformKeys = {
  platform: Type.String({ minLength: 1, description: 'Name as in URNs: snowflake, bigquery, postgres, …' }),
  instance: Type.Optional(Type.String({ minLength: 1, description: 'Platform instance; stands in front of names.' })),
}

const NamingFile = Type.Object(
  {
    env: Type.Enum([...FABRICS], { default: 'PROD' }),
    sources: Type.Array(
      Type.Object(
        {
          path: Type.String({
            description:
              'Beginning of the paths, or a pattern (*, **, ?, {database}, {schema}, {platform}, {instance}, {env}), relative to this file; the first that fits counts.',
          }),
          ...platformKeys,
          platform: Type.Optional(platformKeys.platform),
          dialect: Type.Optional(Type.Enum([...DIALECTS])),
          database: Type.Optional(Type.String({ description: 'Of names that have none.' })),
          schema: Type.Optional(Type.String({ description: 'Of names that have none.' })),
          casing: Type.Optional(Type.Enum([...CASINGS])),
          session: Type.Optional(
            Type.Enum(['file', 'together'], {
              description: 'Whether each file is a session, or all run in order in one.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
    linked: Type.Array(
      Type.Object(
        {
          platform: Type.String(),
          name: Type.String({ description: 'Beginning of full names on that platform, by whole parts.' }),
          is: Type.Object(
            { ...platformKeys, name: Type.String({ description: 'What stands there instead.' }) },
            { additionalProperties: false },
          ),
        },
        { additionalProperties: false },
      ),
      { default: [] },
    ),
  },
  { additionalProperties: false, title: 'Headwater naming of SQL sources' },
)
export type Naming = Static<typeof NamingFile>

/** How the names of one text are read. Equal rules are one object. */
export interface NameRules {
  readonly platform: string
  readonly instance?: string | undefined
  readonly env: string
  readonly dialect: DialectName
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly casing: 'lower' | 'keep'
  /** Full names that mean another table, since the schema of a bare name is the first of several that has it. */
  readonly aliases?: Readonly<Record<string, string>> | undefined
}

/** What is given beside a naming file, or instead of one, or by a text itself. */
export interface NamingDefaults {
  readonly platform?: string | undefined
  readonly instance?: string | undefined
  readonly env?: string | undefined
  readonly dialect?: DialectName | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly casing?: 'lower' | 'keep' | undefined
}

/** @param file for messages @throws DecodeError at file, line and column */
export function readNaming(text: string, file: string): Naming {
  return decodeYaml(NamingFile, text, file)
}

type NamingSource = Naming['sources'][number]

/** The rules of a source's texts: from what the text says itself, then its path, then what holds for all. */
export class RuleBook {
  readonly #sources: readonly { readonly source: NamingSource; readonly pattern: PathPattern }[]
  readonly #naming: Naming | undefined
  readonly #defaults: NamingDefaults
  readonly #made = new Map<string, NameRules>()

  /** @throws DecodeError for a pattern with unknown placeholders */
  constructor(naming: Naming | undefined, defaults: NamingDefaults) {
    this.#naming = naming
    this.#defaults = defaults
    this.#sources = (naming?.sources ?? []).map((source) => ({ source, pattern: pathPattern(source.path) }))
  }

  /**
   * @param path relative to the naming file, with forward slashes
   * @param own what the text or the row says of itself
   * @throws PlatformUnknownError
   */
  rulesFor(path: string, own: NamingDefaults = {}): NameRules {
    const defaults = this.#defaults
    const { source, parts } = this.#sourceOf(path)
    const around = source?.platform ?? parts.platform ?? defaults.platform
    const platform = own.platform ?? around
    if (platform === undefined) throw new PlatformUnknownError(path)
    // What is told of the dialect around a text speaks of the platform around it.
    const dialect = around === undefined || platform === around ? (source?.dialect ?? defaults.dialect) : undefined
    return this.#only({
      platform,
      instance: own.instance ?? source?.instance ?? parts.instance ?? defaults.instance,
      env: own.env ?? parts.env ?? defaults.env ?? this.#naming?.env ?? 'PROD',
      dialect: own.dialect ?? dialect ?? dialectOf(platform),
      database: own.database ?? source?.database ?? parts.database ?? defaults.database,
      schema: own.schema ?? source?.schema ?? parts.schema ?? defaults.schema,
      casing: own.casing ?? source?.casing ?? defaults.casing ?? (CASE_SENSITIVE.has(platform) ? 'keep' : 'lower'),
    })
  }

  /** Which of the naming's sources a path belongs to, where their files run together in one session. */
  sessionOf(path: string): string | undefined {
    const { source } = this.#sourceOf(path)
    return source?.session === 'together' ? source.path : undefined
  }

  #sourceOf(path: string): { readonly source: NamingSource | undefined; readonly parts: PathParts } {
    for (const { source, pattern } of this.#sources) {
      const parts = pattern(path)
      if (parts !== undefined) return { source, parts }
    }
    return { source: undefined, parts: {} }
  }

  #only(rules: NameRules): NameRules {
    const { platform, instance, env, dialect, database, schema, casing } = rules
    const key = [platform, instance, env, dialect, database, schema, casing].join('\u0000')
    const known = this.#made.get(key)
    if (known !== undefined) return known
    // A log may name any number of databases; what is forgotten is made anew.
    if (this.#made.size >= MAX_RULES) this.#made.clear()
    this.#made.set(key, rules)
    return rules
  }
}

const MAX_RULES = 10_000

/** Platforms whose dialect has another name. */
const DIALECT_OF: Readonly<Record<string, DialectName>> = {
  mssql: 'tsql',
  postgresql: 'postgres',
  'delta-lake': 'spark',
  glue: 'athena',
}

function dialectOf(platform: string): DialectName {
  return DIALECT_OF[platform] ?? DIALECTS.find((dialect) => dialect === platform) ?? 'ansi'
}

/** Table names there differ by case; everywhere else they are written in lower case, as the usual crawlers do. */
const CASE_SENSITIVE: ReadonlySet<string> = new Set(['bigquery', 'clickhouse', 'mysql', 'mariadb'])

/** Names of two parts: no schema between database and table. */
const TWO_PARTS: ReadonlySet<string> = new Set([
  'athena',
  'clickhouse',
  'doris',
  'glue',
  'hive',
  'impala',
  'mariadb',
  'mysql',
  'spark',
  'starrocks',
  'teradata',
])

export class Namer {
  readonly #linked: Naming['linked']
  readonly #book: Pick<SchemaBook, 'storedColumnsOf'>
  readonly #known = new Map<string, DatasetUrn>()
  /** Datasets that the catalog has in another case than the platform's rule writes them. */
  readonly #settled = new Map<DatasetUrn, DatasetUrn>()
  /** Columns of which the catalog has several that differ in case only. */
  readonly doubtfulColumns = new Set<string>()

  constructor(naming: Naming | undefined, book: Pick<SchemaBook, 'storedColumnsOf'>) {
    this.#linked = naming?.linked ?? []
    this.#book = book
  }

  /** From now on `as` is meant by all names that so far meant `urn`. */
  settle(urn: DatasetUrn, as: DatasetUrn): void {
    this.#settled.set(urn, as)
    this.#known.clear()
  }

  /** A dataset by its URN, or by a table name. */
  namedDataset(name: string, rules: NameRules): DatasetUrn {
    return name.startsWith('urn:li:dataset:') ? asDatasetUrn(name) : this.datasetOf(name, rules)
  }

  /**
   * A column as field paths have it: as the catalog spells it, where it has the column exactly or, whatever the case,
   * once; else by the platform's rule.
   */
  fieldOf(dataset: DatasetUrn, column: string, rules: NameRules): string {
    const ruled = fieldPathOf(column, rules)
    const stored = this.#book.storedColumnsOf(dataset)
    if (stored === undefined || stored.includes(ruled)) return ruled
    if (stored.includes(column)) return column
    const folded = column.toLowerCase()
    const alike = stored.filter((one) => one.toLowerCase() === folded)
    if (alike.length > 1) this.doubtfulColumns.add(`${dataset} ${column}`)
    return alike.length === 1 ? (alike[0] ?? ruled) : ruled
  }

  /** The dataset of a table. @param table dotted plain name, without quotes, as the lineage engine gives it */
  datasetOf(table: string, rules: NameRules): DatasetUrn {
    if (rules.aliases !== undefined) return this.#settledOf(this.#resolve(table, rules))
    const key = `${rules.casing}\u0000${rules.platform}\u0000${rules.instance ?? ''}\u0000${rules.database ?? ''}\u0000${rules.schema ?? ''}\u0000${rules.env}\u0000${table}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const urn = this.#settledOf(this.#resolve(table, rules))
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(key, urn)
    return urn
  }

  #settledOf(ruled: DatasetUrn): DatasetUrn {
    return this.#settled.get(ruled) ?? ruled
  }

  #resolve(table: string, rules: NameRules): DatasetUrn {
    const { platform, instance, env } = rules
    const stored = storageOf(table)
    if (stored !== undefined) return datasetUrn({ ...stored, env, name: encodeName(stored.name) })
    if (table.startsWith('@')) return this.#resolve(stageOf(table), rules)
    const full = qualifiedName(table, rules)
    const name = inCase(rules.aliases?.[full] ?? full, rules.casing)
    const link = this.#linked.find((candidate) => candidate.platform === platform && hasPrefix(name, candidate.name))
    if (link === undefined) return datasetUrn({ platform, instance, env, name: encodeName(name) })
    const rest = name.slice(link.name.length)
    return datasetUrn({
      platform: link.is.platform,
      instance: link.is.instance,
      env,
      name: encodeName(link.is.name + rest),
    })
  }
}

const MAX_KNOWN = 200_000

/** Platforms of object stores by the scheme of an address. */
const STORES: Readonly<Record<string, string>> = {
  s3: 's3',
  s3a: 's3',
  s3n: 's3',
  gs: 'gcs',
  gcs: 'gcs',
  abfs: 'abs',
  abfss: 'abs',
  azure: 'abs',
  hdfs: 'hdfs',
  file: 'file',
}

/** A file or folder that SQL reads or writes is a dataset of its store: `s3://bucket/path` of platform s3. */
function storageOf(name: string): { readonly platform: string; readonly name: string } | undefined {
  const [, scheme = '', path = ''] = /^([a-z][a-z0-9]*):\/\/(.+?)\/*$/i.exec(name) ?? []
  const platform = STORES[scheme.toLowerCase()]
  return platform === undefined || path === '' ? undefined : { platform, name: path }
}

/** A stage is named like a table; the path in it is left out: `@raw.stage/events/` is `raw.stage`. */
function stageOf(name: string): string {
  return name.slice(1).replace(/\/.*$/, '').replace(/^[%~]/, '') || 'stage'
}

/** A column's name as field paths have it. */
export function fieldPathOf(column: string, rules: NameRules): string {
  return inCase(column, rules.casing)
}

/** The full name of a table: the default database and schema in front of a name that lacks them. */
export function qualifiedName(table: string, { platform, database, schema }: NameRules): string {
  const parts = table.split('.')
  const outer = TWO_PARTS.has(platform) ? [database ?? schema] : [database, schema]
  const missing = outer.slice(0, Math.max(0, outer.length + 1 - parts.length))
  // A gap cannot be filled from further out: without a schema, a bare name stays bare.
  const known = missing.includes(undefined) ? missing.slice(missing.lastIndexOf(undefined) + 1) : missing
  return [...known, ...parts].join('.')
}

function inCase(name: string, casing: 'lower' | 'keep'): string {
  return casing === 'lower' ? name.toLowerCase() : name
}

function hasPrefix(name: string, prefix: string): boolean {
  return name === prefix || name.startsWith(`${prefix}.`)
}

/** What would break the URN's tuple (contract §2.3 encodes the same characters in typed URNs). */
function encodeName(name: string): string {
  return name.replaceAll(',', '%2C').replaceAll('(', '%28').replaceAll(')', '%29')
}
