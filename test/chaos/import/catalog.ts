/** A catalog in a process of its own, to be killed: database address and port as its one argument, JSON. */
import { once } from 'node:events'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { startCatalogServer } from '../../../src/http/server.ts'
import type { DatabaseAddress } from '../../../src/model/database-address.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { randomIds } from '../../../src/observe/ids.ts'
import { createLogger } from '../../../src/observe/logger.ts'
import { Resources } from '../../../src/observe/resources.ts'
import { openDatabase } from '../../../src/store/database.ts'

export interface CatalogArguments {
  readonly address: DatabaseAddress
  readonly port: number
}

const { address, port } = JSON.parse(process.argv[2] ?? '{}') as CatalogArguments
const logger = createLogger({ level: 'silent' })
const resources = new Resources()
const database = resources.use(openDatabase(address, { max: 12, applicationName: 'catalog', logger }))
const catalog = resources.use(createCatalog({ database, clock: systemClock, ids: randomIds, logger }))
resources.use(await startCatalogServer({ catalog, host: '127.0.0.1', port, logger }))
process.stdout.write('ready\n')
await once(process, 'SIGTERM')
await resources.close()
