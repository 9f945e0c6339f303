/** The texts of a project as a lineage session takes them, in the order in which the project builds its tables. */
import type { TemplateText } from '../../sql/template/project-facts.ts'
import type { RelationName } from '../../sql/template/options.ts'
import type { NodeConfig } from './config.ts'
import { hooksOf, type HookPlace } from './hooks.ts'
import { nodeKey, type DbtNode } from './node.ts'
import { type DbtProject, materializationOf } from './project.ts'

export interface DbtText {
  readonly file: string
  /** As it lies there: a template. A seed is the definition of its table. */
  readonly sql: string
  /** What the text makes; absent for a seed, whose text says it. */
  readonly model: TemplateText | undefined
}

/** A model, snapshot or seed as a lineage session takes it, after the ephemeral models that it reads. */
export interface DbtStep {
  /** By which it is known again. */
  readonly key: string
  readonly text: DbtText
  /** Ephemeral models that it reads, also through one another, each after those that it reads itself. */
  readonly ephemerals: readonly DbtText[]
  /** Statements that run before and after it. */
  readonly before: readonly DbtText[]
  readonly after: readonly DbtText[]
}

/** All of them, each after all that it reads. */
export function textsOf(project: DbtProject): readonly DbtText[] {
  const steps = stepsOf(project).flatMap(({ before, text, after }) => [...before, text, ...after])
  const { start, end } = aroundOf(project)
  return [...definitionsOf(project), ...start, ...steps, ...end]
}

/** Statements before and after a whole run. */
export function aroundOf({ around }: DbtProject): {
  readonly start: readonly DbtText[]
  readonly end: readonly DbtText[]
} {
  return { start: around.start.map(projectText), end: around.end.map(projectText) }
}

function projectText(sql: string): DbtText {
  return { file: 'dbt_project.yml', sql, model: undefined }
}

/** Tables that the project reads and does not make, as far as the warehouse told their columns. */
export function definitionsOf(project: DbtProject): readonly DbtText[] {
  return project.sources
    .filter(({ certain }) => certain)
    .map(({ relation, columns }) => ({
      file: 'target/catalog.json',
      sql: definition(relation, columns, {}),
      model: undefined,
    }))
}

/** Each after all that it reads. Python models have no text. */
export function stepsOf(project: DbtProject): readonly DbtStep[] {
  const ephemerals = new Map<string, readonly DbtNode[]>()
  return project.nodes.flatMap((node): readonly DbtStep[] => {
    // Nodes come after those that they read, so what these need is known.
    const needed = [...new Set(node.reads.flatMap((key) => ephemerals.get(key) ?? []))]
    const key = nodeKey(node)
    if (materializationOf(node) === 'ephemeral') ephemerals.set(key, [...needed, node])
    if (node.file.endsWith('.py')) return []
    const [before, after] = [hookTexts(node, 'pre'), hookTexts(node, 'post')]
    return [{ key, text: textOf(node), ephemerals: needed.map(textOf), before, after }]
  })
}

/** Hooks at the places where the model's file writes them, else at its begin. */
function hookTexts({ file, text, package: package_, relation, config }: DbtNode, place: HookPlace): readonly DbtText[] {
  return hooksOf(config, place).map((hook) => {
    const sql = text.slice(0, Math.max(0, text.indexOf(hook))).replaceAll(/[^\n]/g, ' ') + hook
    return { file, sql, model: { package: package_, target: relation, materialized: 'operation', config } }
  })
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
