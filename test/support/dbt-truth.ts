import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSession, type StatementLineage } from '../../src/sql/index.ts'
import { readDbtProject } from '../../src/harvest/dbt/read-project.ts'
import { textsOf } from '../../src/harvest/dbt/texts.ts'
import { dbtProjectFolder } from './dbt-projects.ts'

/** Lineage of one table of a project: inputs, and the sources of each column. */
interface TableTruth {
  readonly inputs: readonly string[]
  readonly columns: Readonly<Record<string, readonly string[]>>
}
export type ProjectTruth = Readonly<Record<string, TableTruth>>

/** What was written down by hand beside a project. */
export function truthOf(name: Parameters<typeof dbtProjectFolder>[0]): ProjectTruth {
  const truth: Record<string, { inputs: readonly string[]; columns: Record<string, readonly string[]> }> = {}
  let table = ''
  for (const line of readFileSync(join(dbtProjectFolder(name), 'truth.txt'), 'utf8').split('\n')) {
    const column = /^ {2}(\S+) <-(.*)$/.exec(line)
    const head = /^([^#\s]\S*):(.*)$/.exec(line)
    if (head) truth[(table = head[1]!)] = { inputs: names(head[2]!), columns: {} }
    else if (column) truth[table]!.columns[column[1]!] = names(column[2]!)
  }
  return truth
}

function names(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .toSorted()
}

/** What the engine reads from the project's folder. */
export async function lineageOf(
  name: Parameters<typeof dbtProjectFolder>[0],
  options: NonNullable<Parameters<typeof readDbtProject>[1]> & { readonly dialect: string },
): Promise<{ tables: ProjectTruth; statements: readonly StatementLineage[] }> {
  const project = await readDbtProject(dbtProjectFolder(name), options)
  const session = createSession({ dialect: options.dialect, project: project.facts })
  const statements = textsOf(project).flatMap(({ file, sql, model }) =>
    session.add(sql, { file, ...(model ? { model } : {}) }),
  )
  const { tables } = session.lineage()
  const made = statements.filter(
    ({ outputs, kind }) => kind !== 'table' && outputs.some((output) => tables.outputs.includes(output)),
  )
  return {
    tables: Object.fromEntries(made.map((statement) => [statement.outputs[0]!, tableTruth(statement)])),
    statements,
  }
}

function tableTruth({ inputs, columns }: StatementLineage): TableTruth {
  return {
    inputs: inputs.toSorted(),
    columns: Object.fromEntries(
      columns.map(({ downstream, upstreams }) => [
        downstream.column,
        upstreams.map(({ table, column }) => `${table}.${column}`).toSorted(),
      ]),
    ),
  }
}
