import { expect, test } from 'vitest'
import { defineJob, Type, type JobDefinition } from '../../../src/runner/define-job.ts'

test('a job with a schema of its own fits into a list of jobs', () => {
  const job = defineJob({
    name: 'count-lines',
    summary: 'Count lines',
    byHand: 'apply',
    input: Type.Object({ file: Type.String(), limit: Type.Integer({ default: 10 }) }),
    async run({ input }) {
      const limit: number = input.limit
      return { report: { file: input.file, limit }, lines: [] }
    },
  })
  const jobs: readonly JobDefinition[] = [job]
  expect(jobs.map((each) => each.name)).toEqual(['count-lines'])
})
