/** The flags that `lineage parse`, `diff` and others share, decoded once. */
import type { Command } from 'commander'
import { DIALECTS, type LineageOptions } from '../../sql/index.ts'
import { schemaFromTables } from '../../sql/eval/schema.ts'
import { PROFILES, readDialect, readProfile } from './names.ts'
import { readSchemaFile } from './schema-file.ts'

export interface EngineFlags {
  readonly dialect?: string
  readonly profile?: string
  readonly schema?: readonly string[]
  readonly defaultDb?: string
  readonly defaultSchema?: string
}

export function addEngineFlags(command: Command): Command {
  return command
    .option('--dialect <name>', `SQL dialect: ${DIALECTS.join(', ')} (default ansi)`)
    .option('--profile <name>', `rules for summing statements: ${PROFILES.join(', ')} (default datahub)`)
    .option('--schema <file...>', 'known columns: DDL, JSON {table: [columns]}, dbt manifest.json or catalog.json')
    .option('--default-db <name>', 'database of names that do not say one')
    .option('--default-schema <name>', 'schema of names that do not say one')
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
  }
}
