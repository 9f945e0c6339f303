/** A program that is measured from outside: how long it took, and the most memory that it held. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '../../src/observe/clock.ts'
import { endWithBench } from './bench-folder.ts'

/** What one run of a program took. */
export interface Took {
  /** From the command to its end. */
  readonly seconds: number
  /** Without the start of the program; undefined where that is nothing, or is not told. */
  readonly workingSeconds?: number | undefined
  readonly peakMb: number
  /** Of all its threads; on a machine with others on it, steadier than the time that went by. */
  readonly cpuSeconds: number
  /** From the command to its first line of progress; undefined where it tells none. */
  readonly firstProgressSeconds?: number | undefined
  /** How long each phase was the one that the lines of progress told of. */
  readonly phaseSeconds: ReadonlyMap<string, number>
  /** What a command of ours told under `--json`. */
  readonly report?: string | undefined
}

export const ROOT = resolve(import.meta.dirname, '../..')

const PYTHON = process.env['HEADWATER_SDK_PYTHON']

/** `datahub ingest` by a recipe, which is written into `folder`; undefined where HEADWATER_SDK_PYTHON names no Python. */
export const runRecipe =
  PYTHON === undefined
    ? undefined
    : async (recipe: object, folder: string): Promise<Took> => {
        const file = join(folder, 'recipe.yaml')
        await writeFile(file, JSON.stringify(recipe))
        const args = ['-m', 'datahub', 'ingest', 'run', '-c', file, '--no-default-report', '--no-progress']
        return measure(PYTHON, args, { DATAHUB_TELEMETRY_ENABLED: 'false' })
      }

export async function measure(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Took> {
  const begun = systemClock.monotonic()
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  child.once('exit', endWithBench(child.pid))
  let firstProgressSeconds: number | undefined
  let workingSeconds: number | undefined
  const phaseSeconds = new Map<string, number>()
  let last: { readonly phase: string; readonly at: number } | undefined
  const said: string[] = []
  let report: string | undefined
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (said.push(line) > 200) said.shift()
      if (line.startsWith('{"run":{')) report = line
      const phase = /"phase":"([^"]*)"/.exec(line)?.[1]
      if (phase !== undefined) {
        const at = (systemClock.monotonic() - begun) / 1000
        firstProgressSeconds ??= at
        if (last !== undefined) phaseSeconds.set(last.phase, (phaseSeconds.get(last.phase) ?? 0) + at - last.at)
        last = { phase, at }
      }
      const own = /^took (\d+(?:\.\d+)?) s$/.exec(line)
      if (own !== null) workingSeconds = Number(own[1])
      workingSeconds ??= workingSecondsOf(line)
    })
  }
  let [peakMb, cpuSeconds] = [0, 0]
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
    cpuSeconds = Math.max(cpuSeconds, cpuOf(child.pid))
  }, 100)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said.join('\n')}`)
  const seconds = (systemClock.monotonic() - begun) / 1000
  return { seconds, workingSeconds, peakMb, cpuSeconds, firstProgressSeconds, phaseSeconds, report }
}

/** From the beginning of the plan to the end of its effect, where a line is our report. */
function workingSecondsOf(line: string): number | undefined {
  const times = [...line.matchAll(/"startedMs":(\d+),"finishedMs":(\d+)/g)]
  if (times.length === 0) return undefined
  const [first, last] = [
    Math.min(...times.map((time) => Number(time[1]))),
    Math.max(...times.map((time) => Number(time[2]))),
  ]
  return (last - first) / 1000
}

/** The most memory that a process ever held, as Linux counts it; 0 elsewhere and once it is gone. */
function peakOf(pid: number | undefined): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Linux counts in hundredths of a second; the name, which comes before, may hold anything. */
function cpuOf(pid: number | undefined): number {
  try {
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}
