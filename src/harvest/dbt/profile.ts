/** Where a project writes to: given by the caller, else `profiles.yml` beside the project, else not known. */
import { isJsonObject, textAt } from '../../model/json.ts'
import { readTemplate } from '../../sql/template/read-template.ts'
import type { ProjectFiles } from './files.ts'
import { objectAt } from './project-file.ts'

export interface DbtProfile {
  readonly name?: string | undefined
  /** Adapter: snowflake, bigquery, … */
  readonly type?: string | undefined
  readonly database?: string | undefined
  readonly schema?: string | undefined
}

/** The default target of the project's profile. Values that only the environment tells (`env_var` without a default) are left out. */
export async function readProfile(files: ProjectFiles, profile: string | undefined): Promise<DbtProfile> {
  const document = await files.yaml('profiles.yml')
  const [first] = Object.values(document).filter(isJsonObject)
  const chosen = profile === undefined ? first : objectAt(document, profile)
  const outputs = objectAt(chosen, 'outputs')
  const name = plain(textAt(chosen, 'target')) ?? Object.keys(outputs)[0]
  if (name === undefined) return {}
  const output = objectAt(outputs, name)
  const text = (...keys: readonly string[]) =>
    keys.map((key) => plain(textAt(output, key))).find((value) => value !== undefined)
  return {
    name,
    type: text('type'),
    database: text('database', 'dbname', 'project', 'catalog'),
    schema: text('schema', 'dataset'),
  }
}

/** A value without templates, or what `env_var` falls back on. */
function plain(text: string | undefined): string | undefined {
  if (text?.includes('{{') !== true) return text
  const { variants, holes } = readTemplate(text)
  return holes.length > 0 || variants.length !== 1 ? undefined : variants[0]!.sql
}
