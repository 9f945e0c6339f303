/** What became of the rows while they were read, and the files of those that were rejected. */
import { extname } from 'node:path'
import { ErrorsFile } from './errors-file.ts'
import type { RowReject } from './errors.ts'
import type { Header } from './header.ts'
import type { FileReport, RowsReport } from './report.ts'

interface FileAccount {
  readonly header: Header
  readonly errors: ErrorsFile
}

export class ImportAccount implements AsyncDisposable {
  readonly #files = new Map<string, FileAccount>()
  readonly #byCode = new Map<string, number>()
  readonly #errorsPath: string
  readonly #several: boolean

  /** @param errorsPath of the rejected rows; with several inputs, a number goes before its ending */
  constructor(errorsPath: string, options: { readonly several: boolean }) {
    this.#errorsPath = errorsPath
    this.#several = options.several
  }

  begin(file: string, header: Header, headerText: string): void {
    const path = this.#several ? errorsPathOf(this.#errorsPath, this.#files.size + 1) : this.#errorsPath
    this.#files.set(file, { header, errors: new ErrorsFile(path, header, headerText) })
  }

  async add(...rejects: readonly RowReject[]): Promise<void> {
    for (const reject of rejects) {
      this.#byCode.set(reject.code, (this.#byCode.get(reject.code) ?? 0) + 1)
      await this.#files.get(reject.place.file ?? '')?.errors.add(reject)
    }
  }

  /** Ends the files of rejected rows. @param records what became of the rows */
  async close(records: RowsReport['records']): Promise<RowsReport> {
    await this[Symbol.asyncDispose]()
    return { files: this.#fileReports(), records, rejectedByCode: Object.fromEntries(this.#byCode) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { errors } of this.#files.values()) await errors.close()
  }

  #fileReports(): readonly FileReport[] {
    return [...this.#files].map(([file, { header, errors }]) => ({
      file,
      delimiter: header.delimiter,
      ignored: [...header.ignored],
      ...(errors.rows === 0 ? {} : { errors: { path: errors.path, rows: errors.rows } }),
    }))
  }
}

/** Of one input of several, from 1: its number goes before the ending. */
export function errorsPathOf(path: string, number: number): string {
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}-${number}${ending}`
}
