/** The texts of a project as a lineage session takes them, in the order in which the project builds its tables. */
import type { TemplateText } from '../../sql/template/project-facts.ts'
import type { RelationName } from '../../sql/template/options.ts'
import type { NodeConfig } from './config.ts'
import type { DbtNode } from './node.ts'
import { type DbtProject, materializationOf } from './project.ts'

export interface DbtText {
  readonly file: string
  /** As it lies there: a template. A seed is the definition of its table. */
  readonly sql: string
  /** What the text makes; absent for a seed, whose text says it. */
  readonly model: TemplateText | undefined
}

/** Each after all that it reads. Python models have no text. */
export function textsOf(project: DbtProject): readonly DbtText[] {
  const known = project.sources.filter(({ certain }) => certain)
  return [
    ...known.map(({ relation, columns }) => ({
      file: 'target/catalog.json',
      sql: definition(relation, columns, {}),
      model: undefined,
    })),
    ...project.nodes.filter(({ file }) => !file.endsWith('.py')).map(textOf),
  ]
}

function textOf(node: DbtNode): DbtText {
  const { file, package: package_, relation, config } = node
  if (node.kind === 'seed') return { file, sql: definition(relation, node.columns, config), model: undefined }
  return {
    file,
    sql: node.text,
    model: { package: package_, target: relation, materialized: materializationOf(node), config },
  }
}

/** A table that the project does not make by a query: a seed, or a source whose columns the warehouse told. */
function definition(relation: RelationName, columns: readonly string[], config: NodeConfig): string {
  const types = config['column_types']
  const typeOf = (name: string) => {
    const type =
      typeof types === 'object' && types !== null && !Array.isArray(types)
        ? (types as Readonly<Record<string, unknown>>)[name]
        : undefined
    return typeof type === 'string' ? type : 'text'
  }
  const items = columns.map((name) => `${quoted(name)} ${typeOf(name)}`)
  return `create table ${qualified(relation)}${items.length > 0 ? ` (${items.join(', ')})` : ''}`
}

function qualified({ database, schema, identifier }: RelationName): string {
  return [database, schema, identifier]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => quoted(part!))
    .join('.')
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
