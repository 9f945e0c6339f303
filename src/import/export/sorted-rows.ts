/**
 * Rows in the order of resource and column, whatever the order in which they come, in bounded memory: sorted pieces wait
 * in files and are merged at the end. So the same catalog content gives the same bytes, wherever it lies.
 */
import { createReadStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ExportRow } from './rows.ts'

const ROWS_HELD = 50_000

interface Keyed {
  readonly key: string
  readonly row: ExportRow
}

export class SortedRows implements AsyncDisposable {
  readonly #folder: string
  readonly #rowsHeld: number
  #held: Keyed[] = []
  #pieces = 0

  /** @param folder for what does not fit into memory; made when needed, removed at the end */
  constructor(folder: string, rowsHeld: number = ROWS_HELD) {
    this.#folder = folder
    this.#rowsHeld = rowsHeld
  }

  async add(row: ExportRow): Promise<void> {
    this.#held.push({ key: keyOf(row), row })
    if (this.#held.length >= this.#rowsHeld) await this.#spill()
  }

  /** All rows, sorted; rows of one key made one. */
  async *read(): AsyncGenerator<ExportRow> {
    if (this.#pieces > 0) await this.#spill()
    let last: Keyed | undefined
    for await (const next of this.#pieces > 0 ? merged(this.#readPieces()) : this.#sorted()) {
      if (last !== undefined && last.key !== next.key) yield last.row
      last = last?.key === next.key ? { ...next, row: joined(last.row, next.row) } : next
    }
    if (last !== undefined) yield last.row
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#pieces > 0) await rm(this.#folder, { recursive: true, force: true })
  }

  #sorted(): readonly Keyed[] {
    return this.#held.toSorted((a, b) => compare(a.key, b.key))
  }

  async #spill(): Promise<void> {
    if (this.#pieces === 0) await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const text = this.#sorted().map(({ row }) => `${JSON.stringify(row)}\n`)
    await writeFile(join(this.#folder, String(this.#pieces++)), text.join(''), { mode: 0o600 })
    this.#held = []
  }

  #readPieces(): readonly AsyncGenerator<Keyed>[] {
    return Array.from({ length: this.#pieces }, (_, number) => readPiece(join(this.#folder, String(number))))
  }
}

async function* readPiece(path: string): AsyncGenerator<Keyed> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const row = JSON.parse(line) as ExportRow
    yield { key: keyOf(row), row }
  }
}

/** Merges sorted pieces: the smallest head comes next. */
async function* merged(pieces: readonly AsyncGenerator<Keyed>[]): AsyncGenerator<Keyed> {
  const heads: { head: Keyed; readonly rest: AsyncGenerator<Keyed> }[] = []
  for (const rest of pieces) {
    const first = await rest.next()
    if (first.done !== true) heads.push({ head: first.value, rest })
  }
  heads.sort((a, b) => compare(a.head.key, b.head.key))
  for (let least = heads.shift(); least !== undefined; least = heads.shift()) {
    yield least.head
    const next = await least.rest.next()
    if (next.done === true) continue
    least.head = next.value
    const { key } = next.value
    // Pieces are sorted and mostly interleave: binary search keeps the heads in order.
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(heads[middle]?.head.key ?? '', key) <= 0) low = middle + 1
      else high = middle
    }
    heads.splice(low, 0, least)
  }
}

/** A column's properties come apart from its tags. */
function joined(a: ExportRow, b: ExportRow): ExportRow {
  return { ...a, cells: { ...a.cells, ...b.cells } }
}

function keyOf({ resource, subresource, number }: ExportRow): string {
  return `${resource}\u0000${subresource}\u0000${String(number).padStart(4, '0')}`
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
