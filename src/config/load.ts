import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Type, type Static, type TSchema } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import { Secret } from '../model/secret.ts'
import { decodeYaml } from '../model/yaml.ts'
import type { Config, ConfigFlags, ConnectionConfig, WebhookConfig } from './config.ts'
import { HeadwaterFile } from './headwater-file.ts'
import { Origins } from './origins.ts'
import { SchedulesFile } from './schedules-file.ts'

/** Names of the environment variables that are read, with what each sets. */
export const ENVIRONMENT = {
  HEADWATER_HOME: 'folder of all state',
  HEADWATER_CONFIG: 'folder of the configuration files',
  HEADWATER_TOKEN: 'token that the catalog asks for',
  HEADWATER_LOG_LEVEL: 'least level that is logged',
  DATABASE_URL: 'PostgreSQL 14 or newer, instead of the embedded one',
  QUEUE_URL: 'queue at redis://, rediss:// or postgres://, instead of the database',
} as const
type EnvironmentName = keyof typeof ENVIRONMENT
export type Environment = Readonly<Record<string, string | undefined>>

export interface LoadOptions {
  readonly workingFolder: string
  readonly environment: Environment
  readonly flags: ConfigFlags
}

/**
 * Reads `headwater.yaml` and `schedules.yaml` of the configuration folder (`--config`, HEADWATER_CONFIG, `./config`);
 * a missing file means the safe values.
 * @throws DecodeError with file, line and column of what is wrong
 */
export function loadConfig({ workingFolder, environment, flags }: LoadOptions): Config {
  const origins = new Origins()
  const configFolder = findConfigFolder(workingFolder, environment, flags)
  const file = readConfigFile(HeadwaterFile, join(configFolder, 'headwater.yaml'), origins)
  const schedulesPath = join(configFolder, 'schedules.yaml')
  const { schedules } = readConfigFile(SchedulesFile, schedulesPath)
  checkUniqueIds(schedules, schedulesPath)

  return deepFreeze({
    configFolder,
    dataFolder: findDataFolder(workingFolder, environment, flags, dirname(configFolder), file, origins),
    catalog: {
      host: origins.pick('catalog.host', [['--host', flags.host]], file.catalog.host),
      port: origins.pick('catalog.port', [['--port', flags.port]], file.catalog.port),
      graphEdges: file.catalog.graphEdges,
    },
    console: {
      host: origins.pick('console.host', [['--console-host', flags.consoleHost]], file.console.host),
      port: findConsolePort(flags, file, origins),
    },
    connections: Object.fromEntries(
      Object.entries(file.connections).map(([name, entry]) => [name, connectionOf(entry, environment)]),
    ),
    emitter: file.emitter,
    worker: file.worker,
    keep: file.keep,
    webhooks: Object.fromEntries(
      Object.entries(file.webhooks).map(([name, entry]) => [name, webhookOf(entry, environment)]),
    ),
    jobModules: file.jobs.map((path) => (/^[./]/.test(path) ? resolve(configFolder, path) : path)),
    log: { level: findLogLevel(environment, flags, file, origins) },
    schedules,
    databaseUrl: findDatabaseUrl(environment, origins),
    queueUrl: findSecret('queueUrl', environment, 'QUEUE_URL', origins),
    token: findSecret('token', environment, 'HEADWATER_TOKEN', origins),
    origins: origins.byKey,
  })
}

function findConfigFolder(workingFolder: string, environment: Environment, flags: ConfigFlags): string {
  const named = flags.config ?? variable(environment, 'HEADWATER_CONFIG')
  const folder = resolve(workingFolder, named ?? 'config')
  if (named !== undefined && !existsSync(folder)) {
    throw new DecodeError(
      'this configuration folder does not exist',
      { file: folder },
      { remedy: '`headwater init` writes one; without --config and HEADWATER_CONFIG the safe values hold' },
    )
  }
  return folder
}

