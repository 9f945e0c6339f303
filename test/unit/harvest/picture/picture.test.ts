import { expect, test } from 'vitest'
import type { PictureGraph } from '../../../../src/harvest/picture/graph.ts'
import { drawLineage } from '../../../../src/harvest/picture/draw.ts'
import { seededRandom } from '../../../../src/cli/demo/random.ts'

const GROUPS = ['raw', 'staging', 'mart']

function tableId(number: number): string {
  return `t${String(number).padStart(5, '0')}`
}

function place(dataset: string, column: string) {
  return { dataset, column }
}

/** A layered graph with `tables` tables of two columns, about 1.4 edges each. */
function layered(tables: number, seed = 1): PictureGraph {
  const random = seededRandom(seed)
  const layerOf = (number: number) => Math.floor((number / tables) * 10)
  const edges = Array.from({ length: Math.round(tables * 1.4) }, () => {
    const to = random.between(Math.ceil(tables / 10), tables - 1)
    const from = random.between(0, Math.max(0, Math.floor((layerOf(to) * tables) / 10) - 1))
    return { from: tableId(from), to: tableId(to) }
  })
  return {
    datasets: Array.from({ length: tables }, (_, number) => ({
      id: tableId(number),
      platform: ['postgres', 'bigquery', 'snowflake', 'oracle'][number % 4] ?? '',
      name: `db.schema_${layerOf(number)}.table_number_${number}`,
      group: GROUPS[Math.min(2, Math.floor(layerOf(number) / 3))] ?? 'raw',
    })),
    edges,
    columnEdges: edges.map(({ from, to }) => ({
      from: { dataset: from, column: 'a' },
      to: { dataset: to, column: 'a' },
    })),
  }
}

interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function boxesOf(svg: string): Rectangle[] {
  const pattern =
    /<g class="box[^"]*" transform="translate\(([\d.-]+) ([\d.-]+)\)">.*?<rect class="card" width="([\d.]+)" height="([\d.]+)"/g
  return [...svg.matchAll(pattern)].map(([, x, y, width, height]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
  }))
}

function overlaps(boxes: readonly Rectangle[]): number {
  let count = 0
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y
      if (!apart) count++
    }
  }
  return count
}

test.each([1, 2, 3, 4, 5])('no box lies on another (graph %i)', (seed) => {
  const graph = layered(120, seed)
  const svg = drawLineage(graph, { groups: GROUPS, focus: { dataset: 't00119', column: 'a' } })
  const boxes = boxesOf(svg)
  expect(boxes.length).toBe(120)
  expect(overlaps(boxes)).toBe(0)
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  expect(boxes.every((box) => box.x >= 0 && box.x + box.width <= Number(width))).toBe(true)
  expect(boxes.every((box) => box.y >= 0 && box.y + box.height <= Number(height))).toBe(true)
})

test('what feeds a table stands to its left', () => {
  const graph = layered(60)
  const svg = drawLineage(graph, { groups: GROUPS })
  const boxes = boxesOf(svg)
  const at = new Map(graph.datasets.map((dataset, index) => [dataset.id, boxes[index]]))
  const offences = graph.edges.filter(({ from, to }) => {
    const [source, target] = [at.get(from), at.get(to)]
    return source === undefined || target === undefined || source.x + source.width >= target.x
  })
  expect(offences).toEqual([])
})

test('equal graphs give equal bytes, whatever the order of their parts, edges told twice included', () => {
  const graph = layered(80)
  const turned = {
    datasets: graph.datasets.toReversed(),
    edges: graph.edges.toReversed(),
    columnEdges: graph.columnEdges.toReversed(),
  }
  const options = { groups: GROUPS, focus: { dataset: 't00079', column: 'a' } }
  expect(drawLineage(turned, options)).toBe(drawLineage(graph, options))
  const twice = {
    ...graph,
    edges: [...graph.edges, ...graph.edges],
    columnEdges: [...graph.columnEdges, ...graph.columnEdges],
  }
  expect(drawLineage(twice, options)).toBe(drawLineage(graph, options))
})

test('names are escaped in texts, tooltips and the headline', () => {
  const evil = `db.s."<script>alert('x')</script>&\u0000`
  const graph = {
    datasets: [
      { id: 'a', platform: '"><image href=x>', name: evil },
      { id: 'b', platform: 'postgres', name: 'db.s.<b>' },
    ],
    edges: [{ from: 'a', to: 'b' }],
    columnEdges: [{ from: { dataset: 'a', column: '</text>' }, to: { dataset: 'b', column: '<i>' } }],
  }
  const svg = drawLineage(graph, { groups: ['<raw>'], focus: { dataset: 'b', column: '<i>' }, title: '</title>' })
  const tags = new Set([...svg.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag))
  expect([...tags].map(String).toSorted()).toEqual(['g', 'path', 'rect', 'style', 'svg', 'text', 'title'])
  expect(svg).toContain('&lt;/title&gt;')
  expect(svg).not.toContain('\u0000')
})

test('the way back holds every column that feeds the focus and no other', () => {
  const graph = {
    datasets: ['raw', 'mid', 'mart', 'other'].map((id) => ({ id, platform: 'postgres', name: `db.s.${id}` })),
    edges: [],
    columnEdges: [
      { from: place('raw', 'x'), to: place('mid', 'y') },
      { from: place('mid', 'y'), to: place('mart', 'z') },
      { from: place('raw', 'unused'), to: place('other', 'w') },
    ],
  }
  const svg = drawLineage(graph, { groups: ['raw'], focus: place('mart', 'z') })
  const shown = [...svg.matchAll(/<title>db\.s\.([^<]*) → db\.s\.([^<]*)<\/title>/g)].map(
    ([, from, to]) => `${from} ${to}`,
  )
  expect(shown.toSorted()).toEqual(['mid.y mart.z', 'raw.x mid.y'])
  expect(svg).toContain('mart.z: 2 hops back to 1 columns of 1 tables')
})

test('cycles, loops and an empty graph are drawn too', () => {
  const datasets = ['a', 'b', 'c'].map((id) => ({ id, platform: 'postgres', name: id }))
  const edges = ['ab', 'bc', 'ca', 'aa'].map(([from = '', to = '']) => ({ from, to }))
  const columnEdges = edges.map(({ from, to }) => ({
    from: { dataset: from, column: 'k' },
    to: { dataset: to, column: 'k' },
  }))
  const svg = drawLineage({ datasets, edges, columnEdges }, { groups: ['raw'], focus: { dataset: 'c', column: 'k' } })
  expect(overlaps(boxesOf(svg))).toBe(0)
  expect(svg).not.toContain('NaN')
  expect(drawLineage({ datasets: [], edges: [], columnEdges: [] }, { groups: [] })).toContain('0 tables')
})

test('two thousand tables take no more than two seconds of work', () => {
  const graph = layered(2000)
  const before = process.cpuUsage()
  const svg = drawLineage(graph, { groups: GROUPS })
  const { user, system } = process.cpuUsage(before)
  expect(boxesOf(svg).length).toBe(2000)
  expect((user + system) / 1e6).toBeLessThan(2)
})
