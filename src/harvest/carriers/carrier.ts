/**
 * Files of other kinds that carry SQL: programs, notebooks, mappers, changelogs, views of a BI tool. A carrier takes all
 * of a folder's files of its kind, since they may speak of one another, and gives SQL whose lines are those of the files.
 */
import type { TemplateText } from '../../sql/types.ts'

export interface CarrierFile {
  readonly path: string
  readonly text: string
}

/** SQL that a file carries. */
export interface CarriedText {
  readonly file: string
  /** With line breaks in front, so that its lines are those of the file. */
  readonly sql: string
  /** What the text makes, where its file says so. */
  readonly model?: TemplateText
}

/** Something that a carrier holds and cannot be read as SQL. */
export interface CarrierProblem {
  readonly file: string
  readonly line: number
  readonly message: string
}

export interface CarrierReading {
  readonly texts: readonly CarriedText[]
  readonly problems: readonly CarrierProblem[]
  /** Files whose text stands in `texts` already. */
  readonly claimed?: readonly string[]
  /** The dialect of its SQL, where the files say it. */
  readonly dialect?: string
}

export interface Carrier {
  /** Whether a file may be one, by its name. */
  fits(path: string): boolean
  /** Whether it may be one by its text, where names do not tell: cheap. */
  mayBe?(text: string): boolean
  /**
   * @param files all that fit; those that turn out to carry nothing give nothing
   * @param folder what else is there
   */
  read(files: readonly CarrierFile[], folder: CarrierFolder): CarrierReading
}

export interface CarrierFolder {
  /** All files that may hold or carry SQL. */
  readonly paths: readonly string[]
  /** The text of one of them; undefined where it cannot be had. */
  textOf(path: string): string | undefined
}

/** A carrier whose files have nothing to do with each other. */
export function eachAlone(fits: Carrier['fits'], sqlOf: (text: string) => string | undefined): Carrier {
  return {
    fits,
    read: (files) => ({
      texts: files.flatMap(({ path, text }) => {
        const sql = sqlOf(text)
        return sql === undefined || sql.trim() === '' ? [] : [{ file: path, sql }]
      }),
      problems: [],
    }),
  }
}
