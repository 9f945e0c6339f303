import { Command } from 'commander'
import { explainColumn } from '../../sql/encode/explain.ts'
import { explainMissing } from '../../sql/encode/explain-missing.ts'
import { createSession, type LineageOptions, type ScriptLineage } from '../../sql/index.ts'
import { endWith, withExamples, type CommandContext } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import { runCaseStream } from './case-stream.ts'
import { isDbtFolder, readDbtFolder, type ReadTexts } from './dbt-folder.ts'
import { readChoice, readDialect } from './names.ts'
import { addEngineFlags, engineOptions, withSharedVariables, type EngineFlags } from './options.ts'
import { FORMATS, render, type Format } from './render.ts'
import { readSources, type SqlText } from './sources.ts'

interface ParseFlags extends EngineFlags {
  readonly statement?: string
  readonly format?: string
  readonly explain?: string
  readonly explainMissing?: readonly string[]
  readonly namespace?: string
  readonly platform?: string
  readonly env?: string
  readonly secondOpinion?: string
  readonly frontEnd?: string
  readonly threads?: string
  readonly timeLimit?: string
}

/** `headwater lineage parse`. */
export function parseCommand(): Command {
  const parse = addEngineFlags(new Command('parse'))
    .description('lineage of SQL files, folders, standard input (-) or a statement (-e)')
    .argument(
      '[file...]',
      'files, folders of SQL files or a dbt project, read in order in one session; - is standard input',
    )
    .option('-e, --statement <sql>', 'the SQL itself')
    .option('--format <format>', `${FORMATS.join(', ')}; ndjson without a file reads cases (default tree)`)
    .option('--explain <table.column>', 'tell step by step where a column comes from')
    .option('--explain-missing <from-to...>', 'two names: tell where the way from the first to the second breaks')
    .option(
      '--second-opinion <which>',
      'a second, strict parser for five dialects: off, sampled (one text in ten), all',
      'off',
    )
    .option('--front-end <which>', 'tolerant, or strict: sql-parser-cst alone', 'tolerant')
    .option('--namespace <uri>', 'openlineage: namespace of the datasets', 'sql')
    .option('--platform <name>', 'datahub: platform in the URNs (default the dialect)')
    .option('--env <name>', 'datahub: environment in the URNs', 'PROD')
    .option('--threads <number>', 'cases: worker threads (default one a core)')
    .option('--time-limit <ms>', 'cases: longest time for one case, milliseconds', '10000')
    .action((files: string[], flags: ParseFlags) => endWith({}, (context) => parseAction(files, flags, context)))
  return withExamples(
    parse,
    ['headwater lineage parse -e "INSERT INTO a SELECT x FROM b"', 'a statement, as a tree'],
    ['headwater lineage parse etl/ --dialect snowflake --schema ddl.sql', 'a folder, with known columns'],
    ['headwater lineage parse dbt/', 'a dbt project, without rendering it'],
    ['headwater lineage parse etl.sql --format mermaid', 'a drawing'],
    ['headwater lineage parse etl.sql --explain mart.sales.total', 'how one column comes about'],
    ['headwater lineage parse etl.sql --explain-missing raw.orders mart.sales', 'why there is no way'],
    ['headwater lineage parse --format ndjson < cases.ndjson', 'cases in, results out, one a line'],
  )
}

async function parseAction(files: readonly string[], flags: ParseFlags, context: CommandContext): Promise<number> {
  const format = readChoice('--format', flags.format ?? 'tree', FORMATS)
  if (format === 'ndjson' && files.length === 0 && flags.statement === undefined) {
    await runCaseStream(process.stdin, process.stdout, {
      profile: engineOptions(flags).profile ?? 'datahub',
      threads: wholeNumber('--threads', flags.threads),
      timeLimitMs: wholeNumber('--time-limit', flags.timeLimit) ?? 10_000,
    })
    return EXIT.done
  }
  const { texts, options, problems } = await readAsked(files, flags)
  for (const problem of problems) context.terminal.complain(problem)
  const explains = flags.explain !== undefined || flags.explainMissing !== undefined
  // Only `datahub` folds temporary tables away; an explanation shows every step.
  const lineage = await readTexts(texts, explains ? { ...options, profile: 'openlineage' } : options, flags)
  process.stdout.write(answer(lineage, texts, { flags, format, options }, context))
  return wasUnderstood(lineage) && problems.length === 0 ? EXIT.done : EXIT.partial
}

