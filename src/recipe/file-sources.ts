import { Type } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import type { JobRequest } from './job-request.ts'

const optional = Type.Optional

const FileConfig = Type.Object(
  {
    path: optional(Type.String({ minLength: 1 })),
    filename: optional(Type.String({ minLength: 1 })),
    file_extension: optional(Type.String()),
    read_mode: optional(Type.Unknown()),
    aspect: optional(Type.Union([Type.String(), Type.Null()])),
    count_all_before_starting: optional(Type.Unknown()),
  },
  { additionalProperties: false },
)

const LineageConfig = Type.Object(
  { file: Type.String({ minLength: 1 }), preserve_upstream: Type.Boolean({ default: true }) },
  { additionalProperties: false },
)

/** A `file` source: MCPs and MCEs as the file sink writes them, of one file or of all files in a folder. */
export function fileRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(FileConfig, config, locate)
  const path = read.path ?? read.filename
  if (path === undefined) throw new DecodeError('missing key "path"', locate([]))
  if (typeof read.aspect === 'string') {
    throw new DecodeError('one aspect alone is not picked out', locate(['aspect']), {
      remedy: 'take the key out, or pick the records out of the file beforehand',
    })
  }
  return {
    job: 'import-metadata',
    // What the neighbours' sink wrote is written over what is there, like there.
    input: { file: [path], format: 'mcp', maxRemovals: 1 },
    notes:
      read.file_extension === undefined || read.file_extension === '.json'
        ? []
        : ['of a folder all .json, .jsonl and .ndjson files are read, also packed'],
  }
}

/** A `datahub-lineage-file` source. */
export function lineageFileRun(config: Readonly<Record<string, unknown>>, file: string): JobRequest {
  const locate = (path: readonly string[]) => ({ file, path: ['source', 'config', ...path].join('.') })
  const read = decode(LineageConfig, config, locate)
  return {
    job: 'import-metadata',
    input: { file: [read.file], format: 'lineage', preserveUpstream: read.preserve_upstream, maxRemovals: 1 },
    notes: [],
  }
}
