/** DuckDB: statements that tell about a relation stand in FROM as well: (DESCRIBE t), (SUMMARIZE t), (SHOW TABLES). */

import type { Statement } from '../ir/statement.ts'
import { KIND, NO_SOURCES, type CteEnv, type OutColumn, type Resolving } from './model.ts'
import { allSources, outColumn } from './sources.ts'

const DESCRIBED = ['column_name', 'column_type', 'null', 'key', 'default', 'extra']
const VALUES = ['min', 'max', 'approx_unique', 'avg', 'std', 'q25', 'q50', 'q75']

/** The columns that such a statement gives; undefined for any other. */
export function describedColumns(
  r: Resolving,
  statement: Statement,
  env: CteEnv | undefined,
): readonly OutColumn[] | undefined {
  if (r.dialect.name !== 'duckdb') return undefined
  if (statement.kind === 'explain') return DESCRIBED.map((name) => outColumn(name, NO_SOURCES))
  if (statement.kind !== 'command') return undefined
  if (statement.word === 'show') return [outColumn('name', NO_SOURCES)]
  const use = statement.word === 'summarize' ? statement.expressions[0]?.queries[0] : undefined
  if (!use) return undefined
  const values = allSources(r.rules.query(r, use.query, env, undefined), KIND.aggregated)
  return [
    ...['column_name', 'column_type'].map((name) => outColumn(name, NO_SOURCES)),
    ...VALUES.map((name) => outColumn(name, values)),
    outColumn('count', NO_SOURCES),
    outColumn('null_percentage', values),
  ]
}
