/**
 * Avro schemas to columns, against what DataHub's own converter (acryl-datahub 1.7.0.17) makes of them. Where its Python is
 * present (HEADWATER_SDK_PYTHON) it is run again and the recording is held to it; UPDATE_GOLDEN=1 records anew.
 *
 * Not compared: `nativeDataType`, where the original puts the field's name; that a record within itself is `recursive`; and
 * a line break in front of the default of a field without a description.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { avroFields } from '../../src/import/metadata/avro/fields.ts'
import { parseAvroSchema } from '../../src/import/metadata/avro/schema.ts'
import { textAt, type JsonObject } from '../../src/model/json.ts'
import { AVRO_SCHEMAS } from './avro/schemas.ts'

const PYTHON = process.env['HEADWATER_SDK_PYTHON']
const FOLDER = join(import.meta.dirname, 'avro')
const RECORDED = join(FOLDER, 'recorded.json')

const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Readonly<Record<string, readonly JsonObject[]>>

test.each(Object.entries(AVRO_SCHEMAS))('%s', (name, schema) => {
  const columns = avroFields(parseAvroSchema(JSON.stringify(schema), 'a.avsc'), 'a.avsc')
  expect(columns.map(compared)).toEqual(recorded[name]?.map(compared))
})

test.skipIf(PYTHON === undefined)(
  'the recording is what the original does (skipped without HEADWATER_SDK_PYTHON)',
  () => {
    const input = JSON.stringify(AVRO_SCHEMAS)
    const answer = execFileSync(PYTHON ?? '', [join(FOLDER, 'original.py')], { input, encoding: 'utf8' })
    const columns = JSON.parse(answer.replaceAll('com.linkedin.pegasus2avro.', 'com.linkedin.')) as unknown
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(RECORDED, `${JSON.stringify(columns, undefined, 2)}\n`)
    expect(columns).toEqual(recorded)
  },
)

function compared(column: JsonObject): JsonObject {
  const { nativeDataType: _type, recursive: _recursive, description, jsonProps, ...rest } = column
  const props = textAt({ jsonProps: jsonProps ?? null }, 'jsonProps')
  return {
    ...rest,
    ...(typeof description === 'string' ? { description: description.replace(/^\n/, '') } : {}),
    ...(props === undefined ? {} : { jsonProps: JSON.parse(props) as JsonObject }),
  }
}
