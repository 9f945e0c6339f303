/** A job with its input, as a source asks for it. */
export interface JobRequest {
  readonly job: string
  readonly input: Readonly<Record<string, unknown>>
  /** What the recipe asks for and the job does otherwise, a sentence each. */
  readonly notes: readonly string[]
}
