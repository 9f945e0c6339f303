import { Type } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import type { JobRequest } from './job-request.ts'

const Config = Type.Object(
  {
    filename: Type.String(),
    write_semantics: Type.Enum(['PATCH', 'OVERRIDE', 'patch', 'override'], { default: 'PATCH' }),
    delimiter: Type.String({ default: ',', minLength: 1, maxLength: 1 }),
    array_delimiter: Type.String({ default: '|', minLength: 1 }),
    structured_properties: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { default: {} }),
    ),
    compat: Type.Optional(Type.Enum(['strict'])),
  },
  { additionalProperties: false },
)

/**
 * A `csv-enricher` source as an import: like there, entities that the catalog does not have are created and columns that
 * mean nothing are passed over. What goes wrong there does not happen here: rows of one dataset add up however near they
 * stand, statuses are left alone, numbers stay numbers. `compat: strict`, a key of ours, asks for its quirks as well.
 */
export function csvEnricherRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(Config, config, locate)
  const isStrict = read.compat === 'strict'
  if (read.delimiter === read.array_delimiter) {
    throw new DecodeError('the delimiter of cells is also that of items', locate(['array_delimiter']), {
      remedy: 'take another character for one of them',
    })
  }
  // The original compares with OVERRIDE only, so that anything else patches.
  const overrides = read.write_semantics === 'OVERRIDE' || (!isStrict && read.write_semantics === 'override')
  return {
    job: 'import-csv',
    input: {
      file: [read.filename],
      mode: overrides ? 'override' : 'patch',
      delimiter: read.delimiter,
      arrayDelimiter: read.array_delimiter,
      columns: read.structured_properties ?? {},
      missing: 'create',
      unknownColumns: 'ignore',
      maxRemovals: 1,
      ...(isStrict ? { compat: 'strict' } : {}),
    },
    notes: isStrict
      ? ['compat: strict: done as csv-enricher does it, but that no rows are lost and no status is written']
      : [
          ...(overrides ? ['OVERRIDE replaces what cells name; an empty cell clears nothing'] : []),
          'bare names, blanks between items and values of other types are understood, where csv-enricher drops them; compat: strict does as it does',
        ],
  }
}
