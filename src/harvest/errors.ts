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
