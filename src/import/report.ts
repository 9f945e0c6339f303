/** What an import came to, for programs (JSON), for a ticket (Markdown) and for the terminal: the same exact totals. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { decode } from '../model/decode.ts'
import type { JsonObject } from '../model/json.ts'
import type { Conditions } from '../client/deliver.ts'
import type { ItemTally } from '../client/tally.ts'

const FileReport = Type.Object({
  file: Type.String(),
  /** As found or given. */
  delimiter: Type.String(),
  /** Columns that were passed over. */
  ignored: Type.Array(Type.String()),
  /** Rows that were not used, with their reasons; absent where there is none. */
  errors: Type.Optional(Type.Object({ path: Type.String(), rows: Type.Number() })),
})
/** One input. */
export type FileReport = Readonly<Static<typeof FileReport>>

const RowsReport = Type.Object({
  files: Type.Array(FileReport),
  records: Type.Object({
    read: Type.Number(),
    used: Type.Number(),
    duplicate: Type.Number(),
    noEffect: Type.Number(),
    rejected: Type.Number(),
  }),
  rejectedByCode: Type.Record(Type.String(), Type.Number()),
})
/** What became of the rows: known when they are read, kept in the plan for the run that carries it out. */
export interface RowsReport {
  readonly files: readonly FileReport[]
  readonly records: Readonly<Static<typeof RowsReport>['records']>
  readonly rejectedByCode: Readonly<Record<string, number>>
}

/** What a plan keeps of it. @throws DecodeError for the plan of an earlier version */
export function readRowsReport(kept: unknown): RowsReport {
  return decode(RowsReport, kept)
}

export interface ImportReport extends RowsReport {
  /** Of a plan. */
  readonly planned?: { readonly aspects: Readonly<Record<string, number>>; readonly items: ItemTally }
  /** How its writes were kept from overwriting what came in between. */
  readonly conditions?: Conditions
  /** Of what was carried out. */
  readonly proposals?: Readonly<Record<'made' | 'written' | 'unchanged' | 'refused' | 'dead', number>>
}

/** Writes `report.md` and `report.json` into the folder. */
export async function writeReport(folder: string, report: ImportReport): Promise<void> {
  await writeFile(join(folder, 'report.md'), reportMarkdown(report), { mode: 0o600 })
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 })
}

/** The same as plain JSON. */
export function reportJson(report: RowsReport | ImportReport): JsonObject {
  return JSON.parse(JSON.stringify(report)) as JsonObject
}

/** For the terminal. */
export function reportLines({ files, records, rejectedByCode }: ImportReport): readonly string[] {
  const { read, used, duplicate, noEffect, rejected } = records
  return [
    ...files.map((file) => fileLine(file)),
    `${read} rows: ${used} used, ${duplicate} duplicate, ${noEffect} without effect, ${rejected} rejected`,
    ...Object.entries(rejectedByCode).map(([code, count]) => `  ${count} × ${code}`),
    ...files.flatMap(({ errors }) =>
      errors === undefined ? [] : [`rejected rows with their reasons, to be mended and imported again: ${errors.path}`],
    ),
  ]
}

/** A page that can be kept. */
export function reportMarkdown(report: ImportReport): string {
  const { files, records, rejectedByCode, planned, proposals, conditions } = report
  return `${[
    '# Import',
    table(
      ['file', 'delimiter', 'columns passed over', 'rejected rows'],
      files.map((file) => [
        file.file,
        JSON.stringify(file.delimiter),
        namesOf(file.ignored),
        file.errors === undefined ? 'none' : `${file.errors.rows}, in ${file.errors.path}`,
      ]),
    ),
    '## Rows',
    table(['read', 'used', 'duplicate', 'no effect', 'rejected'], [Object.values(ordered(records))]),
    ...(records.rejected === 0
      ? []
      : ['## Why rows were rejected', table(['code', 'rows'], Object.entries(rejectedByCode))]),
    ...(planned === undefined
      ? []
      : ['## Planned', figures('aspects', planned.aspects), figures('items', { ...planned.items })]),
    ...(proposals === undefined ? [] : ['## Carried out', figures('proposals', proposals)]),
    ...(conditions === undefined ? [] : [figures('writes', { ...conditions })]),
  ].join('\n\n')}\n`
}

function ordered({ read, used, duplicate, noEffect, rejected }: ImportReport['records']): object {
  return { read, used, duplicate, noEffect, rejected }
}

function figures(what: string, counts: Readonly<Record<string, number>>): string {
  return table([what, ...Object.keys(counts)], [['', ...Object.values(counts)]])
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [tableLine(head), tableLine(head.map(() => '---')), ...rows.map(tableLine)].join('\n')
}

function tableLine(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function fileLine({ file, delimiter, ignored }: FileReport): string {
  const passed = ignored.length === 0 ? '' : `, columns passed over: ${namesOf(ignored)}`
  return `${file}: delimiter ${JSON.stringify(delimiter)}${passed}`
}

/** Names that are shown; report.json has all of them. */
const SHOWN_NAMES = 20

function namesOf(names: readonly string[]): string {
  const more = names.length > SHOWN_NAMES ? `, … (${names.length} in all)` : ''
  return `${names.slice(0, SHOWN_NAMES).join(', ')}${more}`
}
