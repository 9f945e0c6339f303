/** Dialects by name. */

import type { DialectName } from '../types.ts'
import { ANSI, type Dialect } from './dialect.ts'
import { ATHENA } from './athena.ts'
import { BIGQUERY } from './bigquery.ts'
import { CLICKHOUSE } from './clickhouse.ts'
import { DATABRICKS } from './databricks.ts'
import { DB2 } from './db2.ts'
import { DORIS } from './doris.ts'
import { DUCKDB } from './duckdb.ts'
import { EXASOL } from './exasol.ts'
import { GREENPLUM } from './greenplum.ts'
import { HIVE } from './hive.ts'
import { IMPALA } from './impala.ts'
import { MARIADB } from './mariadb.ts'
import { MATERIALIZE } from './materialize.ts'
import { MYSQL } from './mysql.ts'
import { ORACLE } from './oracle.ts'
import { POSTGRES } from './postgres.ts'
import { PRESTO } from './presto.ts'
import { REDSHIFT } from './redshift.ts'
import { SNOWFLAKE } from './snowflake.ts'
import { SPARK } from './spark.ts'
import { SQLITE } from './sqlite.ts'
import { STARROCKS } from './starrocks.ts'
import { TERADATA } from './teradata.ts'
import { TRINO } from './trino.ts'
import { TSQL } from './tsql.ts'
import { VERTICA } from './vertica.ts'

const TABLES: Readonly<Record<DialectName, Dialect>> = {
  ansi: ANSI,
  athena: ATHENA,
  bigquery: BIGQUERY,
  clickhouse: CLICKHOUSE,
  databricks: DATABRICKS,
  db2: DB2,
  doris: DORIS,
  duckdb: DUCKDB,
  exasol: EXASOL,
  greenplum: GREENPLUM,
  hive: HIVE,
  impala: IMPALA,
  mariadb: MARIADB,
  materialize: MATERIALIZE,
  mysql: MYSQL,
  oracle: ORACLE,
  postgres: POSTGRES,
  presto: PRESTO,
  redshift: REDSHIFT,
  snowflake: SNOWFLAKE,
  spark: SPARK,
  sqlite: SQLITE,
  starrocks: STARROCKS,
  teradata: TERADATA,
  trino: TRINO,
  tsql: TSQL,
  vertica: VERTICA,
}

const OTHER_NAMES: Readonly<Record<string, DialectName>> = {
  sparksql: 'spark',
  postgresql: 'postgres',
  mssql: 'tsql',
  sqlserver: 'tsql',
  'transact-sql': 'tsql',
  googlesql: 'bigquery',
  prestodb: 'presto',
  generic: 'ansi',
}

/** The table of a dialect; undefined where no dialect has the name. */
export function findDialect(name: string): Dialect | undefined {
  const key = name.toLowerCase()
  return (TABLES as Readonly<Record<string, Dialect | undefined>>)[key] ?? tableOf(OTHER_NAMES[key])
}

function tableOf(name: DialectName | undefined): Dialect | undefined {
  return name && TABLES[name]
}
