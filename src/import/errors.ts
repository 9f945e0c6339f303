import { HeadwaterError, formatPlace, type Place } from '../model/errors.ts'

/** The first line of a CSV does not say what its columns are; nothing was read further. */
export class HeaderError extends HeadwaterError {
  readonly code = 'CSV_HEADER'
  override readonly badInput = true
  readonly place: Place

  constructor(what: string, place: Place, remedy: string) {
    super(`${formatPlace(place)}: ${what}`, { remedy })
    this.place = place
  }
}

/** A property that the header names has no definition in the catalog. */
export class UnknownPropertyError extends HeadwaterError {
  readonly code = 'UNKNOWN_PROPERTY'
  override readonly badInput = true
  readonly place: Place

  constructor(urn: string, place: Place) {
    super(`${formatPlace(place)}: the catalog has no definition of ${urn}`, {
      remedy:
        'create the definition first: headwater run import-csv --definitions FILE, or map the column to another property',
    })
    this.place = place
  }
}

/** Why a row cannot be used: name of the reason, sentence, and the column it is about. */
export interface RowProblem {
  readonly code: RowCode
  readonly message: string
  /** Name of the CSV's column. */
  readonly column?: string
}

/** Reasons for which rows are rejected, each in the README's table of errors. */
export type RowCode =
  | 'BROKEN_QUOTE'
  | 'CELL_COUNT'
  | 'CONTRADICTING_ROWS'
  | 'ENTITY_NOT_FOUND'
  | 'INVALID_URN'
  | 'INVALID_VALUE'
  | 'MISSING_RESOURCE'
  | 'NOT_APPLICABLE'
  | 'RECORD_INVALID'
  | 'UNKNOWN_COLUMN'

/** Thrown while a row is read, caught where the row's end is; never leaves this folder. */
export class RowError extends Error {
  readonly problem: RowProblem

  constructor(code: RowCode, message: string, column?: string) {
    super(message)
    this.problem = { code, message, ...(column === undefined ? {} : { column }) }
  }
}

/** A row that was not used, with the reason and the row itself, so that it can be mended and imported again. */
export interface RowReject {
  readonly code: RowCode
  readonly message: string
  readonly place: Place
  /** Name of the CSV's column that is to blame. */
  readonly columnName?: string
  readonly record: string
}
