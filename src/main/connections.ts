import { readFileSync } from 'node:fs'
import { CatalogClient, type CatalogConnection } from '../client/catalog-client.ts'
import type { Config } from '../config/config.ts'
import { HeadwaterError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'
import type { Secret } from '../model/secret.ts'
import type { Closable } from '../observe/resources.ts'

/** A connection was asked for by a name that the configuration does not have. */
export class UnknownConnectionError extends HeadwaterError {
  readonly code = 'UNKNOWN_CONNECTION'
  readonly connection: string

  constructor(name: string, known: readonly string[]) {
    super(`there is no connection ${JSON.stringify(name)}${didYouMean(name, known)}`, {
      remedy:
        known.length === 0 ? 'name it under connections: in config/headwater.yaml' : `known are ${known.join(', ')}`,
    })
    this.connection = name
  }
}

/** Where a run's writes go: a named connection, an address, or (neither) our own catalog. */
export interface Destination {
  /** `--to NAME` */
  readonly to?: string | undefined
  /** `--catalog URL`; its token comes from DATAHUB_GMS_TOKEN. */
  readonly catalog?: string | undefined
}

export interface OwnCatalog {
  readonly url: string
  readonly token: Secret | undefined
}

/** Clients of every catalog that this process talks to, opened when first asked for. */
export class CatalogClients implements Closable {
  readonly #config: Config
  readonly #own: OwnCatalog
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #clients = new Map<string, CatalogClient>()

  constructor(config: Config, own: OwnCatalog, environment: Readonly<Record<string, string | undefined>>) {
    this.#config = config
    this.#own = own
    this.#environment = environment
  }

  /** @throws UnknownConnectionError */
  client({ to, catalog }: Destination = {}): CatalogClient {
    const key = JSON.stringify([to, catalog])
    const client = this.#clients.get(key) ?? new CatalogClient(this.#resolve({ to, catalog }))
    this.#clients.set(key, client)
    return client
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()))
    this.#clients.clear()
  }

  #resolve({ to, catalog }: Destination): CatalogConnection {
    if (catalog !== undefined) return { url: catalog, token: this.#environment['DATAHUB_GMS_TOKEN'] }
    if (to === undefined) return { url: this.#own.url, token: this.#own.token?.reveal() }
    const named = this.#config.connections[to]
    if (named === undefined) throw new UnknownConnectionError(to, Object.keys(this.#config.connections))
    const { url, token, timeoutSeconds, caFile } = named
    return {
      url,
      token: token?.reveal(),
      timeoutMs: timeoutSeconds * 1000,
      ...(caFile === undefined ? {} : { tls: { ca: readFileSync(caFile, 'utf8') } }),
    }
  }
}
