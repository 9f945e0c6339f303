/**
 * Progress of something long. Who works reports facts as often as it likes; who shows them decides how and how often
 * (bars on a terminal, one JSON line a second elsewhere).
 */
export interface ProgressReport {
  /** What is being done, for example `parse`, `emit`. */
  readonly phase: string
  readonly done: number
  /** Absent while the end is not known. */
  readonly total?: number
  readonly unit: string
  /** Counts by outcome and other figures worth seeing, for example `{ written: 10, concurrency: 4 }`. */
  readonly counts?: Readonly<Record<string, number>>
  /** What it waits for, with the failure that it waits after; absent while work goes on. */
  readonly waiting?: string
}

export interface Progress {
  report(report: ProgressReport): void
}

/** Shows nothing. */
export const noProgress: Progress = { report() {} }
