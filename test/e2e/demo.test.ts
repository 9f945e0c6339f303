import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { headwater, PROJECT } from '../support/command.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TRUTH = join(PROJECT, 'examples/warehouse/truth.yaml')
const FOCUS = 'snowflake:commerce.mart.customer_profitability_monthly.margin_gbp'

interface Node {
  readonly platform: string
  readonly dataset: string
  readonly column: string
  readonly tags: readonly string[]
  readonly evidence?: { readonly place?: string }
  readonly children: readonly Node[]
}

interface DemoJson {
  readonly tree: Node
  readonly runs: readonly {
    readonly label: string
    readonly state: string
    readonly balance: { readonly proposals: { readonly made: number; readonly written: number } }
  }[]
  readonly sizesBefore: readonly { readonly rows: number }[]
  readonly sizesAfter: readonly { readonly rows: number }[]
}

test(
  'the demo goes on where it was interrupted, shows what it did, and changes nothing the second time',
  { timeout: 240_000 },
  async () => {
    await using folder = await temporaryFolder()
    const data = join(folder.path, '.headwater/demo')

    await using interrupted = startServer(['demo'], { cwd: folder.path })
    await interrupted.waitFor(/"phase":"load timeseries"/)
    expect(await interrupted.stop('SIGINT')).toEqual({ code: 130, signal: null })
    expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)

    const first = await headwater(['demo'], { cwd: folder.path })
    expect(first.code, first.stderr).toBe(0)
    for (const line of first.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('phase')
    for (const reason of ['UNKNOWN_COLUMN', 'INVALID_URN', 'INVALID_VALUE']) expect(first.stdout).toContain(reason)
    expect(first.stdout).toMatch(/dataset\.operation +[\d,]+ +[\d,]+ +[\d.]+ MB +[\d.]+ MB +-\d\d %/)
    expect(first.stdout).toMatch(/mart\.consignment_cost\.cost_gbp +\S*30_consignment_margin\.sql:\d+/)
    expect(readFileSync(join(data, 'warehouse.svg'), 'utf8')).toMatch(/^<svg [^]*margin_gbp: \d hops[^]*<\/svg>\n$/)
    expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)

    const second = await headwater(['demo', '--json'], { cwd: folder.path })
    expect(second.code, second.stderr).toBe(0)
    const { tree, runs, sizesBefore, sizesAfter } = JSON.parse(second.stdout) as DemoJson
    expect(runs.map(({ label, balance }) => `${label}: ${balance.proposals.written}`)).toEqual(
      runs.map(({ label }) => `${label}: 0`),
    )
    // The log has nothing new; the others are looked at again.
    expect(runs.slice(0, 3).map(({ balance }) => balance.proposals.made > 0)).toEqual([true, false, true])
    expect(sizesAfter.map(({ rows }) => rows)).toEqual(sizesBefore.map(({ rows }) => rows))
    expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false)

    // The catalog answers with the edges that were read off the SQL by hand, each with its place, tags on the way.
    const truth: Record<string, string[]> = parse(readFileSync(TRUTH, 'utf8'))
    const nodes = nodesOf(tree)
    const edges = (name: string): string[] => (nodes.get(name)?.children ?? []).map(nameOf)
    const onTheWay = closure(truth, FOCUS)
    expect(Object.fromEntries(onTheWay.map((name) => [name, edges(name).toSorted()]))).toEqual(
      Object.fromEntries(onTheWay.map((name) => [name, (truth[name] ?? []).toSorted()])),
    )
    const places = [...nodes.values()].map((node) => node.evidence?.place)
    expect(places.filter((place) => place !== undefined && !/^(\w+\/\d_\w+\/\w+\.sql):\d+$/.test(place))).toEqual([])
    expect(nodes.get('postgres:ops.raw.consignment_wagon.gross_weight_kg')?.tags).toEqual(['weighbridge'])

    const shown = await headwater(['lineage', 'show', 'ops.raw.wagon.tare_kg', '--down', '--data', data], {
      cwd: folder.path,
    })
    expect(shown.code, shown.stderr).toBe(0)
    expect(shown.stdout).toContain('commerce.mart.customer_profitability_monthly.margin_gbp #money #board')
  },
)

function nodesOf(tree: Node): Map<string, Node> {
  const nodes = new Map<string, Node>()
  const open = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    // A place that stands in the tree more than once has its children at one of them.
    if ((nodes.get(nameOf(node))?.children.length ?? 0) === 0) nodes.set(nameOf(node), node)
    open.push(...node.children)
  }
  return nodes
}

function nameOf({ platform, dataset, column }: Node): string {
  return `${platform}:${dataset}.${column}`
}

/** Columns on the way back that the truth speaks of. */
function closure(truth: Readonly<Record<string, readonly string[]>>, start: string): string[] {
  const found = new Set<string>()
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (truth[name] === undefined) continue
    found.add(name)
    open.push(...(truth[name] ?? []).filter((upstream) => !found.has(upstream)))
  }
  return [...found]
}