/** The texts and how they are read; the folder of a dbt project tells more than its files. */
async function readAsked(files: readonly string[], flags: ParseFlags): Promise<ReadTexts> {
  const options = engineOptions(flags)
  const [folder] = files
  if (folder !== undefined && files.length === 1 && flags.statement === undefined && isDbtFolder(folder))
    return readDbtFolder(folder, options, flags.dialect)
  const { texts, problems, dialect } = await readSources(files, flags.statement)
  const said =
    flags.dialect === undefined && dialect !== undefined ? { ...options, dialect: readDialect(dialect) } : options
  return { texts, options: withSharedVariables(texts, said), problems }
}

/** All texts in order, in one session. */
export function lineageOfTexts(texts: readonly SqlText[], options: LineageOptions): ScriptLineage {
  const session = createSession(options)
  if (texts.length > 1) for (const { sql, file } of texts) session.foresee(sql, file === undefined ? {} : { file })
  for (const { sql, ...source } of texts) session.add(sql, source)
  return session.lineage()
}

const OPINIONS = ['off', 'sampled', 'all'] as const
const SAMPLED_SHARE = 0.1

/** With the front end and the second opinion that were asked for. The strict parser is loaded only where it is used. */
async function readTexts(
  texts: readonly SqlText[],
  options: LineageOptions,
  flags: ParseFlags,
): Promise<ScriptLineage> {
  const opinion = readChoice('--second-opinion', flags.secondOpinion ?? 'off', OPINIONS)
  const frontEnd = readChoice('--front-end', flags.frontEnd ?? 'tolerant', ['tolerant', 'strict'])
  if (opinion === 'off' && frontEnd === 'tolerant') return lineageOfTexts(texts, options)
  const strict = await import('../../sql/strict/second-opinion.ts')
  if (frontEnd === 'tolerant') {
    return strict.lineageWithOpinion(texts, options, opinion === 'sampled' ? { share: SAMPLED_SHARE } : opinion)
  }
  const lineage = strict.lineageByStrictParser(texts, options)
  if (lineage !== undefined) return lineage
  throw new UsageError('the strict parser has no answer for this text', {
    remedy: 'it reads bigquery, mariadb, mysql, postgres and sqlite, and no templates; use --front-end tolerant',
  })
}

interface Asked {
  readonly flags: ParseFlags
  readonly format: Format
  readonly options: LineageOptions
}

function answer(lineage: ScriptLineage, texts: readonly SqlText[], asked: Asked, { terminal }: CommandContext): string {
  const { flags, format, options } = asked
  if (flags.explain !== undefined) return explainColumn(lineage, flags.explain)
  if (flags.explainMissing !== undefined) {
    const [from, to] = flags.explainMissing
    if (from !== undefined && to !== undefined) return explainMissing(lineage, from, to)
    throw new UsageError('--explain-missing takes two names', { remedy: '--explain-missing raw.orders mart.sales' })
  }
  const name = texts.map((text) => text.file ?? 'statement').join(', ')
  const dialect = options.dialect ?? 'ansi'
  const rendering = {
    format,
    name,
    sql: texts.map((text) => text.sql).join('\n'),
    dialect,
    namespace: flags.namespace ?? 'sql',
    platform: flags.platform ?? dialect,
    env: flags.env ?? 'PROD',
  }
  return render(lineage, rendering, terminal)
}

/** Nothing was stepped over, and nothing is in doubt. */
function wasUnderstood(lineage: ScriptLineage): boolean {
  const skipped = lineage.statements.some((statement) => statement.skipped > 0 || statement.kind === 'other')
  return !skipped && lineage.diagnostics.every((diagnostic) => diagnostic.severity === 'info')
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new UsageError(`${flag}: ${JSON.stringify(text)} is not a whole number above 0`)
}
