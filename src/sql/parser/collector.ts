/**
 * Gathers what an expression refers to while its tokens are stepped through. The collector is the IR expression itself,
 * so that a column costs one object and its references.
 */

import type { Cte } from '../ir/query.ts'
import type { Expression, Reference, StarUse, StructField, SubqueryUse } from '../ir/expression.ts'

const NONE: never[] = []
Object.freeze(NONE)

export class Collector implements Expression {
  start = 0
  end = 0
  references: Reference[] = NONE
  queries: SubqueryUse[] = NONE
  stars: StarUse[] = NONE
  windows: string[] = NONE
  form: 'column' | 'literal' | 'other' = 'other'
  inline: { name: string; references: readonly Reference[] }[] | undefined = undefined
  fields: StructField[] | undefined = undefined
  name: string | undefined = undefined
  measures: Cte[] | undefined = undefined
  elements: readonly Reference[] | undefined = undefined
  /** Role of what is read next. */
  role = 0
  /** Parameters of the lambdas around the next token, lower case. */
  lambdas: string[] | undefined = undefined
  /** Token that names the value when nothing else does: the function or the cast column; -1 if there is none. */
  nameToken = -1

  addReference(reference: Reference): void {
    if (this.references === NONE) this.references = [reference]
    else this.references.push(reference)
  }

  addQuery(use: SubqueryUse): void {
    if (this.queries === NONE) this.queries = [use]
    else this.queries.push(use)
  }

  addStar(use: StarUse): void {
    if (this.stars === NONE) this.stars = [use]
    else this.stars.push(use)
  }

  addWindow(name: string): void {
    if (this.windows === NONE) this.windows = [name]
    else this.windows.push(name)
  }
}
