/** A template as a tree. Text nodes keep their offsets, so that what is written out knows where it came from. */

import type { TemplateArgument, TemplateExpression } from './expression.ts'

export interface Parameter {
  readonly name: string
  readonly default: TemplateExpression | undefined
}

export interface MacroNode {
  readonly kind: 'macro'
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly TemplateNode[]
  readonly start: number
  readonly end: number
}

/** What a `set` or `for` writes to: a name, or an attribute of a namespace. */
export interface AssignmentTarget {
  readonly name: string
  readonly attribute?: string
}

/** Blocks that stand for something else than text: dbt's snapshot, test, docs, materialization, analysis. */
export interface DefinitionNode {
  readonly kind: 'definition'
  readonly sort: string
  readonly name: string
  readonly body: readonly TemplateNode[]
  readonly start: number
  readonly end: number
}

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'output'; readonly expression: TemplateExpression; readonly start: number; readonly end: number }
  /** A tag that was not understood. */
  | { readonly kind: 'unknown'; readonly message: string; readonly start: number; readonly end: number }
  | { readonly kind: 'set'; readonly targets: readonly AssignmentTarget[]; readonly value: TemplateExpression }
  | {
      readonly kind: 'set-block'
      readonly target: AssignmentTarget
      readonly filters: readonly FilterCall[]
      readonly body: readonly TemplateNode[]
    }
  | {
      readonly kind: 'if'
      readonly branches: readonly { readonly condition: TemplateExpression; readonly body: readonly TemplateNode[] }[]
      readonly otherwise: readonly TemplateNode[]
    }
  | {
      readonly kind: 'for'
      readonly targets: readonly string[]
      readonly list: TemplateExpression
      readonly only: TemplateExpression | undefined
      readonly body: readonly TemplateNode[]
      readonly otherwise: readonly TemplateNode[]
      readonly start: number
      readonly end: number
    }
  | MacroNode
  | {
      readonly kind: 'call'
      readonly parameters: readonly Parameter[]
      readonly call: TemplateExpression
      readonly body: readonly TemplateNode[]
      readonly start: number
      readonly end: number
    }
  | {
      readonly kind: 'filter-block'
      readonly filters: readonly FilterCall[]
      readonly body: readonly TemplateNode[]
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'do'; readonly expression: TemplateExpression }
  | { readonly kind: 'break' | 'continue' }
  | DefinitionNode

export interface FilterCall {
  readonly name: string
  readonly args: readonly TemplateArgument[]
}
