/**
 * What a value may be, over the branches of COALESCE, CASE and IF or the items of an array: structs that the text builds,
 * columns, or both. Where one branch is neither, nothing is known of the value's fields.
 */

import type { Reference, StructField } from '../ir/expression.ts'
import type { Collector } from './collector.ts'
import { mergedFields } from './field.ts'
import { FORMS } from './outcome.ts'

export class Alternatives {
  #fields: StructField[] | undefined
  #elements: Reference[] | undefined
  #isKnown = true

  /** The expression that was read last, its references being those from `references` and `queries` on. */
  add(x: Collector, references: number, queries: number): void {
    if (!this.#isKnown) return
    const elements = elementsOf(x)
    if (x.fields) this.#fields = this.#fields ? mergedFields(this.#fields, x.fields) : x.fields
    else if (!elements) {
      // A constant adds nothing.
      this.#isKnown = x.references.length === references && x.queries.length === queries
      return
    }
    if (elements) this.#elements = this.#elements ? [...this.#elements, ...elements] : [...elements]
    if (x.fields && !this.#fields) this.#isKnown = false
  }

  /** Says of the whole what was gathered of its parts. */
  give(x: Collector): void {
    x.fields = this.#isKnown ? this.#fields : undefined
    x.elements = this.#isKnown ? this.#elements : undefined
  }
}

/** The columns that the value before is, or is an element of. */
export function elementsOf(x: Collector): readonly Reference[] | undefined {
  if (x.form !== FORMS.column) return x.elements
  const last = x.references.at(-1)
  return last && [last]
}
