/** What `lineage eval` shows: scores by group, and the misses. */
import type { Comparison } from '../../sql/eval/compare.ts'
import { percent, Tally, type Score, type Share } from '../../sql/eval/score.ts'
import type { Terminal } from '../terminal.ts'

export interface Miss {
  readonly file: string
  readonly id: string
  readonly sql: string
  readonly tables: Comparison | undefined
  readonly columns: Comparison | undefined
}

/** Tallies by the kinds of group that the scores are shown in. */
export class Scores {
  readonly all = new Tally()
  readonly groups = new Map<string, Map<string, Tally>>()

  tally(kind: string, name: string): Tally {
    const kinds = this.groups.get(kind) ?? new Map<string, Tally>()
    this.groups.set(kind, kinds)
    const tally = kinds.get(name) ?? new Tally()
    kinds.set(name, tally)
    return tally
  }
}

export function report(scores: Scores, misses: readonly Miss[] | undefined, unread: readonly string[]): object {
  const groups = [...scores.groups].map(([kind, tallies]) => {
    return [kind, Object.fromEntries([...tallies].map(([name, tally]) => [name, tally.score()]))]
  })
  return {
    all: scores.all.score(),
    ...Object.fromEntries(groups),
    unread,
    ...(misses === undefined ? {} : { misses }),
  }
}

export function printScores(
  terminal: Terminal,
  scores: Scores,
  misses: readonly Miss[],
  unread: readonly string[],
): void {
  const rows: [string, Score][] = []
  for (const [kind, tallies] of scores.groups) {
    if (tallies.has('(none)') && tallies.size === 1) continue
    for (const [name, tally] of tallies) rows.push([`${kind} ${name}`, tally.score()])
  }
  rows.push(['all', scores.all.score()])
  const width = Math.max(...rows.map(([name]) => name.length))
  terminal.print(
    terminal.style('bold', `${''.padEnd(width)}   cases  tables right      columns right     precision  recall`),
  )
  for (const [name, score] of rows) terminal.print(`${name.padEnd(width)}  ${scoreLine(score)}`)
  for (const miss of misses) printMiss(terminal, miss)
  for (const line of unread) terminal.complain(`not read: ${line}`)
}

function scoreLine({ cases, tables, columns, precision, recall }: Score): string {
  const edges =
    columns.of === 0 ? '' : `${(100 * precision).toFixed(1).padStart(9)} ${(100 * recall).toFixed(1).padStart(7)}`
  return `${String(cases).padStart(6)}  ${share(tables)}  ${share(columns)}${edges}`
}

function printMiss(terminal: Terminal, miss: Miss): void {
  terminal.print()
  terminal.print(terminal.style('red', `${miss.file} ${miss.id}`))
  terminal.print(
    terminal.style(
      'dim',
      miss.sql
        .trim()
        .split('\n')
        .map((line) => `  | ${line}`)
        .join('\n'),
    ),
  )
  for (const comparison of [miss.tables, miss.columns]) {
    for (const fact of comparison?.missing ?? []) terminal.print(`  missing  ${fact}`)
    for (const fact of comparison?.wrong ?? []) terminal.print(`  wrong    ${fact}`)
  }
}

function share(part: Share): string {
  return part.of === 0 ? '-'.padEnd(16) : `${part.right}/${part.of} ${percent(part).toFixed(1)} %`.padEnd(16)
}
