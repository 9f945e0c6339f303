import { HeadwaterError } from '../model/errors.ts'

/** A truncation that did not do what it should. */
export class TruncationFailedError extends HeadwaterError {
  readonly code = 'TRUNCATION_FAILED'
  override readonly retryable: boolean
  readonly indexName: string

  constructor(indexName: string, reason: string, options: { readonly retryable?: boolean } = {}) {
    super(`truncation of ${indexName}: ${reason}`, {
      remedy: "look into the catalog's log, then run retention again: what is gone already is not asked for twice",
    })
    this.indexName = indexName
    this.retryable = options.retryable ?? false
  }
}

/** An archive that does not hold what it says, or what it is to hold. */
export class ArchiveError extends HeadwaterError {
  readonly code = 'ARCHIVE_BROKEN'
  override readonly badInput: boolean
  readonly file: string

  constructor(file: string, reason: string, options: { readonly badInput?: boolean; readonly cause?: unknown } = {}) {
    super(`${file}: ${reason}`, {
      ...options,
      remedy: 'take another copy of the file together with its .json, or look into what wrote it; nothing was changed',
    })
    this.file = file
    this.badInput = options.badInput ?? false
  }
}
