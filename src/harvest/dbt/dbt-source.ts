/**
 * A dbt project's folder as a source of SQL: a unit for each model, so that only those are read again that changed, or
 * whose inputs' columns did. Columns flow from model to model by what each teaches of its table; an ephemeral model has no
 * table, so its text is read with each model that uses it.
 */
import { basename, dirname } from 'node:path'
import { NoSqlFoundError } from '../errors.ts'
import { RuleBook, type Naming, type NamingDefaults } from '../naming.ts'
import type { SourcePortion, SourceReject, SqlText, SqlUnit } from '../sql-unit.ts'
import { readDbtProject } from './read-project.ts'
import { aroundOf, definitionsOf, stepsOf, type DbtText } from './texts.ts'

export interface DbtSourceOptions {
  readonly source: string
  readonly naming: Naming | undefined
  /** `database` and `schema` are those of the target. */
  readonly defaults: NamingDefaults
}

/** Adapters that are called otherwise than the platforms they write to. */
const PLATFORM_OF: Readonly<Record<string, string>> = { sqlserver: 'mssql', fabric: 'mssql', synapse: 'mssql' }

/** @throws NoSqlFoundError, PlatformUnknownError */
export async function* dbtSource({ source, naming, defaults }: DbtSourceOptions): AsyncGenerator<SourcePortion> {
  const folder = projectFolder(source)
  const { database, schema, dialect } = defaults
  const profile = { ...(database === undefined ? {} : { database }), ...(schema === undefined ? {} : { schema }) }
  const project = await readDbtProject(folder, { profile, ...(dialect === undefined ? {} : { dialect }) })
  if (project.nodes.length === 0) throw new NoSqlFoundError(source)
  const { type } = project.profile
  const platform = defaults.platform ?? (type === undefined ? undefined : (PLATFORM_OF[type] ?? type))
  const { database: targetDatabase, schema: targetSchema } = project.profile
  const given = { ...defaults, platform, database: targetDatabase, schema: targetSchema }
  const rules = new RuleBook(naming, given).rulesFor(basename(folder))
  const unitOf = (memoryKey: string, texts: readonly SqlText[]): SqlUnit => ({
    texts,
    rules,
    project: project.facts,
    memoryKey: `dbt/${memoryKey}`,
  })
  const { start, end } = aroundOf(project)
  const around = [...start, ...end]
  const definitions = definitionsOf(project).map(sqlText)
  const units = [
    ...(definitions.length === 0 ? [] : [unitOf('definitions', definitions)]),
    ...stepsOf(project).map(({ key, text, ephemerals, before, after }) =>
      unitOf(`model/${key}`, [
        ...ephemerals.map((one) => ({ ...sqlText(one), carried: true })),
        ...[...before, text, ...after].map(sqlText),
      ]),
    ),
    ...(around.length === 0 ? [] : [unitOf('around', around.map(sqlText))]),
  ]
  const rejected = project.problems
    .filter(({ code }) => code !== 'REF_UNKNOWN' && code !== 'REF_CYCLE')
    .map(({ message, file }): SourceReject => ({ code: 'SOURCE_UNREADABLE', message, file, line: 1, record: '' }))
  yield { units, declared: [], rejected }
}

function sqlText({ file, sql, model }: DbtText): SqlText {
  return { sql, file, line: 1, wholeFile: true, model }
}

/** The manifest of a project stands for the project. */
function projectFolder(source: string): string {
  if (!/(^|\/)manifest\.json$/i.test(source)) return source
  const folder = dirname(source)
  return basename(folder) === 'target' ? dirname(folder) : folder
}
