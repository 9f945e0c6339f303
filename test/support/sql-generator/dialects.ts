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
  /** PIVOT and UNPIVOT behind a table. */
  readonly pivot?: boolean
  /** STRUCT(a AS x), read by path. */
  readonly structs?: boolean
  /** Word behind WITH for a CTE that reads itself; absent where there are none. */
  readonly recursive?: 'RECURSIVE' | ''
  readonly namedWindows?: boolean
  /** WINDOW stands behind QUALIFY. */
  readonly windowsLast?: boolean
  readonly starReplace?: boolean
  /** The set operation that meets columns by name. */
  readonly byName?: string
  readonly pipes?: boolean
  /** FROM t INSERT … INSERT …. */
  readonly multiInsert?: boolean
  /** WHEN NOT MATCHED BY SOURCE. */
  readonly mergeBySource?: boolean
  /** UPDATE SET * and INSERT *. */
  readonly mergeStar?: boolean
  /** `* RENAME (a AS b)`. */
  readonly starRename?: boolean
  /** Where the alias of one of several aggregates stands in the names that PIVOT makes. */
  readonly pivotSeveral?: 'before' | 'after'
  /** The function that puts the elements of an array through a lambda. */
  readonly lambda?: 'transform' | 'list_transform' | 'arrayMap'
  readonly matchRecognize?: boolean
  /** Words that make a table for the session only. */
  readonly temporary?: string
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

const POSTGRES: Abilities = {
  ...PLAIN,
  lateral: 'lateral',
  unnest: 'function',
  update: 'from',
  merge: true,
  recursive: 'RECURSIVE',
  namedWindows: true,
  temporary: 'CREATE TEMPORARY TABLE',
}
const MYSQL: Abilities = {
  ...PLAIN,
  quote: ['`', '`'],
  fullJoin: false,
  derivedColumns: false,
  lateral: 'lateral',
  unnest: 'json-table',
  update: 'join',
  recursive: 'RECURSIVE',
  namedWindows: true,
  temporary: 'CREATE TEMPORARY TABLE',
}
const SPARK: Abilities = {
  ...PLAIN,
  quote: ['`', '`'],
  unnest: 'lateral-view',
  merge: true,
  lateralAlias: true,
  lateral: 'lateral',
  pivot: true,
  structs: true,
  namedWindows: true,
  pipes: true,
  multiInsert: true,
  mergeBySource: true,
  mergeStar: true,
  pivotSeveral: 'after',
  lambda: 'transform',
  temporary: 'CREATE TEMPORARY VIEW',
}
const TRINO: Abilities = {
  ...PLAIN,
  unnest: 'trino',
  merge: true,
  natural: false,
  recursive: 'RECURSIVE',
  namedWindows: true,
  lambda: 'transform',
  matchRecognize: true,
}

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
    pivot: true,
    structs: true,
    recursive: 'RECURSIVE',
    namedWindows: true,
    windowsLast: true,
    starReplace: true,
    byName: 'FULL OUTER UNION ALL BY NAME',
    pipes: true,
    mergeBySource: true,
    pivotSeveral: 'before',
    temporary: 'CREATE TEMP TABLE',
  },
  clickhouse: {
    ...PLAIN,
    natural: false,
    derivedColumns: false,
    starWithout: 'EXCEPT',
    unnest: 'array-join',
    starReplace: true,
    namedWindows: true,
    lambda: 'arrayMap',
    temporary: 'CREATE TEMPORARY TABLE',
  },
  databricks: { ...SPARK, qualify: true, starWithout: 'EXCEPT' },
  db2: { ...PLAIN, limit: 'fetch', lateral: 'lateral', merge: true, using: false, natural: false, ctas: false },
  doris: { ...PLAIN, quote: ['`', '`'], unnest: 'lateral-view', natural: false },
  duckdb: {
    ...POSTGRES,
    qualify: true,
    starWithout: 'EXCLUDE',
    lateralAlias: true,
    merge: false,
    pivot: true,
    starReplace: true,
    starRename: true,
    lambda: 'list_transform',
    byName: 'UNION ALL BY NAME',
  },
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
    pivot: false,
    structs: false,
    pipes: false,
    mergeBySource: false,
    mergeStar: false,
    temporary: 'CREATE TEMPORARY TABLE',
  },
  impala: { ...PLAIN, quote: ['`', '`'], natural: false, derivedColumns: false },
  mariadb: { ...MYSQL, lateral: 'none' },
  materialize: { ...POSTGRES, update: 'plain', merge: false, namedWindows: false },
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
    pivot: true,
    pivotSeveral: 'after',
    matchRecognize: true,
    recursive: '',
  },
  postgres: POSTGRES,
  presto: TRINO,
  redshift: { ...POSTGRES, lateral: 'none', lateralAlias: true, qualify: true, pivot: true, namedWindows: false },
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
    pivot: true,
    recursive: 'RECURSIVE',
    starReplace: true,
    starRename: true,
    lambda: 'transform',
    matchRecognize: true,
    temporary: 'CREATE TEMPORARY TABLE',
    byName: 'UNION ALL BY NAME',
  },
  spark: SPARK,
  sqlite: { ...PLAIN, derivedColumns: false, update: 'from', recursive: 'RECURSIVE', namedWindows: true },
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
    pivot: true,
    recursive: '',
    mergeBySource: true,
    ctas: false,
    cteInInsert: false,
  },
  vertica: { ...PLAIN, update: 'from', merge: true },
}
