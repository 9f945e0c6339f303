import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { Command } from 'commander'
import { diffLineage, type LineageDiff } from '../../sql/encode/diff.ts'
import type { ScriptLineage } from '../../sql/index.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { readDbtFolder } from './dbt-folder.ts'
import { addEngineFlags, engineOptions, withSharedVariables, type EngineFlags } from './options.ts'
import { lineageOfTexts } from './parse.ts'
import { checkOut, projectAbove } from './revision.ts'
import { sqlOfPath } from './sources.ts'

interface DiffFlags extends EngineFlags, CommonFlags {
  readonly exitCode?: boolean
}

/** `headwater lineage diff`. */
export function diffCommand(): Command {
  const diff = addEngineFlags(addCommonFlags(new Command('diff')))
    .description('edges that a change of SQL adds and removes, for reviews')
    .argument('<old>', 'a file, a folder of SQL files, a dbt project, or a git revision')
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
  const old = await lineageOfSide(sides.old, sides.path, flags)
  const next = await lineageOfSide(sides.next, sides.path, flags)
  const difference = diffLineage(old, next)
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
async function lineageOfSide(side: string, path: string, flags: DiffFlags): Promise<ScriptLineage> {
  if (side === 'worktree') return lineageOfPath(resolve(path), flags)
  if (existsSync(side)) return lineageOfPath(resolve(side), flags)
  await using revision = await checkOut(side)
  const folder = resolve(revision.folder, path)
  return existsSync(folder) ? await lineageOfPath(folder, flags) : lineageOfTexts([], engineOptions(flags))
}

/** A file, a folder, a dbt project or a part of one. */
async function lineageOfPath(path: string, flags: DiffFlags): Promise<ScriptLineage> {
  const options = engineOptions(flags)
  const project = projectAbove(path)
  if (project !== undefined) {
    const read = await readDbtFolder(project, options, flags.dialect)
    const lineage = lineageOfTexts(read.texts, read.options)
    return project === path ? lineage : withinPath(lineage, path)
  }
  const { texts } = sqlOfPath(path)
  return lineageOfTexts(texts, withSharedVariables(texts, options))
}

/** Only what the statements of the path's files say. */
function withinPath(lineage: ScriptLineage, path: string): ScriptLineage {
  const statements = lineage.statements.filter(({ file }) => {
    const from = relative(path, resolve(file ?? ''))
    return !(from === '..' || from.startsWith(`..${sep}`))
  })
  const names = (of: 'inputs' | 'outputs'): string[] => [...new Set(statements.flatMap((statement) => statement[of]))]
  const tables = { inputs: names('inputs'), outputs: names('outputs'), intermediates: [] }
  return { ...lineage, statements, tables, columns: statements.flatMap(({ columns }) => columns) }
}
