/** One step of the schema. Never change one that was released; add the next. */
export interface Migration {
  /** What it does, in a few words; kept in the table of migrations. */
  readonly name: string
  /**
   * Programs that know the schema up to this version go on working after this step, so that a rolling upgrade can have
   * both at once; when absent, only programs that know the step itself.
   */
  readonly least?: number
  /** Its statements, in order; schema names written out. */
  readonly sql: string
}
