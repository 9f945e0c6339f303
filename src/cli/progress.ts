/** Progress for people (one line that redraws itself) and for programs (one JSON line a second), both on stderr. */
import { systemClock, type Clock } from '../observe/clock.ts'
import { type Progress, type ProgressReport, noProgress } from '../observe/progress.ts'
import type { Terminal } from './terminal.ts'

export interface ShownProgress extends Progress {
  /** Shows the last report and ends the line; nothing more where it has ended. */
  end(): void
}

export function showProgress(terminal: Terminal, clock: Clock, label: string): ShownProgress {
  if (terminal.quiet) return { ...noProgress, end() {} }
  return terminal.interactive ? bar(terminal, clock, label) : jsonLines(terminal, clock, label)
}

/** Says that the command works: before the large modules are loaded and the database starts. */
export function beginProgress(terminal: Terminal, job: string): ShownProgress {
  const progress = showProgress(terminal, systemClock, job)
  progress.report({ phase: 'start', done: 0, unit: 'steps' })
  return progress
}

const REDRAW_MS = 80
const LINE_MS = 1000

function bar(terminal: Terminal, clock: Clock, label: string): ShownProgress {
  const rate = rateOf(clock)
  let shownAt = -Infinity
  let last: ProgressReport | undefined
  const draw = (report: ProgressReport) => {
    process.stderr.write(`\r\u001b[2K${progressLine(report, label, rate(report), terminal.width)}`)
  }
  return {
    report(report) {
      last = report
      const now = clock.monotonic()
      if (now - shownAt < REDRAW_MS) return
      shownAt = now
      draw(report)
    },
    end() {
      if (last === undefined) return
      last = undefined
      process.stderr.write('\r\u001b[2K')
    },
  }
}

function jsonLines(terminal: Terminal, clock: Clock, label: string): ShownProgress {
  const rate = rateOf(clock)
  let shownAt = -Infinity
  let last: ProgressReport | undefined
  const say = (report: ProgressReport) => {
    const perSecond = Math.round(rate(report))
    terminal.note(JSON.stringify({ time: new Date(clock.now()).toISOString(), run: label, ...report, perSecond }))
  }
  return {
    report(report) {
      last = report
      const now = clock.monotonic()
      if (now - shownAt < LINE_MS) return
      shownAt = now
      last = undefined
      say(report)
    },
    end() {
      if (last !== undefined) say(last)
      last = undefined
    },
  }
}

/** Units a second since the phase was first told of. */
function rateOf(clock: Clock): (report: ProgressReport) => number {
  let phase: string | undefined
  let begunAt = 0
  let doneBefore = 0
  return (report) => {
    if (report.phase !== phase) {
      phase = report.phase
      begunAt = clock.monotonic()
      doneBefore = report.done
    }
    const seconds = (clock.monotonic() - begunAt) / 1000
    return seconds <= 0 ? 0 : (report.done - doneBefore) / seconds
  }
}

/** In as many words as the terminal is wide: a narrow one goes without the gauge, then with a share for the counts. */
export function progressLine(report: ProgressReport, label: string, perSecond: number, width: number): string {
  const { phase, done, total, unit, counts = {}, waiting } = report
  if (waiting !== undefined) return [label, phase, waiting].join('  ').slice(0, width - 1)
  // Nothing is done yet, and nobody knows of how much.
  if (done === 0 && total === undefined && report.counts === undefined) return `${label}  ${phase}`
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
  const drawn = share === undefined ? '' : gauge(share)
  const amount = `${done.toLocaleString('en')}${total === undefined ? '' : ` of ${total.toLocaleString('en')}`} ${unit}`
  const rest = [
    `${Math.round(perSecond).toLocaleString('en')}/s`,
    share === undefined || perSecond <= 0 ? '' : `${remaining(report, perSecond)} left`,
    ...Object.entries(counts).flatMap(([name, count]) =>
      count === 0 ? [] : [`${name} ${count.toLocaleString('en')}`],
    ),
  ]
  const percent = share === undefined ? amount : `${Math.floor(share * 100)} %`
  const ways = [[drawn, amount], [amount], [percent]].map((way) =>
    [label, phase, ...way, ...rest].filter((part) => part !== '').join('  '),
  )
  const fitting = ways.find((way) => way.length < width)
  return fitting ?? (ways.at(-1) ?? '').slice(0, width - 1)
}

function gauge(share: number): string {
  const full = Math.round(share * 20)
  return '█'.repeat(full) + '░'.repeat(20 - full)
}

function remaining(report: ProgressReport, perSecond: number): string {
  const seconds = Math.ceil(((report.total ?? 0) - report.done) / perSecond)
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
