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
    .reduce((sum, stat) => sum + stat.ms, 0)
}

function statOf(pid: number) {
  try {
    // After the name in parentheses: state, parent, …; times in user and system mode are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { pid, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS }
  } catch {
    return undefined
  }
}
