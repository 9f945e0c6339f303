/**
 * Names of a project's tables, by dbt's default rules: the target's database; the target's schema, with a custom schema
 * added behind an underscore; the alias or the node's name. A project that writes those rules anew is asked itself.
 * Where the target is not known its part is left out, so a custom schema stands alone.
 */
import { projectOf, type ProjectFacts } from '../../sql/template/project-facts.ts'
import { readTemplate } from '../../sql/template/read-template.ts'
import type { RelationName } from '../../sql/template/options.ts'
import { type NodeConfig, setting } from './config.ts'
import type { DbtProfile } from './profile.ts'

export interface NamedNode {
  readonly kind: 'model' | 'seed' | 'snapshot'
  readonly name: string
  readonly version: string | undefined
  readonly config: NodeConfig
}

export class NamingRules {
  readonly #facts: ProjectFacts
  readonly #profile: DbtProfile

  constructor(facts: ProjectFacts, profile: DbtProfile) {
    this.#facts = facts
    this.#profile = profile
  }

  relation(node: NamedNode): RelationName {
    const { config, name, version } = node
    const database = setting(config, 'database') ?? setting(config, 'target_database') ?? setting(config, 'project')
    const alias = setting(config, 'alias') ?? (version === undefined ? name : `${name}_v${version}`)
    return {
      database: this.#own('generate_database_name', database, name) ?? database ?? this.#profile.database,
      schema: this.#schema(node),
      identifier: this.#own('generate_alias_name', setting(config, 'alias'), name) ?? alias,
    }
  }

  #schema({ kind, config, name }: NamedNode): string | undefined {
    const fixed = kind === 'snapshot' ? setting(config, 'target_schema') : undefined
    if (fixed !== undefined) return fixed
    const custom = setting(config, 'schema') ?? setting(config, 'dataset')
    const own = this.#own('generate_schema_name', custom, name)
    if (own !== undefined) return own
    const { schema } = this.#profile
    if (custom === undefined) return schema
    return schema === undefined ? custom : `${schema}_${custom}`
  }

  /** What the project's own rule says; undefined where it has none or it needs what is not known. */
  #own(macro: string, custom: string | undefined, name: string): string | undefined {
    const project = projectOf(this.#facts, () => undefined)
    if (!project.macro(macro, this.#facts.name)) return undefined
    const call = `{{ ${macro}(${custom === undefined ? 'none' : literal(custom)}, {'name': ${literal(name)}}) }}`
    const { variants, holes } = readTemplate(call, { project, profile: definedOnly(this.#profile) })
    const text = variants[0]?.sql.trim() ?? ''
    return holes.length > 0 || !/^[\w$-]+$/.test(text) ? undefined : text
  }
}

function literal(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`
}

/** The profile as templates see it. */
export function definedOnly(profile: DbtProfile): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(profile).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
