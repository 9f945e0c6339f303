/** The flags that `lineage parse`, `diff` and others share, decoded once. */
import type { Command } from 'commander'
import { definedVariables, DIALECTS, type LineageOptions } from '../../sql/index.ts'
import { schemaFromTables } from '../../sql/eval/schema.ts'
import { UsageError } from '../exit-codes.ts'
import { PROFILES, readDialect, readProfile } from './names.ts'
import { readSchemaFile } from './schema-file.ts'
import type { SqlText } from './sources.ts'

export interface EngineFlags {
  readonly dialect?: string
  readonly profile?: string
  readonly schema?: readonly string[]
  readonly defaultDb?: string
  readonly defaultSchema?: string
  readonly var?: readonly string[]
}

export function addEngineFlags(command: Command): Command {
  return command
    .option('--dialect <name>', `SQL dialect: ${DIALECTS.join(', ')} (default ansi)`)
    .option('--profile <name>', `rules for summing statements: ${PROFILES.join(', ')} (default datahub)`)
    .option('--schema <file...>', 'known columns: DDL, JSON {table: [columns]}, dbt manifest.json or catalog.json')
    .option('--default-db <name>', 'database of names that do not say one')
    .option('--default-schema <name>', 'schema of names that do not say one')
    .option('--var <name=value...>', 'values of variables: ${x}, &x, $(x), :x of a client, var() of a template')
}

/** @throws UsageError for an unknown dialect or profile; DecodeError for a schema file that cannot be read */
export function engineOptions(flags: EngineFlags): LineageOptions {
  const tables = Object.assign({}, ...(flags.schema ?? []).map((file) => readSchemaFile(file, flags.dialect)))
  return {
    dialect: readDialect(flags.dialect ?? 'ansi'),
    profile: readProfile(flags.profile ?? 'datahub'),
    ...(flags.schema === undefined ? {} : { schema: schemaFromTables(tables) }),
    ...(flags.defaultDb === undefined ? {} : { defaultDatabase: flags.defaultDb }),
    ...(flags.defaultSchema === undefined ? {} : { defaultSchema: flags.defaultSchema }),
    ...(flags.var === undefined ? {} : { variables: Object.fromEntries(flags.var.map(assignment)) }),
  }
}

function assignment(written: string): [string, string] {
  const at = written.indexOf('=')
  if (at > 0) return [written.slice(0, at), written.slice(at + 1)]
  throw new UsageError(`--var ${JSON.stringify(written)} is not NAME=VALUE`, { remedy: '--var schema=mart env=prod' })
}

/** What the scripts define for one another, below what the user gave. */
export function withSharedVariables(texts: readonly SqlText[], options: LineageOptions): LineageOptions {
  if (texts.length < 2) return options
  const shared = definedVariables(
    texts.map(({ sql }) => sql),
    options.dialect ?? 'ansi',
  )
  return { ...options, variables: { ...shared, ...options.variables } }
}
