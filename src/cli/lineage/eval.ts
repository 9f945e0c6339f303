import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { caseOptions, readCase, type LineageCase } from '../../sql/eval/case.ts'
import { compareCase } from '../../sql/eval/compare.ts'
import { profileOfSource } from '../../sql/eval/profile.ts'
import { percent } from '../../sql/eval/score.ts'
import { parseLineage, type Profile } from '../../sql/index.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { printScores, report, Scores, type Miss } from './eval-report.ts'
import { readProfile } from './names.ts'
import { readText } from './sources.ts'

interface EvalFlags extends CommonFlags {
  readonly misses?: boolean
  readonly profile?: string
  readonly minTables?: string
  readonly minColumns?: string
}

/** `headwater lineage eval`. */
export function evalCommand(): Command {
  const command = addCommonFlags(new Command('eval'))
    .description('score the engine on cases with known answers')
    .argument('<cases...>', 'NDJSON files of cases with expected_tables and expected_columns')
    .option('--misses', 'show every case that is not right, with what is missing and what is wrong')
    .option('--profile <name>', 'one profile for all cases (default: by the source of each)')
    .option('--min-tables <percent>', 'least share of cases whose tables are exactly right', '100')
    .option('--min-columns <percent>', 'least share of cases whose columns are exactly right', '100')
    .action((files: string[], flags: EvalFlags) => endWith(flags, (context) => evalAction(files, flags, context)))
  return withExamples(
    command,
    ['headwater lineage eval cases.ndjson', 'right tables, right columns, precision and recall'],
    ['headwater lineage eval cases.ndjson --misses', 'and every miss'],
    ['headwater lineage eval *.ndjson --min-columns 99.5', 'exit 0 when enough is right'],
  )
}

async function evalAction(files: readonly string[], flags: EvalFlags, { terminal }: CommandContext): Promise<number> {
  const least = {
    tables: readPercent('--min-tables', flags.minTables),
    columns: readPercent('--min-columns', flags.minColumns),
  }
  const profile = flags.profile === undefined ? undefined : readProfile(flags.profile)
  const scores = new Scores()
  const misses: Miss[] = []
  const unread: string[] = []
  for (const file of files) await evalFile(file, { profile, scores, misses, unread })
  const total = scores.all.score()
  if (terminal.json) terminal.printJson(report(scores, flags.misses === true ? misses : undefined, unread))
  else printScores(terminal, scores, flags.misses === true ? misses : [], unread)
  const enough = percent(total.tables) >= least.tables && percent(total.columns) >= least.columns
  return enough && unread.length === 0 ? EXIT.done : EXIT.failed
}

interface Evaluation {
  readonly profile: Profile | undefined
  readonly scores: Scores
  readonly misses: Miss[]
  readonly unread: string[]
}

async function evalFile(file: string, evaluation: Evaluation): Promise<void> {
  readText(file)
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    number += 1
    if (line.trim() === '') continue
    const reading = readCase(line)
    if (reading.ok) evalCase(file, reading.value, evaluation)
    else evaluation.unread.push(`${file}:${number} ${reading.bad.error}`)
  }
}

function evalCase(file: string, one: LineageCase, { profile, scores, misses }: Evaluation): void {
  const rules = profile ?? profileOfSource(one.source)
  const verdict = compareCase(one, parseLineage(one.sql, caseOptions(one, rules)))
  const groups = [
    ['file', file],
    ['source', one.source ?? '(none)'],
    ['dialect', one.dialect],
    ['construct', one.construct ?? '(none)'],
  ] as const
  scores.all.add(verdict)
  for (const [kind, name] of groups) scores.tally(kind, name).add(verdict)
  if (verdict.tables?.exact !== false && verdict.columns?.exact !== false) return
  const sql = typeof one.sql === 'string' ? one.sql : one.sql.join(';\n')
  misses.push({ file, id: String(one.id), sql, ...verdict })
}

function readPercent(flag: string, text = '100'): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 100) return value
  throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a percentage from 0 to 100`)
}
