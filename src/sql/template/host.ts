/** What evaluating an expression needs from the reading it belongs to. */

import type { TemplateExpression } from './expression.ts'
import type { Hole, Holes, Unknown, Value } from './values.ts'

export interface TemplateHost {
  readonly holes: Holes
  /** A value that the text does not tell, written at `expression`. */
  unknown(
    expression: TemplateExpression,
    about: {
      readonly kind: Hole['kind']
      readonly name: string
      readonly key?: string
      readonly args?: readonly Value[]
    },
  ): Unknown
  /** Which way an undecidable condition goes in this reading. */
  decide(key: string): boolean
  /** What a name means that no scope has; undefined where nobody knows it. */
  global(name: string): Value
  /** Counts a step of work. Throws when the template asks for too much. */
  step(): void
}

/** Names of a block of the template, and of the blocks around it. */
export class Scope {
  readonly values = new Map<string, Value>()
  readonly parent: Scope | undefined

  constructor(parent?: Scope) {
    this.parent = parent
  }

  has(name: string): boolean {
    return this.values.has(name) || (this.parent?.has(name) ?? false)
  }

  get(name: string): Value {
    return this.values.has(name) ? this.values.get(name) : this.parent?.get(name)
  }
}
