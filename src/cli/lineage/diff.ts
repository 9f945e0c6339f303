import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { Command } from 'commander'
import { diffLineage, type LineageDiff } from '../../sql/encode/diff.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { EXIT, UsageError } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { addEngineFlags, engineOptions, type EngineFlags } from './options.ts'
import { lineageOfTexts } from './parse.ts'
import { readText, sqlFiles, type SqlText } from './sources.ts'

interface DiffFlags extends EngineFlags, CommonFlags {
  readonly exitCode?: boolean
}

/** `headwater lineage diff`. */
export function diffCommand(): Command {
  const diff = addEngineFlags(addCommonFlags(new Command('diff')))
    .description('edges that a change of SQL adds and removes, for reviews')
    .argument('<old>', 'a file, a folder of .sql files, or a git revision')
    .argument('<new>', 'the same; "worktree" means the files as they are now')
    .argument('[path]', 'with git revisions: the file or folder to compare', '.')
    .option('--exit-code', 'exit 1 when anything differs')
    .action((old: string, next: string, path: string, flags: DiffFlags) =>
      endWith(flags, (context) => diffAction({ old, next, path }, flags, context)),
    )
  return withExamples(
    diff,
    ['headwater lineage diff old.sql new.sql', 'two files'],
    ['headwater lineage diff main HEAD models/', 'two git revisions of a folder'],
    ['headwater lineage diff HEAD worktree etl.sql', 'what is not committed yet'],
  )
}

interface Sides {
  readonly old: string
  readonly next: string
  readonly path: string
}

async function diffAction(sides: Sides, flags: DiffFlags, { terminal }: CommandContext): Promise<number> {
  const options = engineOptions(flags)
  const [old, next] = await Promise.all([sides.old, sides.next].map((side) => textsOf(side, sides.path)))
  const difference = diffLineage(lineageOfTexts(old ?? [], options), lineageOfTexts(next ?? [], options))
  if (terminal.json) terminal.printJson(difference)
  else print(terminal, difference)
  const changed = Object.values(difference).some((facts) => facts.length > 0)
  return changed && flags.exitCode === true ? EXIT.failed : EXIT.done
}

function print(terminal: Terminal, { added, removed, changed }: LineageDiff): void {
  for (const fact of removed) terminal.print(terminal.style('red', `- ${fact}`))
  for (const fact of added) terminal.print(terminal.style('green', `+ ${fact}`))
  for (const { edge, before, after } of changed)
    terminal.print(terminal.style('yellow', `~ ${edge}  ${before} => ${after}`))
  if (added.length + removed.length + changed.length === 0) terminal.note('no difference in lineage')
}

/** What stands on a side: existing paths first, then revisions. */
async function textsOf(side: string, path: string): Promise<SqlText[]> {
  if (side === 'worktree') return sqlFiles(path).map((file) => ({ file, sql: readText(file) }))
  if (existsSync(side)) return sqlFiles(side).map((file) => ({ file, sql: readText(file) }))
  return textsOfRevision(side, path)
}

async function textsOfRevision(revision: string, path: string): Promise<SqlText[]> {
  if (revision.startsWith('-')) throw notFound(revision)
  const list = await git(['ls-tree', '-r', '--name-only', '-z', '--end-of-options', revision, '--', path], revision)
  const files = list.split('\0').filter((file) => file !== '' && (file.endsWith('.sql') || file === path))
  const texts: SqlText[] = []
  for (const file of files) texts.push({ file, sql: await git(['show', `${revision}:./${file}`], revision) })
  return texts
}

/** Largest text that git may hand over, bytes. */
const MAX_GIT_OUTPUT = 64 * 1024 * 1024

async function git(args: readonly string[], revision: string): Promise<string> {
  try {
    return (await promisify(execFile)('git', [...args], { maxBuffer: MAX_GIT_OUTPUT })).stdout
  } catch (error) {
    throw notFound(revision, error)
  }
}

function notFound(side: string, cause?: unknown): UsageError {
  return new UsageError(`${JSON.stringify(side)} is neither a path nor a git revision here`, {
    cause,
    remedy: 'name two files, two folders, or two revisions inside a git repository',
  })
}
