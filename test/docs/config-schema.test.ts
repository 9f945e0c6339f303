import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { HeadwaterFile } from '../../src/config/headwater-file.ts'
import { SchedulesFile } from '../../src/config/schedules-file.ts'
import { RetentionFile } from '../../src/retention/policy.ts'

const CONFIG = resolve(import.meta.dirname, '../../config')
const SCHEMAS: Readonly<Record<string, TSchema>> = {
  headwater: HeadwaterFile,
  schedules: SchedulesFile,
  retention: RetentionFile,
}

// After a change of a shape: `npx vitest run test/docs/config-schema.test.ts -u` writes the schemas anew.
test.each(Object.entries(SCHEMAS))(
  'the JSON Schema of %s.yaml that editors use is that of the code',
  async (name, schema) => {
    const text = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, null, 2)
    await expect(`${text}\n`).toMatchFileSnapshot(join(CONFIG, 'schema', `${name}.schema.json`))
  },
)

test.each(Object.keys(SCHEMAS))('%s.yaml names its JSON Schema in the first line', (name) => {
  const [first] = readFileSync(join(CONFIG, `${name}.yaml`), 'utf8').split('\n')
  expect(first).toBe(`# yaml-language-server: $schema=./schema/${name}.schema.json`)
})
