/**
 * Rows of one entity brought together, also when they stand far apart, in bounded memory: rows are held up to a limit;
 * beyond it they wait in files, one file for each slice of the URNs, and one slice is read back at a time.
 */
import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
}

const MAX_ROWS_HELD = 100_000
const SLICES = 64

/** The same rows give the same groups in the same order. */
export async function* groupByEntity(rows: AsyncIterable<EditRow>, options: GroupOptions): AsyncGenerator<EntityRows> {
  const { maxRowsHeld = MAX_ROWS_HELD } = options
  const folder = join(options.folder, 'rows')
  let held: EditRow[] = []
  let spilled = false
  try {
    for await (const row of rows) {
      held.push(row)
      if (held.length < maxRowsHeld) continue
      // What an earlier attempt left there would be counted twice.
      if (!spilled) await rm(folder, { recursive: true, force: true })
      spilled = true
      await spill(held, folder)
      held = []
    }
    if (spilled) {
      await spill(held, folder)
      held = []
      for (let slice = 0; slice < SLICES; slice++) yield* groupsOf(await readSlice(folder, slice))
    } else yield* groupsOf(held)
  } finally {
    if (spilled) await rm(folder, { recursive: true, force: true })
  }
}

function groupsOf(rows: readonly EditRow[]): readonly EntityRows[] {
  return [...Map.groupBy(rows, (row) => row.urn)].map(([urn, group]) => ({ urn, rows: group }))
}

async function spill(rows: readonly EditRow[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const bySlice = Map.groupBy(rows, (row) => sliceOf(row.urn))
  for (const [slice, part] of bySlice) {
    await appendFile(join(folder, String(slice)), part.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
}

async function readSlice(folder: string, slice: number): Promise<readonly EditRow[]> {
  const text = await readFile(join(folder, String(slice)), 'utf8').catch(() => '')
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as EditRow)
}

function sliceOf(urn: string): number {
  return (createHash('sha256').update(urn).digest()[0] ?? 0) % SLICES
}
