/** Who imports the file: ours as a user runs it, a serial loop, and DataHub's own csv-enricher. Each in its own process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { systemClock } from '../../src/observe/clock.ts'

/** What one import took. */
export interface Took {
  /** From the command to its end. */
  readonly seconds: number
  /** Without the start of the program; undefined where that is nothing, or is not told. */
  readonly workingSeconds?: number | undefined
  readonly peakMb: number
  /** From the command to its first line of progress; undefined where it tells none. */
  readonly firstProgressSeconds?: number | undefined
}

export interface Errand {
  readonly file: string
  readonly catalogUrl: string
  /** For whatever the subject needs to keep; empty. */
  readonly folder: string
}

const ROOT = resolve(import.meta.dirname, '../..')
const PYTHON = process.env['HEADWATER_SDK_PYTHON']

/** `headwater run import-csv`, with a ledger of its own. */
export function ours({ file, catalogUrl, folder }: Errand): Promise<Took> {
  const flags = ['--file', file, '--catalog', catalogUrl, '--data', join(folder, 'data'), '--missing', 'create']
  const cli = join(ROOT, 'src/cli.ts')
  return measure(process.execPath, [cli, 'run', 'import-csv', '--apply', '--json', ...flags])
}

/** One read and one write for each row and aspect, by our own client, one after the other. */
export function serialLoop({ file, catalogUrl }: Errand): Promise<Took> {
  return measure(process.execPath, [join(import.meta.dirname, 'serial-loop.ts'), file, catalogUrl])
}

/** The same bytes on the wire as ours, made before the clock starts to run: what the catalog itself can take. */
export function rawBatches({ file, catalogUrl }: Errand): Promise<Took> {
  return measure(process.execPath, [join(import.meta.dirname, 'raw-batches.ts'), file, catalogUrl])
}

/** Undefined where HEADWATER_SDK_PYTHON names no Python with acryl-datahub. */
export const csvEnricher =
  PYTHON === undefined
    ? undefined
    : async ({ file, catalogUrl, folder }: Errand): Promise<Took> => {
        const recipe = join(folder, 'recipe.yaml')
        const source = { type: 'csv-enricher', config: { filename: file, write_semantics: 'PATCH', delimiter: ',' } }
        const sink = { type: 'datahub-rest', config: { server: catalogUrl } }
        await writeFile(recipe, JSON.stringify({ source, sink }))
        const args = ['-m', 'datahub', 'ingest', 'run', '-c', recipe, '--no-default-report', '--no-progress']
        return measure(PYTHON, args, { DATAHUB_TELEMETRY_ENABLED: 'false' })
      }

async function measure(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Took> {
  const begun = systemClock.monotonic()
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
  let firstProgressSeconds: number | undefined
  let workingSeconds: number | undefined
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (said.push(line) > 200) said.shift()
      if (line.includes('"phase"')) firstProgressSeconds ??= (systemClock.monotonic() - begun) / 1000
      const own = /^took (\d+(?:\.\d+)?) s$/.exec(line)
      if (own !== null) workingSeconds = Number(own[1])
      workingSeconds ??= workingSecondsOf(line)
    })
  }
  let peakMb = 0
  const look = setInterval(() => (peakMb = Math.max(peakMb, peakOf(child.pid))), 100)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${said.join('\n')}`)
  return { seconds: (systemClock.monotonic() - begun) / 1000, workingSeconds, peakMb, firstProgressSeconds }
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
