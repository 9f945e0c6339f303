import { HeadwaterError } from '../model/errors.ts'

/** There is nothing to harvest at the place given. */
export class NoSqlFoundError extends HeadwaterError {
  readonly code = 'NO_SQL_FOUND'
  override readonly badInput = true

  constructor(source: string) {
    super(`no SQL in ${source}`, {
      remedy: 'name a folder that holds .sql files, a .sql file, or a query log (.ndjson, one object a line)',
    })
  }
}

/** It is not known to which platform the tables of a source belong. */
export class PlatformUnknownError extends HeadwaterError {
  readonly code = 'PLATFORM_UNKNOWN'
  override readonly badInput = true

  constructor(file: string) {
    super(`it is not known to which platform the tables in ${file} belong`, {
      remedy: 'give --platform (for example snowflake), or a headwater.yaml in the folder that says it by path',
    })
  }
}

/** The events of a harvest were not taken; what the catalog should get it has. */
export class OpenLineageReceiverError extends HeadwaterError {
  readonly code = 'OPENLINEAGE_RECEIVER'
  override readonly retryable: boolean
  readonly url: string

  constructor(url: string, cause: HeadwaterError) {
    super(`the OpenLineage receiver took no event: ${cause.message.replace('the catalog at', 'the receiver at')}`, {
      cause,
      remedy:
        'check its address and OPENLINEAGE_API_KEY, then harvest again, which tells all events anew; or write them to a file',
    })
    this.retryable = cause.retryable
    this.url = url
  }
}
