/** What SQLMesh's variables hold: SQL text, or a list of it. A text keeps its quotes until it becomes part of a name. */

import type { JsonValue } from '../../../model/json.ts'
import type { Place } from './arguments.ts'

/** `x -> x + 1`: names, and where the body stands. */
export interface Lambda {
  readonly parameters: readonly string[]
  readonly body: Place
  readonly names: Names
}

export type MeshValue = string | readonly MeshValue[] | Lambda

/** Names of a lambda and of what is around it, in lower case. */
export class Names {
  readonly values = new Map<string, MeshValue>()
  readonly parent: Names | undefined

  constructor(parent?: Names) {
    this.parent = parent
  }

  get(name: string): MeshValue | undefined {
    return this.values.get(name) ?? this.parent?.get(name)
  }

  /** Whether the name is a parameter of a lambda, which its body may name without a mark. */
  binds(name: string): boolean {
    return this.parent !== undefined && (this.values.has(name) || this.parent.binds(name))
  }
}

export function isLambda(value: MeshValue | undefined): value is Lambda {
  return typeof value === 'object' && 'body' in value
}

/** As SQL: a list in brackets. */
export function sqlOf(value: MeshValue): string {
  if (typeof value === 'string') return value
  return isLambda(value) ? '' : `(${value.map(sqlOf).join(', ')})`
}

/** As part of a name: without quotes around. */
export function bare(value: MeshValue): string {
  const text = sqlOf(value)
  return /^(['"`])([^]*)\1$/.exec(text)?.[2]?.replaceAll("''", "'") ?? text
}

/** A value of the project's configuration, as SQL. */
export function meshValue(value: JsonValue | undefined): MeshValue | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => meshValue(item) ?? 'null')
  return value !== null && typeof value === 'object' ? undefined : String(value)
}
