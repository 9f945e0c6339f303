import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CatalogClient, type CatalogConnection } from '../client/catalog-client.ts'
import { FileSink } from '../client/file-sink.ts'
import type { OnWait, RetryPolicy } from '../client/retry.ts'
import type { SinkLimits } from '../client/sink.ts'
import type { Config, ConnectionConfig } from '../config/config.ts'
import { DecodeError, HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import type { Secret } from '../model/secret.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Closable } from '../observe/resources.ts'
import type { Connections } from '../runner/define-job.ts'

/** A connection was asked for by a name that the configuration does not have. */
export class UnknownConnectionError extends HeadwaterError {
  readonly code = 'UNKNOWN_CONNECTION'
  override readonly badInput = true
  readonly connection: string

  constructor(name: string, known: readonly string[]) {
    super(`there is no connection ${JSON.stringify(name)}${didYouMean(name, known)}`, {
      remedy:
        known.length === 0 ? 'name it under connections: in config/headwater.yaml' : `known are ${known.join(', ')}`,
    })
    this.connection = name
  }
}

export interface OwnCatalog {
  readonly url: string
  readonly token: Secret | undefined
  /** Tells others where the console of the instance is; absent where this process does not own it. */
  readonly announce?: (consoleUrl: string) => void
}

/**
 * Clients of every catalog that this process talks to, opened when first asked for. A target is a URL (its token comes
 * from DATAHUB_GMS_TOKEN), the name of a connection of the configuration, or absent: our own catalog.
 */
export class CatalogClients implements Closable {
  readonly #config: Config
  readonly #own: OwnCatalog
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #retry: RetryPolicy | undefined
  readonly #metrics: Metrics | undefined
  readonly #alone: Readonly<Record<string, CatalogConnection>>
  readonly #clients = new Map<string | undefined, CatalogClient>()
  readonly #files = new Map<string, FileSink>()

  /** @param options.retry the clients' patience; that of a job when absent */
  constructor(
    config: Config,
    own: OwnCatalog,
    environment: Readonly<Record<string, string | undefined>>,
    options: {
      readonly retry?: RetryPolicy | undefined
      readonly metrics?: Metrics | undefined
      /** By URL: connections that this process alone knows, for example of a recipe. */
      readonly connections?: Readonly<Record<string, CatalogConnection>> | undefined
    } = {},
  ) {
    this.#config = config
    this.#own = own
    this.#environment = environment
    this.#retry = options.retry
    this.#metrics = options.metrics
    this.#alone = options.connections ?? {}
  }

  /** @throws UnknownConnectionError */
  client(target?: string): CatalogClient {
    const client =
      this.#clients.get(target) ??
      new CatalogClient(this.#measured(this.#resolve(target)), {
        ...(this.#retry === undefined ? {} : { retry: this.#retry }),
        limits: limitsOf(this.#config.emitter),
      })
    this.#clients.set(target, client)
    return client
  }

  /** The catalog of a target, or the file that a `file:` URL names. @throws UnknownConnectionError */
  sink(target?: string): CatalogClient | FileSink {
    if (target?.startsWith('file:') !== true) return this.client(target)
    const sink = this.#files.get(target) ?? new FileSink(fileURLToPath(target), { layout: 'list' })
    this.#files.set(target, sink)
    return sink
  }

  /**
   * The catalogs of one run.
   * @param onWait told of what their calls wait for
   */
  ofRun(target: string | undefined, onWait: OnWait): Required<Connections> {
    const told = new Map<CatalogClient, CatalogClient>()
    const telling = (client: CatalogClient): CatalogClient => {
      const known = told.get(client) ?? client.telling(onWait)
      told.set(client, known)
      return known
    }
    return {
      catalog: (name) => telling(this.client(name ?? target)),
      sink: () => {
        const sink = this.sink(target)
        return sink instanceof CatalogClient ? telling(sink) : sink
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values(), ...this.#files.values()].map((sink) => sink.close()))
    this.#clients.clear()
    this.#files.clear()
  }

  #measured(connection: CatalogConnection): CatalogConnection {
    const metrics = this.#metrics
    if (metrics === undefined) return connection
    return {
      ...connection,
      observe: ({ method, status, seconds }) =>
        metrics.catalogSeconds.observe({ method, status: `${status}` }, seconds),
    }
  }

  #resolve(target: string | undefined): CatalogConnection {
    if (target === undefined) return { url: this.#own.url, token: this.#own.token?.reveal() }
    const alone = this.#alone[target]
    if (alone !== undefined) return alone
    if (/^https?:\/\//.test(target)) return { url: target, token: this.#environment['DATAHUB_GMS_TOKEN'] }
    const named = this.#config.connections[target]
    if (named === undefined) throw new UnknownConnectionError(target, Object.keys(this.#config.connections))
    const { url, token, timeoutSeconds } = named
    return {
      url,
      token: token?.reveal(),
      timeoutMs: timeoutSeconds * 1000,
      ...tlsOf(named, target),
    }
  }
}

/** @throws DecodeError where a file cannot be read, or the key stands there alone */
function tlsOf(
  { caFile, certFile, keyFile = certFile }: ConnectionConfig,
  name: string,
): Pick<CatalogConnection, 'tls'> {
  if (keyFile !== undefined && certFile === undefined) {
    throw new DecodeError('keyFile is of no use without certFile', { path: `connections.${name}.keyFile` })
  }
  const tls = {
    ...(caFile === undefined ? {} : { ca: pemOf(caFile, `connections.${name}.caFile`) }),
    ...(certFile === undefined ? {} : { cert: pemOf(certFile, `connections.${name}.certFile`) }),
    ...(keyFile === undefined ? {} : { key: pemOf(keyFile, `connections.${name}.keyFile`) }),
  }
  return Object.keys(tls).length === 0 ? {} : { tls }
}

function pemOf(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new DecodeError(`cannot read ${file}`, { path }, { cause, remedy: 'check the path and the rights to it' })
  }
}

function limitsOf({ batchCount, batchBytes, maxConcurrency, deadlineSeconds }: Config['emitter']): SinkLimits {
  return {
    maxBatch: batchCount,
    maxBatchBytes: batchBytes,
    maxConcurrency,
    deadlineMs: deadlineSeconds * 1000,
  }
}
