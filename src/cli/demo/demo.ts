/** `headwater demo`: a small company's warehouse taken through all jobs, in a folder of its own. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { loadConfig } from '../../config/load.ts'
import { openHeadwater } from '../../main.ts'
import { makeDataFolder } from '../../main/data-folder.ts'
import { systemClock } from '../../observe/clock.ts'
import { createLogger } from '../../observe/logger.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { EXIT, exitCodeOfSignal } from '../exit-codes.ts'
import { showProgress, type ShownProgress } from '../progress.ts'
import { lineagePicture } from '../show/picture.ts'
import { onStopRequest } from '../signals.ts'
import type { Terminal } from '../terminal.ts'
import type { DemoRun } from './jobs.ts'
import { play, type Played } from './play.ts'
import { present, presentJson } from './present.ts'
import { shortPath } from './short-path.ts'
import { FOCUS, LAYERS } from './warehouse.ts'

interface DemoFlags extends CommonFlags {
  readonly svg?: string
}

export function demoCommand(): Command {
  const demo = addCommonFlags(new Command('demo'), './.headwater/demo')
    .description('take the example warehouse through all jobs and show what came of it; a second time changes nothing')
    .option('--svg <file>', 'where the picture goes (default: in the folder of the demo)')
    .action((flags: DemoFlags) => endWith(flags, (context) => runDemo(flags, context)))
  return withExamples(
    demo,
    ['headwater demo', 'state in ./.headwater/demo'],
    ['headwater demo --data /tmp/demo --svg lineage.svg', 'elsewhere'],
  )
}

async function runDemo(flags: DemoFlags, { terminal }: CommandContext): Promise<number> {
  const folder = resolve(flags.data ?? join(process.env['HEADWATER_HOME'] ?? '.headwater', 'demo'))
  const svg = resolve(flags.svg ?? join(folder, 'warehouse.svg'))
  makeDataFolder(folder)
  using stop = onStopRequest()
  const progress = showProgress(terminal, systemClock, 'demo')
  try {
    const played = await playIn(folder, terminal, progress, stop.signal)
    progress.end()
    writeFileSync(svg, lineagePicture(played.graph, { groups: LAYERS, focus: FOCUS }))
    const files = { svg: shortPath(svg), data: shortPath(folder) }
    if (terminal.json) presentJson(terminal, played, files)
    else present(atLeast(WIDTH_WITHOUT_TERMINAL, terminal), played, files)
    return complainOfFailures(terminal, played.runs)
  } catch (error) {
    if (stop.received === undefined) throw error
    return exitCodeOfSignal(stop.received)
  } finally {
    progress.end()
  }
}

/** Opens everything in the folder, plays, and closes it again. */
async function playIn(
  folder: string,
  terminal: Terminal,
  progress: ShownProgress,
  signal: AbortSignal,
): Promise<Played> {
  const onDone = (what: string, durationMs: number): void => {
    progress.end()
    if (!terminal.interactive) return
    terminal.note(`${terminal.style('green', '✓')} ${what}  ${(durationMs / 1000).toFixed(1)} s`)
  }
  const began = systemClock.monotonic()
  progress.report({ phase: 'start', done: 0, unit: 'parts' })
  // Nothing of the surroundings counts here: the demo truncates, and must only ever see a database of its own.
  const config = loadConfig({ workingFolder: folder, environment: {}, flags: { data: folder, config: folder } })
  const logger = createLogger({ level: 'error' })
  await using headwater = await openHeadwater({ config, environment: {}, logger, roles: ['worker'] })
  onDone('PostgreSQL, catalog, queue and worker', systemClock.monotonic() - began)
  return await play({ headwater, folder, clock: systemClock, progress, signal, onDone })
}

function complainOfFailures(terminal: Terminal, runs: readonly DemoRun[]): number {
  const failed = runs.filter(hasFailed)
  for (const { label, state, error } of failed) {
    terminal.complain(`${label}: ${state}${error === null ? '' : ` ${error.code} ${error.message}`}`)
  }
  return failed.length === 0 ? EXIT.done : EXIT.failed
}

/** Where no terminal wraps the lines there is room for whole file names. */
const WIDTH_WITHOUT_TERMINAL = 120

function atLeast(width: number, terminal: Terminal): Terminal {
  return terminal.interactive ? terminal : { ...terminal, width: Math.max(width, terminal.width) }
}

/** Rejected rows are part of the example; anything else that was lost is not. */
function hasFailed({ state, balance: { proposals } }: DemoRun): boolean {
  return (state !== 'succeeded' && state !== 'partial') || proposals.refused + proposals.dead > 0
}
