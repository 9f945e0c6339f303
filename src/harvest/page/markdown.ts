import { assertNever } from '../../model/errors.ts'
import { percent, type Block, type Page, type Table } from './blocks.ts'

/** A page for a ticket or a repository. */
export function toMarkdown({ title, blocks }: Page): string {
  return `${[`# ${inline(title)}`, ...blocks.map(blockText)].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${inline(block.text)}`
    case 'text':
      return inline(block.text)
    case 'list':
      return block.items.map((item) => `- ${inline(item)}`).join('\n')
    case 'table':
      return table(block)
    case 'trend':
      return `${inline(block.name)}: ${block.points.map(({ share }) => percent(share)).join(' → ')}`
    case 'code':
      return fenced(block.text)
    default:
      return assertNever(block)
  }
}

function table({ columns, rows, more = 0 }: Table): string {
  const rule = columns.map(({ align }) => (align === 'right' ? '---:' : '---'))
  const lines = [row(columns.map(({ name }) => name)), `| ${rule.join(' | ')} |`, ...rows.map(row)]
  return [...lines, ...(more > 0 ? ['', `… and ${more} more`] : [])].join('\n')
}

/** A fence that is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sql\n${text}\n${fence}`
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`
}

function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|')
}

/** On one line, and nothing in it taken for a mark. */
function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_<>[\]]/g, '\\$&')
}