function findDataFolder(
  workingFolder: string,
  environment: Environment,
  flags: ConfigFlags,
  fileBase: string,
  file: HeadwaterFile,
  origins: Origins,
): string {
  const home = variable(environment, 'HEADWATER_HOME')
  return origins.pick(
    'data',
    [
      ['--data', flags.data === undefined ? undefined : resolve(workingFolder, flags.data)],
      ['HEADWATER_HOME', home === undefined ? undefined : resolve(workingFolder, home)],
    ],
    file.data === undefined ? resolve(workingFolder, '.headwater') : resolve(fileBase, file.data),
  )
}

/** Whoever takes a free port for the catalog does not want a fixed one for the console. */
function findConsolePort(flags: ConfigFlags, file: HeadwaterFile, origins: Origins): number {
  const named = origins.byKey['console.port'] !== undefined
  return origins.pick(
    'console.port',
    [
      ['--console-port', flags.consolePort],
      ['--port', flags.port === 0 && !named ? 0 : undefined],
    ],
    file.console.port,
  )
}

function findLogLevel(
  environment: Environment,
  flags: ConfigFlags,
  file: HeadwaterFile,
  origins: Origins,
): HeadwaterFile['log']['level'] {
  const schema = HeadwaterFile.properties.log.properties.level
  const checked = (level: string | undefined, path: string) =>
    level === undefined ? undefined : decode(schema, level, () => ({ path }))
  return origins.pick(
    'log.level',
    [
      ['--log-level', checked(flags.logLevel, '--log-level')],
      ['HEADWATER_LOG_LEVEL', checked(variable(environment, 'HEADWATER_LOG_LEVEL'), 'HEADWATER_LOG_LEVEL')],
    ],
    file.log.level,
  )
}

function findSecret(
  key: string,
  environment: Environment,
  name: EnvironmentName,
  origins: Origins,
): Secret | undefined {
  const value = variable(environment, name)
  return origins.pick(key, [[name, value === undefined ? undefined : new Secret(value)]], undefined)
}

function findDatabaseUrl(environment: Environment, origins: Origins): Secret | undefined {
  const url = findSecret('databaseUrl', environment, 'DATABASE_URL', origins)
  if (url === undefined || /^postgres(ql)?:\/\//.test(url.reveal())) return url
  throw new DecodeError(
    'this is not the address of a PostgreSQL',
    { path: 'DATABASE_URL' },
    { remedy: 'it reads postgres://USER:PASSWORD@HOST:5432/DATABASE' },
  )
}

function readConfigFile<S extends TSchema>(schema: S, path: string, origins?: Origins): Static<S> {
  if (!existsSync(path)) return decode(schema, {})
  const text = readText(path)
  const value = decodeYaml(schema, text, path)
  origins?.noteFile(decodeYaml(Type.Unknown(), text, path), path)
  return value
}

function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (cause) {
    throw new DecodeError(
      'cannot be read as UTF-8 text',
      { file: path },
      { cause, remedy: 'check the rights of the file, and save it as UTF-8' },
    )
  }
}

function checkUniqueIds(schedules: SchedulesFile['schedules'], file: string): void {
  const seen = new Set<string>()
  for (const [index, { id }] of schedules.entries()) {
    if (seen.has(id)) {
      throw new DecodeError(
        `two schedules have the id ${JSON.stringify(id)}`,
        { file, path: `schedules.${index}.id` },
        { remedy: 'give each schedule an id of its own' },
      )
    }
    seen.add(id)
  }
}

/** A variable's value; empty means not set, as in most shells' use. */
function variable(environment: Environment, name: string): string | undefined {
  const value = environment[name]
  return value === '' ? undefined : value
}

function connectionOf(entry: HeadwaterFile['connections'][string], environment: Environment): ConnectionConfig {
  return { ...entry, token: secretIn(environment, entry.tokenEnv) }
}

function webhookOf(entry: HeadwaterFile['webhooks'][string], environment: Environment): WebhookConfig {
  const { urlEnv, secretEnv, ...rest } = entry
  return {
    ...rest,
    urlEnv,
    url: secretIn(environment, urlEnv),
    secret: secretEnv === undefined ? undefined : secretIn(environment, secretEnv),
  }
}

function secretIn(environment: Environment, name: string): Secret | undefined {
  const value = variable(environment, name)
  return value === undefined ? undefined : new Secret(value)
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Secret || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
