import { Type } from 'typebox'
import { decode } from '../model/decode.ts'
import type { JobRequest } from './job-request.ts'

const Config = Type.Object(
  {
    filename: Type.String(),
    write_semantics: Type.Enum(['PATCH', 'OVERRIDE'], { default: 'PATCH' }),
    delimiter: Type.String({ default: ',', minLength: 1, maxLength: 1 }),
    array_delimiter: Type.String({ default: '|', minLength: 1 }),
    structured_properties: Type.Record(Type.String(), Type.String(), { default: {} }),
  },
  { additionalProperties: false },
)

/**
 * A `csv-enricher` source as an import: like there, entities that the catalog does not have are created and columns that
 * mean nothing are passed over. What goes wrong there does not happen here: rows of one dataset add up however near they
 * stand, statuses are left alone, numbers stay numbers.
 */
export function csvEnricherRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const read = decode(Config, config, (path) => ({ file, path: ['source', 'config', ...path].join('.') }))
  return {
    job: 'import-csv',
    input: {
      file: [read.filename],
      mode: read.write_semantics === 'OVERRIDE' ? 'override' : 'patch',
      delimiter: read.delimiter,
      arrayDelimiter: read.array_delimiter,
      columns: read.structured_properties,
      missing: 'create',
      unknownColumns: 'ignore',
    },
    notes:
      read.write_semantics === 'OVERRIDE' ? ['OVERRIDE replaces what cells name; an empty cell clears nothing'] : [],
  }
}
