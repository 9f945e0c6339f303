/**
 * Rows of one entity brought together, also when they stand far apart, in bounded memory: rows are held up to a limit;
 * beyond it they wait in files, one file for each slice of the URNs, and one slice is read back at a time. A slice that
 * is still too large is cut into slices itself, so ten million rows take no more memory than one.
 */
import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { EditRow } from './edits.ts'
import type { Urn } from '../model/urn.ts'

export interface EntityRows {
  readonly urn: Urn
  /** In the order of the input. */
  readonly rows: readonly EditRow[]
}

export interface GroupOptions {
  /** Folder for what does not fit; made when needed, removed at the end. */
  readonly folder: string
  readonly maxRowsHeld?: number
  /** A slice whose file is larger is cut again. */
  readonly maxSliceBytes?: number
}

const MAX_ROWS_HELD = 20_000
/** Of the rows' text: wide rows fill the memory long before there are many of them. */
const MAX_CHARACTERS_HELD = 8 * 1024 * 1024
const MAX_SLICE_BYTES = 8 * 1024 * 1024
const SLICES = 64
/** Bits of the hash that a slice goes by; each cut takes the next ones. */
const SLICE_BITS = 6
const MOST_CUTS = 4

/** The same rows give the same groups in the same order. */
export async function* groupByEntity(
  rows: AsyncIterable<readonly EditRow[]>,
  options: GroupOptions,
): AsyncGenerator<readonly EntityRows[]> {
  const { maxRowsHeld = MAX_ROWS_HELD, maxSliceBytes = MAX_SLICE_BYTES } = options
  const folder = join(options.folder, 'rows')
  let held: EditRow[] = []
  let characters = 0
  let spilled = false
  try {
    for await (const piece of rows) {
      for (const row of piece) {
        held.push(row)
        characters += row.text.length
      }
      if (held.length < maxRowsHeld && characters < MAX_CHARACTERS_HELD) continue
      characters = 0
      // What an earlier attempt left there would be counted twice.
      if (!spilled) await rm(folder, { recursive: true, force: true })
      spilled = true
      await spill(held, folder, 0)
      held = []
    }
    if (spilled) {
      await spill(held, folder, 0)
      held = []
      yield* readSlices(folder, 0, { maxRowsHeld, maxSliceBytes })
    } else yield groupsOf(held)
  } finally {
    if (spilled) await rm(folder, { recursive: true, force: true })
  }
}

function groupsOf(rows: readonly EditRow[]): readonly EntityRows[] {
  return [...Map.groupBy(rows, (row) => row.urn)].map(([urn, group]) => ({ urn, rows: group }))
}

async function* readSlices(
  folder: string,
  cut: number,
  limits: { readonly maxRowsHeld: number; readonly maxSliceBytes: number },
): AsyncGenerator<readonly EntityRows[]> {
  for (let slice = 0; slice < SLICES; slice++) {
    const path = join(folder, String(slice))
    const bytes = await sizeOf(path)
    if (bytes > limits.maxSliceBytes && cut < MOST_CUTS) {
      const smaller = `${path}.cut`
      await cutSlice(path, smaller, cut + 1, limits.maxRowsHeld)
      await rm(path)
      yield* readSlices(smaller, cut + 1, limits)
    } else if (bytes > 0) yield groupsOf(await readSlice(path))
  }
}

async function cutSlice(path: string, folder: string, cut: number, maxRowsHeld: number): Promise<void> {
  let held: EditRow[] = []
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    held.push(JSON.parse(line) as EditRow)
    if (held.length < maxRowsHeld) continue
    await spill(held, folder, cut)
    held = []
  }
  await spill(held, folder, cut)
}

async function spill(rows: readonly EditRow[], folder: string, cut: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const bySlice = Map.groupBy(rows, (row) => sliceOf(row.urn, cut))
  for (const [slice, part] of bySlice) {
    await appendFile(join(folder, String(slice)), part.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

async function readSlice(path: string): Promise<readonly EditRow[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as EditRow)
}

/** FNV-1a: it only has to spread, and a cryptographic hash of each row cost more than reading it. */
function sliceOf(urn: string, cut: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < urn.length; at++) hash = Math.imul(hash ^ urn.charCodeAt(at), 0x01000193)
  return (hash >>> (SLICE_BITS * cut)) % SLICES
}
