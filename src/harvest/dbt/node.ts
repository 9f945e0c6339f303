import type { RelationName } from '../../sql/template/options.ts'
import type { NodeConfig } from './config.ts'

/** A model, seed or snapshot of a project, named and configured. */
export interface DbtNode {
  readonly kind: 'model' | 'seed' | 'snapshot'
  readonly package: string
  readonly name: string
  readonly version: string | undefined
  readonly file: string
  /** Template of its query; empty for a seed. */
  readonly text: string
  readonly config: NodeConfig
  readonly relation: RelationName
  /** Columns that the project declares. */
  readonly columns: readonly string[]
  /** Keys of the nodes it reads. */
  readonly reads: readonly string[]
}

/** The key of a node among others: `package.name` or `package.name.v2`. */
export function nodeKey(node: Pick<DbtNode, 'package' | 'name' | 'version'>): string {
  return `${node.package}.${node.name}${node.version === undefined ? '' : `.v${node.version}`}`
}
