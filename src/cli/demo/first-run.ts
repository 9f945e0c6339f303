/** What the demo remembers in its folder: when it first ran, and whether its timeseries rows are loaded. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { decode } from '../../model/decode.ts'

const FirstRun = Type.Object({ startedMs: Type.Number(), loaded: Type.Boolean() })
export type FirstRun = Static<typeof FirstRun>

/** What an earlier run left; at the first run the present time, kept from now on. */
export function firstRun(folder: string, nowMs: number): FirstRun {
  const path = pathIn(folder)
  if (existsSync(path)) return decode(FirstRun, JSON.parse(readFileSync(path, 'utf8')))
  return remember(folder, { startedMs: nowMs, loaded: false })
}

/** Keeps it, whole or not at all. */
export function remember(folder: string, state: FirstRun): FirstRun {
  const path = pathIn(folder)
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`)
  renameSync(`${path}.new`, path)
  return state
}

function pathIn(folder: string): string {
  return join(folder, 'demo.json')
}
