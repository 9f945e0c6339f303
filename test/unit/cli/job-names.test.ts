import { expect, test } from 'vitest'
import { jobNamed } from '../../../jobs/by-name.ts'
import { JOBS } from '../../../jobs/index.ts'

test('each job that ships can be loaded by its name alone', async () => {
  for (const job of JOBS) expect(await jobNamed(job.name)).toBe(job)
  expect(await jobNamed('toString')).toBeUndefined()
  expect(await jobNamed(undefined)).toBeUndefined()
})
