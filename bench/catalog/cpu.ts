/**
 * Processor time of this process and of the PostgreSQL that it started: what an operation costs, whoever else keeps
 * the machine busy. Linux only; elsewhere the figures are NaN.
 */
import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../../src/store/database.ts'

/** Milliseconds of processor time. */
export interface Cpu {
  readonly node: number
  readonly postgres: number
}

/** Milliseconds of one tick of /proc/PID/stat. */
const TICK_MS = 10

/** @returns a function that reads the time used so far */
export async function cpuMeter(database: Database): Promise<() => Cpu> {
  const [row] = await database.rows<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = statOf(row?.pid ?? 0)?.parent
  return () => {
    const { user, system } = process.cpuUsage()
    return { node: (user + system) / 1000, postgres: postmaster === undefined ? NaN : ofChildren(postmaster) }
  }
}

function ofChildren(parent: number): number {
  return readdirSync('/proc')
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== undefined)
    .filter((stat) => stat.parent === parent || stat.pid === parent)
    .reduce((sum, stat) => sum + stat.ms + (stat.pid === parent ? stat.endedMs : 0), 0)
}

function statOf(pid: number) {
  try {
    // After the name in parentheses: state, parent, …; times in user and system mode are the 14th and 15th field,
    // those of its ended children the next two.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ms = (field: number) => (Number(fields[field]) + Number(fields[field + 1])) * TICK_MS
    return { pid, parent: Number(fields[1]), ms: ms(11), endedMs: ms(13) }
  } catch {
    return undefined
  }
}
