/** The catalog's description of itself: complete, and served without the network. Its truth is held by `call` of every test. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildServer } from '../../src/http/server.ts'
import { silentLogger } from '../../src/observe/logger.ts'
import { testCatalog, type TestCatalog } from '../support/catalog.ts'
import { fetchDescription } from '../support/openapi-description.ts'

const TOKEN = 'a-token-for-this-test'
const PAGE = '/openapi/swagger-ui'

let c: TestCatalog
beforeAll(async () => {
  c = await testCatalog({ token: TOKEN })
})
afterAll(() => c[Symbol.asyncDispose]())

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`me:${password}`).toString('base64')}` })

describe('openapi.json', () => {
  test('has every route of the service with a summary and its answers, and no other', async () => {
    const { paths } = await fetchDescription(c.url, TOKEN)
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const app = buildServer({ catalog: c.catalog, token: TOKEN, logger: silentLogger() })
    const routes: string[] = []
    app.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push(`${one} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    })
    await app.ready()
    await app.close()
    const own = routes.filter((route) => !route.startsWith('HEAD ') && !route.includes(PAGE))
    expect(described.toSorted()).toEqual([...new Set(own)].toSorted())
    for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      expect(operation.tags).toHaveLength(1)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([expect.stringMatching(/^2/), '4XX']))
    }
  })

  test('a false description would be noticed', async () => {
    const { breachOf } = await fetchDescription(c.url, TOKEN)
    const json = { contentType: 'application/json; charset=utf-8' }
    expect(breachOf('GET', '/health', { ...json, status: 200, text: '{"status":"ok"}' })).toBeUndefined()
    expect(breachOf('GET', '/health', { ...json, status: 200, text: '{"status":"well"}' })).toContain('/status')
    expect(breachOf('GET', '/gms/health', { ...json, status: 302, text: '' })).toContain('302')
    const dataset = '/openapi/v3/entity/dataset/urn%3Ali%3Adataset%3Ax'
    expect(breachOf('GET', dataset, { ...json, status: 200, text: '{"status":{}}' })).toContain('urn')
    expect(breachOf('GET', dataset, { ...json, status: 200, text: '{"urn":"x","status":{}}' })).toContain('/status')
  })
})

describe('the page', () => {
  test('asks a browser for a password and takes a token for it; other routes do not', async () => {
    const refused = await c.call('GET', `${PAGE}/`)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
    expect((await c.call('GET', `${PAGE}/`, undefined, basic('wrong'))).status).toBe(401)
    expect((await c.call('GET', `${PAGE}/`, undefined, basic(TOKEN))).status).toBe(200)
    const elsewhere = await c.call('GET', '/entitiesV2/urn%3Ali%3Atag%3Aa', undefined, basic(TOKEN))
    expect([elsewhere.status, elsewhere.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await c.call('POST', `${PAGE}/json`, {}, basic(TOKEN))).status).toBe(401)
  })

  test('brings its scripts and styles itself, under each prefix, and may load nothing from elsewhere', async () => {
    for (const prefix of ['', '/gms', '/api/gms']) {
      const page = await c.call('GET', `${prefix}${PAGE}/`, undefined, basic(TOKEN))
      const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '')
      expect(parts.length).toBeGreaterThan(4)
      for (const part of parts) {
        expect(part).toMatch(/^\.\/static\//)
        const file = await c.call('GET', `${prefix}${PAGE}/${part.slice(2)}`, undefined, basic(TOKEN))
        expect([part, file.status]).toEqual([part, 200])
      }
      expect((await c.call('GET', `${prefix}${PAGE}/json`, undefined, basic(TOKEN))).json.openapi).toBe('3.1.0')
      const policy = page.headers.get('content-security-policy')
      expect(policy).toContain("default-src 'self'")
      expect(policy).not.toMatch(/https?:/)
    }
  })
})
