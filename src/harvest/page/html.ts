/** One page of HTML that needs nothing else: no script, no font, no address. Light or dark as the reader has it. */
import { assertNever } from '../../model/errors.ts'
import { element, escaped } from '../picture/svg.ts'
import { percent, type Block, type Page, type Table, type TrendPoint } from './blocks.ts'

export function toHtml({ title, blocks }: Page): string {
  const body = [tag('h1', escaped(title)), ...blocks.map(blockMarkup)].join('\n')
  // Nothing may be loaded or run, whatever stands in the names that are shown.
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policy}
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --dim: #777; --bar: #2a7ab8; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 72rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; margin: .8rem 0; }
th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; } .right { text-align: right; font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; } .scroll { overflow-x: auto; } .more { color: var(--dim); }
pre { background: #8881; padding: .7rem 1rem; overflow-x: auto; border-radius: 4px; }
figure { margin: .8rem 0; display: inline-block; margin-right: 2rem; } figcaption { color: var(--dim); }
svg { display: block; } .line { fill: none; stroke: var(--bar); stroke-width: 1.5; } .dot { fill: var(--bar); }
.base { stroke: var(--line); }
`

function blockMarkup(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return tag('h2', escaped(block.text))
    case 'text':
      return tag('p', escaped(block.text))
    case 'list':
      return tag('ul', block.items.map((item) => tag('li', escaped(item))).join(''))
    case 'table':
      return table(block)
    case 'trend':
      return trend(block.name, block.points)
    case 'code':
      return tag('pre', tag('code', escaped(block.text)))
    default:
      return assertNever(block)
  }
}

function table({ columns, rows, more = 0 }: Table): string {
  const attribute = (at: number): string => (columns[at]?.align === 'right' ? ' class="right"' : '')
  const cells = (name: 'th' | 'td', texts: readonly string[]): string =>
    texts.map((text, at) => `<${name}${attribute(at)}>${escaped(text)}</${name}>`).join('')
  const head = tag(
    'tr',
    cells(
      'th',
      columns.map(({ name }) => name),
    ),
  )
  const body = rows.map((row) => tag('tr', cells('td', row))).join('\n')
  const rest = more > 0 ? `<p class="more">… and ${more} more</p>` : ''
  return `<div class="scroll"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>${rest}`
}

const WIDTH = 240
const HEIGHT = 48
const EDGE = 4

/** A line over the runs from 0 at the bottom to 1 at the top, each point with its run as a tooltip. */
function trend(name: string, points: readonly TrendPoint[]): string {
  const step = points.length > 1 ? (WIDTH - 2 * EDGE) / (points.length - 1) : 0
  const places = points.map(({ share, label }, at) => ({
    x: EDGE + at * step,
    y: HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE),
    told: `${label}: ${percent(share)}`,
  }))
  const line = element('polyline', {
    class: 'line',
    points: places.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' '),
  })
  const dots = places.map(({ x, y, told }) =>
    element('circle', { class: 'dot', cx: x, cy: y, r: 2.5 }, [element('title', {}, [escaped(told)])]),
  )
  const base = element('line', { class: 'base', x1: 0, y1: HEIGHT - EDGE, x2: WIDTH, y2: HEIGHT - EDGE })
  const last = points.at(-1)
  const before = points.at(-2)
  const was = before === undefined || before.share === last?.share ? '' : ` (was ${percent(before.share)})`
  const caption = last === undefined ? name : `${name}: ${percent(last.share)}${was}`
  const picture = element('svg', { width: WIDTH, height: HEIGHT, role: 'img', 'aria-label': caption }, [
    base,
    line,
    ...dots,
  ])
  return `<figure>${picture}<figcaption>${escaped(caption)}</figcaption></figure>`
}

function tag(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}
