/** Small readings of sql-parser-cst's nodes that all of this folder needs. */
import type { BaseNode, Identifier, Node } from 'sql-parser-cst'
import type { TableName } from '../ir/query.ts'

/** A construct that this front end does not carry over: the text gets no second opinion rather than a wrong one. */
export class NotCarriedError extends Error {
  readonly what: string

  constructor(what: string) {
    super(`not carried over: ${what}`)
    this.what = what
  }
}

/** Offsets of a node; the parser is asked for ranges always. */
export function rangeOf(node: BaseNode): { readonly start: number; readonly end: number } {
  const [start, end] = node.range ?? [0, 0]
  return { start, end }
}

/** Child nodes in the order of their properties; white space and ranges are none. */
export function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([key, value]) => (key === 'leading' || key === 'trailing' ? [] : nodesIn(value)))
}

function nodesIn(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return typeof value === 'object' && value !== null && 'type' in value ? [value as Node] : []
}

/** The parts of `a.b.c`; undefined where it is no plain chain of names. */
export function namePartsOf(node: Node): string[] | undefined {
  if (node.type === 'identifier') return [node.name]
  if (node.type === 'bigquery_quoted_member_expr') return namePartsOf(node.expr)
  if (node.type !== 'member_expr' || node.property.type !== 'identifier') return undefined
  const object = namePartsOf(node.object)
  return object === undefined ? undefined : [...object, node.property.name]
}

/** A table's name. @throws NotCarriedError */
export function tableNameOf(node: Node): TableName {
  const parts = namePartsOf(node)
  if (parts === undefined) throw new NotCarriedError(node.type)
  // `project.dataset.table` in one pair of backticks is a path of its own to BigQuery.
  const split =
    node.type === 'identifier' && /^`.*\..*`$/.test(node.text) ? parts.flatMap((part) => part.split('.')) : parts
  return { parts: split, ...rangeOf(node), sort: 'table', quoted: 0 }
}

export function isQuoted(identifier: Identifier): boolean {
  return identifier.text !== identifier.name
}

export function namesOf(nodes: readonly Node[]): string[] {
  return nodes.map((node) => {
    if (node.type === 'identifier') return node.name
    throw new NotCarriedError(node.type)
  })
}

export function aliasName(node: Node): string {
  if (node.type === 'identifier') return node.name
  if (node.type === 'string_literal') return node.value
  throw new NotCarriedError(`alias ${node.type}`)
}
