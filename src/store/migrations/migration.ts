/** One step of the schema. Never change one that was released; add the next. */
export interface Migration {
  /** What it does, in a few words; kept in the table of migrations. */
  readonly name: string
  /** Its statements, in order; schema names written out. */
  readonly sql: string
}
