import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // One copy of graphql: Vite would take its ES modules where Node takes the CommonJS ones.
  resolve: { alias: { graphql: join(import.meta.dirname, 'node_modules/graphql/index.js') } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/embedded-server.ts'],
    // The tests start real servers (PostgreSQL, catalog, workers); two cores carry few at a time.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
