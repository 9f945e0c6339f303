import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCatalog, type Catalog } from '../../src/catalog/catalog.ts'
import { buildServer } from '../../src/http/server.ts'
import { isJsonObject } from '../../src/model/json.ts'
import { asUrn, entityTypeOf, type Urn } from '../../src/model/urn.ts'
import { systemClock } from '../../src/observe/clock.ts'
import { randomIds } from '../../src/observe/ids.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { openDatabase, type Database } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabase } from '../support/embedded.ts'
import { EXEMPT, ORDERS, WORLD } from './recordings-world.ts'

/**
 * Sends every request that DataHub's own clients were recorded with, scenario by scenario, to a fresh catalog. What the
 * recording's server held is written beforehand, as far as the needed answers tell. Our answer must have the needed
 * status and, member by member, the needed shape.
 */
interface Line {
  readonly scenario: string
  readonly step: number
  readonly request?: {
    readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
    readonly path: string
    readonly query: string | null
    readonly body: unknown
  }
  readonly response_needed: { readonly status: number; readonly body: unknown }
}

const FOLDER = join(import.meta.dirname, 'recordings')
let database: Database
let closeServer: () => Promise<void>

beforeAll(async () => {
  const server = await testDatabase()
  closeServer = () => server.close()
  database = openDatabase(server.address, { max: 8, applicationName: 'test', logger: silentLogger() })
  await migrate(database)
})
afterAll(async () => {
  await database.close()
  await closeServer()
})

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson') && name !== 'patch-results.ndjson')) {
  const lines = readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const scenarios = Map.groupBy(
    lines.filter((line) => line.request !== undefined && line.request !== null),
    (line) => line.scenario,
  )
  describe(`recorded: ${file}`, () => {
    for (const [scenario, steps] of scenarios) {
      if (scenario in EXEMPT) continue
      test(`answers ${scenario}`, async () => {
        expect(await replay(steps)).toEqual([])
      })
    }
  })
}

/** @returns what is missing in our answers */
async function replay(steps: readonly Line[]): Promise<readonly string[]> {
  await database.execute(
    'truncate catalog.entity, catalog.aspect, catalog.aspect_history, catalog.lineage_edge, catalog.relationship',
  )
  const catalog = createCatalog({ database, clock: systemClock, ids: randomIds, logger: silentLogger() })
  const app = buildServer({ catalog, logger: silentLogger() })
  try {
    await seed(catalog, steps)
    const faults: string[] = []
    for (const step of steps) faults.push(...(await compare(app, step)))
    return faults
  } finally {
    await app.close()
    await catalog.close()
  }
}

async function compare(
  app: FastifyInstance,
  { request, response_needed: needed, step }: Line,
): Promise<readonly string[]> {
  if (request === undefined) return []
  const answer = await app.inject({
    method: request.method,
    url: request.path + (request.query ? `?${request.query}` : ''),
    headers: { 'content-type': 'application/json', host: 'localhost' },
    ...(request.body === null || request.body === undefined ? {} : { payload: JSON.stringify(uncut(request.body)) }),
  })
  const where = `step ${step} ${request.method} ${request.path} ${request.query ?? ''}: `
  const shown = answer.body.slice(0, 500)
  if (statusClass(answer.statusCode) !== statusClass(needed.status)) {
    return [`${where}${answer.statusCode} for ${needed.status}: ${shown}`]
  }
  if (needed.status >= 400 || typeof needed.body !== 'object') return []
  // Clients need one member of /config only; the recordings show the whole page of their server (contract §1.1).
  const body = request.path.endsWith('/config') ? { noCode: 'true' } : needed.body
  return missing(body, parse(answer.body), '').map((path) => `${where}no ${path} in ${shown}`)
}

/** Long lists were cut in the recordings: a text among objects says how many are left out. */
function uncut(body: unknown): unknown {
  if (Array.isArray(body)) {
    const objects = body.filter(isJsonObject)
    return (objects.length > 0 ? objects : body).map(uncut)
  }
  if (!isJsonObject(body)) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, uncut(value)]))
}

/** 200 and 202 are the same to clients; refusals are told apart where clients do. */
function statusClass(status: number): string {
  if (status < 300) return 'success'
  return status === 404 ? 'absent' : status < 500 ? 'refused' : 'failed'
}

/** Paths of what is needed and not there, or there with another type. */
function missing(needed: unknown, given: unknown, path: string): readonly string[] {
  if (needed === null || needed === undefined) return []
  if (Array.isArray(needed)) {
    if (!Array.isArray(given)) return [path]
    return needed.length === 0 ? [] : given.length === 0 ? [`${path}/*`] : missing(needed[0], given[0], `${path}/*`)
  }
  if (isJsonObject(needed)) {
    if (!isJsonObject(given)) return [path]
    return Object.entries(needed).flatMap(([name, value]) => missing(value, given[name], `${path}/${name}`))
  }
  return typeof given === typeof needed ? [] : [path]
}

/** Writes the world that the recording's server held, without what a scenario expects to be absent or makes itself. */
async function seed(catalog: Catalog, steps: readonly Line[]): Promise<void> {
  const absent = new Set<string>()
  for (const { request, response_needed: needed } of steps) {
    const path = decodeURIComponent(request?.path ?? '')
    if (path.startsWith('/aspects/') && needed.status === 404) {
      const name = new URLSearchParams(request?.query ?? '').get('aspect') ?? ''
      absent.add(name.endsWith('Key') ? path.slice('/aspects/'.length) : `${path.slice('/aspects/'.length)} ${name}`)
    }
    const body = JSON.stringify(request?.body ?? '')
    const answer = JSON.stringify(needed.body ?? '')
    if (body.includes('createTag') && !answer.includes('exists')) absent.add('urn:li:tag:pii')
    if (/"changeType":"CREATE/.test(body) && needed.status < 300) {
      for (const urn of body.matchAll(/"entityUrn":"([^"]+)"/g)) absent.add(urn[1] ?? '')
    }
    if (
      body.includes('"aspectName":"propertyDefinition","changeType":"UPSERT"') ||
      /"changeType":"UPSERT","aspectName":"propertyDefinition"/.test(body)
    ) {
      for (const urn of body.matchAll(/"entityUrn":"([^"]+)"/g)) absent.add(urn[1] ?? '')
      absent.add(`${ORDERS} structuredProperties`)
    }
    if (body.includes('"If-Version-Match":"-1"')) absent.add(`${ORDERS} globalTags`)
  }
  const proposals = WORLD.filter(([urn, aspect]) => !absent.has(urn) && !absent.has(`${urn} ${aspect}`)).map(
    ([urn, aspectName, aspect]) => ({
      entityType: entityTypeOf(urn as Urn),
      entityUrn: asUrn(urn),
      changeType: 'UPSERT' as const,
      aspectName,
      aspect,
      systemMetadata: { runId: 'seed', lastObserved: 1 },
    }),
  )
  await catalog.ingest(proposals, asUrn('urn:li:corpuser:datahub'))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
