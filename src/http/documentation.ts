/**
 * `/openapi/openapi.json` and the page that shows it, both made from what the routes say of themselves. Its scripts and
 * styles come from this service: nothing is fetched from elsewhere.
 */
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { Type } from 'typebox'
import type { FastifyInstance } from 'fastify'
import { DOCUMENTATION_PATH } from './access.ts'
import { reads, TAGS } from './route-options.ts'

const OPENAPI_JSON = reads({
  tag: 'service',
  summary: 'This description',
  answers: { 200: Type.Object({ openapi: Type.String(), paths: Type.Object({}) }) },
})

/** Everything from here; styles are also set by the page's own script. */
const CSP =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; object-src 'none'"

/** Call before the routes are registered: it looks at each as it comes. */
export function documentation(app: FastifyInstance): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headwater catalog',
        version: '1',
        description:
          'A metadata catalog with the interfaces of DataHub. All of it is served without a prefix, and below /gms, /api/gms and /api.',
        license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
      },
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      security: [{ token: [] }],
    },
  })
  void app.register(async (pages) => {
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, needs: 'read' }
    })
    await pages.register(swaggerUi, {
      routePrefix: DOCUMENTATION_PATH,
      staticCSP: CSP,
      // No badge from a validator on the network.
      uiConfig: { docExpansion: 'none', filter: true, displayRequestDuration: true, validatorUrl: null },
      theme: { title: 'Headwater catalog' },
    })
  })
  void app.register(async (pages) => {
    pages.get('/openapi/openapi.json', OPENAPI_JSON, () => app.swagger())
  })
}
