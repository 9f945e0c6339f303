import { createCatalog, type Catalog } from '../../src/catalog/catalog.ts'
import { startCatalogServer } from '../../src/http/server.ts'
import { systemClock, type Clock } from '../../src/observe/clock.ts'
import { randomIds } from '../../src/observe/ids.ts'
import { silentLogger, type Logger } from '../../src/observe/logger.ts'
import { Resources } from '../../src/observe/resources.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { fetchDescription, type OpenapiDescription } from './openapi-description.ts'
import { testDatabase } from './embedded.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; null where it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  readonly json: any
}

/** A running catalog with a database of its own, and the few calls that tests make again and again. */
export interface TestCatalog extends AsyncDisposable {
  readonly url: string
  readonly catalog: Catalog
  readonly database: Database
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Runs a document; fails the test where there are errors. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
  gql(query: string, variables?: object): Promise<any>
  /** Writes aspects by proposals, creating their entities. */
  put(urn: string, aspects: Readonly<Record<string, object>>): Promise<void>
  aspect(urn: string, name: string, version?: number): Promise<Answer>
  /** Another catalog on the same database, with connections of its own, as another process would have. */
  replica(): Catalog
}

export async function testCatalog(
  options: { readonly token?: string; readonly clock?: Clock; readonly logger?: Logger } = {},
): Promise<TestCatalog> {
  const server = await testDatabase()
  const logger = options.logger ?? silentLogger()
  const database = openDatabase(server.address, { max: 8, applicationName: 'test', logger })
  await migrate(database)
  const catalog = createCatalog({ database, clock: options.clock ?? systemClock, ids: randomIds, logger })
  const http = await startCatalogServer({ catalog, host: '127.0.0.1', port: 0, token: options.token, logger })

  const replicas = new Resources()
  function replica(): Catalog {
    const own = replicas.use(openDatabase(server.address, { max: 8, applicationName: 'replica', logger }))
    return replicas.use(createCatalog({ database: own, clock: options.clock ?? systemClock, ids: randomIds, logger }))
  }

  // Every answer that a test sees is held to the description that the catalog gives of itself.
  let description: Promise<OpenapiDescription> | undefined
  const documented = () => (description ??= fetchDescription(http.url, options.token))

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(http.url + path, {
      method,
      ...sent,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await response.text()
    const breach = (await documented()).breachOf(method, path, {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      text,
    })
    if (breach !== undefined) throw new Error(`${method} ${path} is not as openapi.json says: ${breach}\n${text}`)
    let json: unknown = null
    try {
      json = JSON.parse(text)
    } catch {
      // An empty body, or the plain text of some answers.
    }
    return { status: response.status, headers: response.headers, text, json }
  }

  return {
    url: http.url,
    catalog,
    database,
    call,
    replica,
    async gql(query, variables = {}) {
      const { json } = await call('POST', '/api/graphql', { query, variables })
      if (json?.errors !== undefined) throw new Error(JSON.stringify(json.errors))
      return json.data
    },
    async put(urn, aspects) {
      const proposals = Object.entries(aspects).map(([aspectName, value]) => proposalOf(urn, aspectName, value))
      const answer = await call('POST', '/aspects?action=ingestProposalBatch', { proposals })
      if (answer.status !== 200) throw new Error(answer.text)
    },
    aspect: (urn, name, version = 0) =>
      call('GET', `/aspects/${encodeURIComponent(urn)}?aspect=${name}&version=${version}`),
    async [Symbol.asyncDispose]() {
      await http.close()
      await replicas.close()
      await catalog.close()
      await database.close()
      await server.close()
    },
  }
}

/** A proposal as it goes over the wire. */
export function proposalOf(urn: string, aspectName: string, value: object, more: object = {}) {
  return {
    entityType: urn.split(':')[2],
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { contentType: 'application/json', value: JSON.stringify(value) },
    ...more,
  }
}

export const hive = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`
export const column = (dataset: string, path: string): string => `urn:li:schemaField:(${dataset},${path})`
