/** The Grafana dashboard asks for metrics that exist, and shows each of ours. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openGauges } from '../../src/console/gauges.ts'
import type { RunnerParts } from '../../src/runner/parts.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { PROJECT } from '../support/command.ts'

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const dashboard = JSON.parse(readFileSync(join(PROJECT, 'docs/grafana-dashboard.json'), 'utf8')) as Dashboard
const NAMES = /\b(?:headwater|nodejs|process)_[a-z0-9_]+/g

/** Names as Prometheus stores them, the series of histograms included. */
async function exported(): Promise<ReadonlyMap<string, string>> {
  const { registry } = createMetrics({ node: true })
  openGauges(registry, {} as RunnerParts, undefined)
  const metrics = await registry.getMetricsAsJSON()
  return new Map(
    metrics.flatMap(({ name, type }) =>
      // prom-client tells the type by its name, whatever its declaration says.
      String(type) === 'histogram'
        ? ['_bucket', '_sum', '_count'].map((suffix) => [name + suffix, name] as const)
        : [[name, name] as const],
    ),
  )
}

test('every expression of the dashboard names metrics that exist, and every metric of ours has a panel', async () => {
  const known = await exported()
  const asked = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(NAMES) ?? []))
  expect(asked.filter((name) => !known.has(name))).toEqual([])
  expect(asked.length).toBeGreaterThan(dashboard.panels.length)
  const advised = readFileSync(join(PROJECT, 'docs/operations.md'), 'utf8').match(NAMES) ?? []
  expect(advised.filter((name) => !known.has(name))).toEqual([])
  const shown = new Set(asked.map((name) => known.get(name)))
  const ours = [...new Set(known.values())].filter((name) => name.startsWith('headwater_'))
  expect(ours.filter((name) => !shown.has(name))).toEqual([])
})
