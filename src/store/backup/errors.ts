import { HeadwaterError } from '../../model/errors.ts'

/** A file is no backup, or not a whole one. */
export class BackupUnreadableError extends HeadwaterError {
  readonly code = 'BACKUP_UNREADABLE'
  override readonly badInput = true

  constructor(reason: string, line: number, cause?: unknown) {
    super(`the backup cannot be read, line ${line}: ${reason}`, {
      ...(cause === undefined ? {} : { cause }),
      remedy: 'take another copy of the file; nothing was restored',
    })
  }
}

/** The database that a backup was to go into has rows of its own. */
export class BackupTargetError extends HeadwaterError {
  readonly code = 'BACKUP_TARGET_NOT_EMPTY'
  override readonly badInput = true

  constructor(table: string) {
    super(`a backup is restored into an empty database; this one has rows in ${table}`, {
      remedy: 'choose an empty folder with --data, or an empty database with DATABASE_URL',
    })
  }
}
