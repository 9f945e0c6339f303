import type { Config } from '../config/config.ts'
import type { OwnCatalog } from './connections.ts'
import { readInstance } from './instance-file.ts'

/** Where our own catalog is to be found: the instance that serves this data folder, else the configured address. */
export function ownCatalog(config: Config): OwnCatalog {
  const host = config.catalog.host === '0.0.0.0' ? '127.0.0.1' : config.catalog.host
  const url = readInstance(config.dataFolder)?.catalogUrl ?? `http://${host}:${config.catalog.port}`
  return { url, token: config.token }
}
