import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyPatch, decodePatch } from '../../src/catalog/patch/patch.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/model/json.ts'

interface Recorded {
  readonly id: string
  readonly aspect: string
  readonly current: JsonObject | null
  readonly patch: JsonValue
  readonly result?: JsonValue
  readonly error?: string
  readonly 'needed_by_1.7_clients'?: JsonValue
}

const recorded: readonly Recorded[] = readFileSync(join(import.meta.dirname, 'recordings/patch-results.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

/** Where ours is meant to differ from what DataHub's code did, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'def-from-nothing': 'a definition without name and type is refused, not made up from empty text',
  'sdk:patch_sp_definition:propertyDefinition': 'likewise',
  'fgl-untouched-none': 'a record without upstreams is kept, not dropped in silence',
}

describe('contract §6: patches end as DataHub’s own code and today’s clients have it', () => {
  for (const line of recorded) {
    const expected = line['needed_by_1.7_clients'] ?? line.result
    if (expected === undefined || line.id in DIFFERENT) continue
    test(`patch ${line.id}`, () => {
      const document = decodePatch(isJsonObject(line.patch) ? line.patch : { patch: line.patch })
      const actual = applyPatch(line.aspect, line.current ?? undefined, document)
      expect(comparable(actual)).toEqual(comparable(expected))
    })
  }
})

/** Without stamps, which the recording's server set to its own time, and without empty defaults that it adds. */
function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable)
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !['created', 'lastModified', 'auditStamp'].includes(name) && !(Array.isArray(member) && member.length === 0),
  )
  return Object.fromEntries(kept.map(([name, member]) => [name, comparable(member)]))
}
