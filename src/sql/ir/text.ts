/** A text that a script puts together, as dynamic SQL does: what is literal, what a variable holds, what only the run tells. */
export type TextPiece =
  | { readonly kind: 'literal'; readonly text: string; readonly start: number; readonly end: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  /** A function of texts, by its name in lower case. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly (readonly TextPiece[])[]
      readonly start: number
      readonly end: number
    }
