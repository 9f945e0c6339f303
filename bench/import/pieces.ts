/**
 * Our import in two commands, as one may give them anyway: the plan, and what it says carried out. Of ten million rows each
 * is done in a few minutes where both in one go are not.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPiece, type Piece } from '../../test/chaos/kit/piece.ts'
import { endWithBench } from '../kit/bench-folder.ts'
import { measure, ROOT, type Took } from '../kit/measure.ts'
import { writeRows } from './rows.ts'

const CLI = join(ROOT, 'src/cli.ts')

/** What the second command needs of the first. */
interface Planned {
  readonly rows: number
  readonly delayMs: number
  /** The plan names the catalog, so the stub has to stand there again. */
  readonly url: string
  readonly plan: string
  readonly took: Pick<Took, 'seconds' | 'workingSeconds' | 'peakMb' | 'cpuSeconds' | 'firstProgressSeconds'>
}

/** Plans the import of so many rows, and leaves the plan in the folder. */
export async function planPiece(folder: string, rows: number, delayMs: number): Promise<Took> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'rows.csv')
  await writeRows(file, rows)
  await using stub = stubAt(delayMs, 0)
  const [, url = ''] = await stub.line(/listening on (\S+)/)
  const flags = ['--file', file, '--catalog', url, '--data', join(folder, 'data'), '--missing', 'create', '--json']
  const took = await measure(process.execPath, [CLI, 'run', 'import-csv', ...flags])
  const [plan] = /plan-\d{8}T\d{6}-\w+/.exec(took.report ?? '') ?? []
  if (plan === undefined) throw new Error('the command told of no plan')
  const { seconds, workingSeconds, peakMb, cpuSeconds, firstProgressSeconds } = took
  const planned = {
    rows,
    delayMs,
    url,
    plan,
    took: { seconds, workingSeconds, peakMb, cpuSeconds, firstProgressSeconds },
  }
  await writeFile(join(folder, 'planned.json'), JSON.stringify(planned))
  return took
}

/** Carries out the plan that `planPiece` left, and removes the folder. @returns both commands together */
export async function applyPiece(folder: string): Promise<Planned & { readonly both: Took }> {
  const planned = JSON.parse(await readFile(join(folder, 'planned.json'), 'utf8')) as Planned
  await using stub = stubAt(planned.delayMs, Number(new URL(planned.url).port))
  await stub.line(/listening on/)
  const flags = ['--data', join(folder, 'data'), '--json']
  const applied = await measure(process.execPath, [CLI, 'run', 'import-csv', '--apply', planned.plan, ...flags])
  await rm(folder, { recursive: true, force: true })
  const { took } = planned
  const both = {
    ...applied,
    seconds: took.seconds + applied.seconds,
    workingSeconds: (took.workingSeconds ?? took.seconds) + (applied.workingSeconds ?? applied.seconds),
    cpuSeconds: took.cpuSeconds + applied.cpuSeconds,
    peakMb: Math.max(took.peakMb, applied.peakMb),
    firstProgressSeconds: took.firstProgressSeconds,
  }
  return { ...planned, both }
}

function stubAt(delayMs: number, port: number): Piece {
  const stub = startPiece({ script: 'bench/import/stub.ts', args: [String(delayMs), String(port)] })
  void stub.ended.then(endWithBench(stub.pid))
  return stub
}
