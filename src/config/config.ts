/**
 * The configuration as the program uses it: files, environment and flags put together once, checked, and frozen.
 * Flags come before the environment, the environment before the files, the files before the safe values.
 */
import type { Secret } from '../model/secret.ts'
import type { HeadwaterFile } from './headwater-file.ts'
import type { ScheduleEntry } from './schedules-file.ts'

export interface Config {
  /** Folder that the configuration was looked for in; it need not exist. */
  readonly configFolder: string
  /** Folder of all state, absolute. */
  readonly dataFolder: string
  readonly catalog: HeadwaterFile['catalog']
  readonly console: HeadwaterFile['console']
  readonly connections: Readonly<Record<string, ConnectionConfig>>
  readonly emitter: HeadwaterFile['emitter']
  readonly worker: HeadwaterFile['worker']
  /** How long what has ended is kept. */
  readonly keep: HeadwaterFile['keep']
  /** Receivers of notices by name. */
  readonly webhooks: Readonly<Record<string, WebhookConfig>>
  /** Modules with further jobs: package names or absolute paths. */
  readonly jobModules: readonly string[]
  readonly log: HeadwaterFile['log']
  readonly schedules: readonly ScheduleEntry[]
  /** PostgreSQL by URL instead of the embedded one. */
  readonly databaseUrl: Secret | undefined
  /** Queue by URL instead of the database. */
  readonly queueUrl: Secret | undefined
  /** Token that the catalog asks for. */
  readonly token: Secret | undefined
  /** Where each value came from, by dotted key; a key that is not listed has its safe value. */
  readonly origins: Readonly<Record<string, string>>
}

export interface WebhookConfig {
  readonly urlEnv: string
  /** Undefined where the variable is not set. */
  readonly url: Secret | undefined
  readonly secret: Secret | undefined
  readonly on: HeadwaterFile['webhooks'][string]['on']
  readonly lateMinutes: number
  readonly foldMinutes: number
}

export interface ConnectionConfig {
  readonly url: string
  readonly tokenEnv: string
  readonly token: Secret | undefined
  readonly timeoutSeconds: number
  readonly caFile?: string
  readonly certFile?: string
  readonly keyFile?: string
}

/** What the command line may set; absent means not given. */
export interface ConfigFlags {
  readonly data?: string | undefined
  readonly config?: string | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly consoleHost?: string | undefined
  readonly consolePort?: number | undefined
  readonly logLevel?: string | undefined
}
