/** Expressions of a template, as trees: they are small, and evaluated several times. */

export type TemplateExpression = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly TemplateExpression[] }
  | { readonly kind: 'tuple'; readonly items: readonly TemplateExpression[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [TemplateExpression, TemplateExpression])[] }
  | { readonly kind: 'attribute'; readonly of: TemplateExpression; readonly name: string }
  | { readonly kind: 'item'; readonly of: TemplateExpression; readonly index: TemplateExpression }
  | {
      readonly kind: 'slice'
      readonly of: TemplateExpression
      readonly from: TemplateExpression | undefined
      readonly to: TemplateExpression | undefined
      readonly step: TemplateExpression | undefined
    }
  | { readonly kind: 'call'; readonly callee: TemplateExpression; readonly args: readonly TemplateArgument[] }
  | {
      readonly kind: 'filter'
      readonly of: TemplateExpression
      readonly name: string
      readonly args: readonly TemplateArgument[]
    }
  | {
      readonly kind: 'test'
      readonly of: TemplateExpression
      readonly name: string
      readonly args: readonly TemplateArgument[]
    }
  | { readonly kind: 'negative'; readonly of: TemplateExpression }
  | { readonly kind: 'not'; readonly of: TemplateExpression }
  | {
      readonly kind: 'arithmetic'
      readonly operator: ArithmeticOperator
      readonly left: TemplateExpression
      readonly right: TemplateExpression
    }
  | {
      readonly kind: 'comparison'
      readonly operator: ComparisonOperator
      readonly left: TemplateExpression
      readonly right: TemplateExpression
    }
  | { readonly kind: 'and' | 'or'; readonly left: TemplateExpression; readonly right: TemplateExpression }
  | {
      readonly kind: 'conditional'
      readonly value: TemplateExpression
      readonly condition: TemplateExpression
      readonly otherwise: TemplateExpression | undefined
    }
)

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '~'
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

/** `positional` a, `named` a=1, `list` *a, `dict` **a. */
export interface TemplateArgument {
  readonly sort: 'positional' | 'named' | 'list' | 'dict'
  readonly name?: string
  readonly value: TemplateExpression
}
