/** What an import came to, for programs (JSON), for a ticket (Markdown) and for the terminal: the same exact totals. */
import type { JsonObject } from '../model/json.ts'
import type { ItemTally } from '../client/tally.ts'

/** One input. */
export interface FileReport {
  readonly file: string
  /** As found or given. */
  readonly delimiter: string
  /** Columns that were passed over. */
  readonly ignored: readonly string[]
  /** Rows that were not used, with their reasons; absent where there is none. */
  readonly errors?: { readonly path: string; readonly rows: number }
}

export interface ImportReport {
  readonly files: readonly FileReport[]
  readonly records: Readonly<Record<'read' | 'used' | 'duplicate' | 'noEffect' | 'rejected', number>>
  readonly rejectedByCode: Readonly<Record<string, number>>
  /** Of a plan. */
  readonly planned?: { readonly aspects: Readonly<Record<string, number>>; readonly items: ItemTally }
  /** Of what was carried out. */
  readonly proposals?: Readonly<Record<'made' | 'written' | 'unchanged' | 'refused' | 'dead', number>>
}

export function reportJson(report: ImportReport): JsonObject {
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
  const { files, records, rejectedByCode, planned, proposals } = report
  return `${[
    '# Import',
    table(
      ['file', 'delimiter', 'columns passed over', 'rejected rows'],
      files.map((file) => [
        file.file,
        JSON.stringify(file.delimiter),
        file.ignored.join(', '),
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
  const passed = ignored.length === 0 ? '' : `, columns passed over: ${ignored.join(', ')}`
  return `${file}: delimiter ${JSON.stringify(delimiter)}${passed}`
}
