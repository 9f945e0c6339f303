import type { DialectName } from '../../../src/sql/types.ts'

/** What the generator may write in a dialect. Only what its manual has: the engine reads more. */
export interface Abilities {
  readonly quote: readonly [string, string]
  /** Words of the difference of two queries; absent where the dialect has none. */
  readonly except?: string
  readonly limit: 'limit' | 'fetch' | 'top'
  readonly using: boolean
  readonly natural: boolean
  readonly fullJoin: boolean
  /** `AS x (a, b)` behind a derived table. */
  readonly derivedColumns: boolean
  readonly cteInInsert: boolean
  readonly qualify: boolean
  /** Word that leaves columns out of a star. */
  readonly starWithout?: 'EXCEPT' | 'EXCLUDE'
  /** An output may use the name of an earlier one. */
  readonly lateralAlias: boolean
  readonly lateral: 'lateral' | 'apply' | 'none'
  readonly unnest?: Unnest
  readonly update: 'from' | 'join' | 'alias-from' | 'plain'
  readonly merge: boolean
  readonly ctas: boolean
  readonly insertAll: boolean
}

export type Unnest =
  'bigquery' | 'flatten' | 'lateral-view' | 'function' | 'trino' | 'array-join' | 'json-table' | 'openjson'

const PLAIN: Abilities = {
  quote: ['"', '"'],
  except: 'EXCEPT',
  limit: 'limit',
  using: true,
  natural: true,
  fullJoin: true,
  derivedColumns: true,
  cteInInsert: true,
  qualify: false,
  lateralAlias: false,
  lateral: 'none',
  update: 'plain',
  merge: false,
  ctas: true,
  insertAll: false,
}

const POSTGRES: Abilities = { ...PLAIN, lateral: 'lateral', unnest: 'function', update: 'from', merge: true }
const MYSQL: Abilities = {
  ...PLAIN,
  quote: ['`', '`'],
  fullJoin: false,
  derivedColumns: false,
  lateral: 'lateral',
  unnest: 'json-table',
  update: 'join',
}
const SPARK: Abilities = {
  ...PLAIN,
  quote: ['`', '`'],
  unnest: 'lateral-view',
  merge: true,
  lateralAlias: true,
  lateral: 'lateral',
}
const TRINO: Abilities = { ...PLAIN, unnest: 'trino', merge: true, natural: false }

export const ABILITIES: Readonly<Record<DialectName, Abilities>> = {
  ansi: { ...PLAIN, merge: true },
  athena: TRINO,
  bigquery: {
    ...PLAIN,
    quote: ['`', '`'],
    except: 'EXCEPT DISTINCT',
    natural: false,
    derivedColumns: false,
    qualify: true,
    starWithout: 'EXCEPT',
    unnest: 'bigquery',
    update: 'from',
    merge: true,
  },
  clickhouse: { ...PLAIN, natural: false, derivedColumns: false, starWithout: 'EXCEPT', unnest: 'array-join' },
  databricks: { ...SPARK, qualify: true, starWithout: 'EXCEPT' },
  db2: { ...PLAIN, limit: 'fetch', lateral: 'lateral', merge: true, using: false, natural: false, ctas: false },
  doris: { ...PLAIN, quote: ['`', '`'], unnest: 'lateral-view', natural: false },
  duckdb: { ...POSTGRES, qualify: true, starWithout: 'EXCLUDE', lateralAlias: true, merge: false },
  exasol: { ...PLAIN, merge: true, qualify: true },
  greenplum: POSTGRES,
  hive: {
    ...SPARK,
    merge: true,
    lateralAlias: false,
    lateral: 'none',
    natural: false,
    using: false,
    derivedColumns: false,
  },
  impala: { ...PLAIN, quote: ['`', '`'], natural: false, derivedColumns: false },
  mariadb: { ...MYSQL, lateral: 'none' },
  materialize: { ...POSTGRES, update: 'plain', merge: false },
  mysql: MYSQL,
  oracle: {
    ...PLAIN,
    except: 'MINUS',
    limit: 'fetch',
    derivedColumns: false,
    lateral: 'apply',
    unnest: 'json-table',
    merge: true,
    insertAll: true,
  },
  postgres: POSTGRES,
  presto: TRINO,
  redshift: { ...POSTGRES, lateral: 'none', lateralAlias: true, qualify: true },
  snowflake: {
    ...PLAIN,
    qualify: true,
    starWithout: 'EXCLUDE',
    lateralAlias: true,
    lateral: 'lateral',
    unnest: 'flatten',
    update: 'from',
    merge: true,
    insertAll: true,
  },
  spark: SPARK,
  sqlite: { ...PLAIN, derivedColumns: false, update: 'from' },
  starrocks: { ...PLAIN, quote: ['`', '`'], unnest: 'trino', natural: false, update: 'plain' },
  teradata: {
    ...PLAIN,
    limit: 'top',
    using: false,
    natural: false,
    qualify: true,
    lateralAlias: true,
    merge: true,
    ctas: false,
  },
  trino: TRINO,
  tsql: {
    ...PLAIN,
    quote: ['[', ']'],
    limit: 'top',
    using: false,
    natural: false,
    lateral: 'apply',
    unnest: 'openjson',
    update: 'alias-from',
    merge: true,
    ctas: false,
    cteInInsert: false,
  },
  vertica: { ...PLAIN, update: 'from', merge: true },
}
