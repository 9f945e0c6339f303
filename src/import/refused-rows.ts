/**
 * Which rows asked for what the catalog then refused, so that they stand in the errors file beside those that were
 * rejected before. What was refused is kept in a file of the run, since an attempt that goes on where another was killed
 * does not meet it again; the input is read a second time only where there is something to look for.
 */
import { appendFileSync, createReadStream, existsSync } from 'node:fs'
import type { DeadLetter } from '../client/journal.ts'
import { aspectId } from '../client/sink.ts'
import { isJsonObject, textAt } from '../model/json.ts'
import { linesOf } from '../model/lines.ts'
import { decodeUtf8 } from '../model/utf8.ts'
import { changesOf, type Merges } from './aspects.ts'
import type { EditRow } from './edits.ts'
import { ErrorsFile } from './errors-file.ts'
import type { Header } from './header.ts'
import type { ImportContext, ImportSettings } from './import-context.ts'
import { mergesOf } from './planned.ts'
import { readRows, type Learnt } from './read-rows.ts'

interface Refusal {
  readonly code: string
  readonly message: string
}

/** More are in the ledger only: then it is no matter of mending rows. */
const MOST_KEPT = 100_000

/** What was refused or given up, by aspect; in a file, so that a later attempt knows it too. */
export class Refusals {
  readonly #path: string
  #kept = 0

  constructor(path: string) {
    this.#path = path
  }

  add(letters: readonly DeadLetter[]): void {
    const some = letters.slice(0, Math.max(0, MOST_KEPT - this.#kept))
    if (some.length === 0) return
    this.#kept += some.length
    const lines = some.map(({ proposal: { entityUrn: urn, aspectName }, code, reason }) =>
      JSON.stringify({ key: aspectId({ urn, aspectName }), code, message: reason }),
    )
    appendFileSync(this.#path, `${lines.join('\n')}\n`, { mode: 0o600 })
  }

  async byAspect(): Promise<ReadonlyMap<string, Refusal>> {
    const found = new Map<string, Refusal>()
    if (!existsSync(this.#path)) return found
    for await (const line of linesOf(decodeUtf8(createReadStream(this.#path), this.#path))) {
      const refusal: unknown = JSON.parse(line)
      const [key, code = '', message = ''] = ['key', 'code', 'message'].map((name) => textAt(refusal, name))
      if (isJsonObject(refusal) && key !== undefined) found.set(key, { code, message })
    }
    return found
  }
}

/** The errors file of one input, as the planning run left it. */
export interface ErrorsPlace {
  readonly path: string
  /** Rows stand there already: further ones are added. */
  readonly begun: boolean
}

/**
 * Adds the rows whose aspects were refused to the errors files.
 * @param placeOf the errors file of an input
 * @returns the rows added to each file, by its path
 * @throws what reading the input throws
 */
export async function addRefusedRows(
  refused: ReadonlyMap<string, Refusal>,
  settings: ImportSettings,
  context: Pick<ImportContext, 'sink' | 'stamp' | 'folder' | 'signal'>,
  placeOf: (file: string) => ErrorsPlace,
): Promise<ReadonlyMap<string, number>> {
  const merges = mergesOf({ ...settings, stamp: context.stamp })
  const learnt: Learnt = {
    definitions: new Map(settings.definitions.map((definition) => [definition.urn, definition])),
    headers: new Map<string, Header>(),
  }
  const files = new Map<string, ErrorsFile>()
  // The rows were counted when the plan was made.
  const silent = { ...context, records: () => {}, reject: () => Promise.resolve() }
  const onHeader = (file: string, header: Header, text: string): void => {
    const { path, begun } = placeOf(file)
    files.set(file, new ErrorsFile(path, header, text, { begun }))
  }
  try {
    for await (const rows of readRows(settings, { ...silent, onHeader }, learnt)) {
      for (const row of rows) {
        const refusal = refusalOf(row, refused, merges)
        if (refusal === undefined) continue
        const place = { file: row.file, line: row.line }
        await files.get(row.file)?.add({ ...refusal, place, record: row.text })
      }
    }
  } finally {
    for (const file of files.values()) if (file.rows > 0) await file.close()
  }
  return new Map([...files.values()].filter((file) => file.rows > 0).map((file) => [file.path, file.rows]))
}

/** Of a row, the first of its aspects that was refused. */
function refusalOf(row: EditRow, refused: ReadonlyMap<string, Refusal>, merges: Merges): Refusal | undefined {
  const { urn, fieldPath, edits } = row
  const columns = new Map(fieldPath === undefined ? [] : [[fieldPath, edits]])
  for (const change of changesOf({ urn, own: fieldPath === undefined ? edits : {}, columns }, merges)) {
    const refusal = refused.get(aspectId(change))
    if (refusal !== undefined) return refusal
  }
  return undefined
}
