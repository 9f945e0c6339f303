/** What the reading of an operand or operator came to. */

/** What the last operand was; decides whether an expression is a plain copy of a column. */
export const FORMS = { column: 'column', literal: 'literal', other: 'other' } as const

export const DONE = 1

export const AGAIN = 2

export const MISSING = 0
