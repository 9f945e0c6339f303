import { expect, test } from 'vitest'
import { left, percent, right, type Page } from '../../../src/harvest/page/blocks.ts'
import { toHtml } from '../../../src/harvest/page/html.ts'
import { toMarkdown } from '../../../src/harvest/page/markdown.ts'

const EVIL = '<img src=x onerror=alert(1)> | `a` *b*'
const PAGE: Page = {
  title: EVIL,
  blocks: [
    { kind: 'heading', text: EVIL },
    { kind: 'text', text: EVIL },
    { kind: 'list', items: [EVIL] },
    { kind: 'table', columns: [left('name'), right('n')], rows: [[EVIL, '1']], more: 2 },
    { kind: 'trend', name: 'share', points: [0.5, 0.75].map((share, at) => ({ label: `run ${at}`, share })) },
    { kind: 'code', text: 'select ```<b>' },
  ],
}

test('what is shown is never markup', () => {
  const html = toHtml(PAGE)
  expect(html).not.toMatch(/<img|<b>/)
  expect(html.match(/&lt;img/g)).toHaveLength(6)
  expect(html).toContain("default-src 'none'")
})

test('a page has its blocks in order, with a line for a trend', () => {
  const html = toHtml(PAGE)
  const order = ['<h1>', '<h2>', '<p>', '<ul>', '<table>', 'and 2 more', '<figure>', '<pre>'].map((tag) =>
    html.indexOf(tag),
  )
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(html).toMatch(/<polyline class="line" points="4\.0,24\.0 236\.0,14\.0"/)
  expect(html).toContain('share: 75.0 % (was 50.0 %)')
})

test('Markdown keeps marks as text, and code in a fence that is long enough', () => {
  const markdown = toMarkdown(PAGE)
  expect(markdown).toContain(
    '| name | n |\n| --- | ---: |\n| \\<img src=x onerror=alert(1)\\> \\| \\`a\\` \\*b\\* | 1 |',
  )
  expect(markdown).toContain('… and 2 more')
  expect(markdown).toContain('share: 50.0 % → 75.0 %')
  expect(markdown).toContain('````sql\nselect ```<b>\n````')
})

test('a share is 100 % only where nothing is missing', () => {
  expect([1, 0.99999, 0.5, 0].map(percent)).toEqual(['100.0 %', '99.9 %', '50.0 %', '0.0 %'])
})
