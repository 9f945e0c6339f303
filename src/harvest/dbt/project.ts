/** What is known of a dbt project once it is read, from its files or from what dbt compiled. */
import type { RelationName } from '../../sql/template/options.ts'
import type { ProjectFacts } from '../../sql/template/project-facts.ts'
import { setting } from './config.ts'
import type { DbtNode } from './node.ts'
import type { ProjectProblem } from './problem.ts'
import type { DbtProfile } from './profile.ts'
import type { SourceTable } from './properties.ts'

export interface DbtProject {
  readonly name: string
  readonly profile: DbtProfile
  /** What the templates may ask for. */
  readonly facts: ProjectFacts
  /** Models, seeds and snapshots, each after all that it reads. */
  readonly nodes: readonly DbtNode[]
  readonly sources: readonly (SourceTable & { readonly relation: RelationName })[]
  /** Statements before and after a whole run, as templates. */
  readonly around: { readonly start: readonly string[]; readonly end: readonly string[] }
  readonly problems: readonly ProjectProblem[]
}

/** How a node is made; models are views unless told otherwise. */
export function materializationOf(node: DbtNode): string {
  if (node.kind === 'seed') return 'seed'
  return setting(node.config, 'materialized') ?? 'view'
}
