/** A job with its input, as a source asks for it. */
export interface JobRequest {
  readonly job: string
  readonly input: Readonly<Record<string, unknown>>
  /** `plan` where the recipe itself asks for no effect. */
  readonly mode?: 'plan'
  /** What the recipe asks for and the job does otherwise, a sentence each. */
  readonly notes: readonly string[]
}
