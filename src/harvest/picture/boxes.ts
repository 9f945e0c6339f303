/** A dataset as a box: what is written in it, how large it is, where each line stands. */
import type { FocusPath } from './focus.ts'
import type { PictureDataset } from './graph.ts'
import { shortened, shortenedStart, textWidth, wrapped } from './text.ts'

interface BoxLine {
  readonly text: string
  /** `place` is the qualifier above the name, `column` a column on the highlighted path. */
  readonly role: 'place' | 'name' | 'column'
  readonly fontSize: number
  /** Baseline, counted from the box's upper edge. */
  readonly baseline: number
  /** For a column: its full name, and the middle of its row, where edges end. */
  readonly column?: string
  readonly middle: number
}

export interface Box {
  readonly dataset: PictureDataset
  readonly onPath: boolean
  readonly width: number
  readonly height: number
  readonly lines: readonly BoxLine[]
}

const LONGEST_NAME_LINE = 14
const LONGEST_COLUMN = 16
const SIDE_PADDING = 7

interface Row {
  readonly text: string
  readonly role: BoxLine['role']
  readonly fontSize: number
  readonly height: number
  readonly column?: string
}

/** The box of one dataset; on the path it is larger and shows the path's columns. */
export function boxOf(dataset: PictureDataset, path: FocusPath | undefined): Box {
  const columns = path?.columns.get(dataset.id)
  const rows = columns === undefined ? plainRows(dataset) : pathRows(dataset, columns)
  const top = columns === undefined ? 3 : 5
  const lines: BoxLine[] = []
  let y = top
  for (const row of rows) {
    const { height, ...line } = row
    lines.push({ ...line, baseline: y + height / 2 + row.fontSize * 0.35, middle: y + height / 2 })
    y += height
  }
  const widest = Math.max(...rows.map((row) => textWidth(row.text, row.fontSize, row.role === 'name')))
  return { dataset, onPath: columns !== undefined, width: Math.ceil(widest + 2 * SIDE_PADDING), height: y + top, lines }
}

function plainRows(dataset: PictureDataset): readonly Row[] {
  return wrapped(shortName(dataset.name), LONGEST_NAME_LINE).map((text) => ({
    text,
    role: 'name',
    fontSize: 10,
    height: 12,
  }))
}

function pathRows(dataset: PictureDataset, columns: readonly string[]): readonly Row[] {
  const qualifier = dataset.name.slice(0, -shortName(dataset.name).length).replace(/\.$/, '')
  const place: readonly Row[] =
    qualifier === ''
      ? []
      : [{ text: shortenedStart(qualifier, LONGEST_COLUMN), role: 'place', fontSize: 9, height: 12 }]
  const name = wrapped(shortName(dataset.name), LONGEST_NAME_LINE).map((text): Row => {
    return { text, role: 'name', fontSize: 12.5, height: 15 }
  })
  const rows = columns.map((column): Row => {
    return { text: shortened(column, LONGEST_COLUMN), role: 'column', fontSize: 11, height: 15.5, column }
  })
  return [...place, ...name, ...rows]
}

/** The last part of a dotted name. */
function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1) || name
}
