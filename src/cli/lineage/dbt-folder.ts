/** A dbt project's folder as `lineage parse` takes it: read without rendering, each model under the name that it makes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readDbtProject } from '../../harvest/dbt/read-project.ts'
import { textsOf } from '../../harvest/dbt/texts.ts'
import { findDialect } from '../../sql/dialects/registry.ts'
import type { LineageOptions } from '../../sql/index.ts'
import { definedOnly } from '../../harvest/dbt/naming.ts'
import { UsageError } from '../exit-codes.ts'
import type { SqlText } from './sources.ts'

export interface ReadTexts {
  readonly texts: readonly SqlText[]
  readonly options: LineageOptions
  /** What the folder holds and cannot be read, a line each. */
  readonly problems: readonly string[]
}

/** Whether the path is a folder with a `dbt_project.yml`. */
export function isDbtFolder(path: string): boolean {
  return existsSync(join(path, 'dbt_project.yml'))
}

/**
 * The project's models, seeds and snapshots, each after all that it reads.
 * @param dialect as the user gave it; absent: that of the project's adapter
 * @throws UsageError where the project holds nothing
 */
export async function readDbtFolder(
  folder: string,
  options: LineageOptions,
  dialect: string | undefined,
): Promise<ReadTexts> {
  const profile = definedOnly({ database: options.defaultDatabase, schema: options.defaultSchema ?? undefined })
  const project = await readDbtProject(folder, {
    profile,
    ...(dialect === undefined ? {} : { dialect }),
    ...(options.variables === undefined ? {} : { variables: options.variables }),
  })
  if (project.nodes.length === 0)
    throw new UsageError(`${folder} holds no models`, { remedy: 'check model-paths in dbt_project.yml' })
  const texts = textsOf(project).map(({ file, sql, model }) => ({
    file: join(folder, file),
    sql,
    ...(model ? { model } : {}),
  }))
  const adapter = dialect === undefined ? findDialect(project.profile.type ?? '') : undefined
  return {
    texts,
    options: { ...options, ...(adapter ? { dialect: adapter.name } : {}), project: project.facts },
    problems: project.problems.map(({ file, message }) => `${join(folder, file)}: ${message}`),
  }
}
