import { HeadwaterError } from '../model/errors.ts'
import { DatabaseStartTimeoutError, DataFolderRightsError, DiskFullError } from './errors.ts'
import type { Place } from './place.ts'

const PG_DISK_FULL = '53100'

/** The reason behind an error of the file system, the database or the clock, as one of ours; others stay as they are. */
export function explained(cause: unknown, place: Place, timeout: { signal: AbortSignal; ms: number }): unknown {
  if (cause instanceof HeadwaterError) return cause
  if (timeout.signal.aborted && cause === timeout.signal.reason) {
    return new DatabaseStartTimeoutError(`the database of ${place.dataDir} is not ready`, timeout.ms, place.logFile)
  }
  const code = String((cause as { code?: unknown }).code)
  if (['ENOSPC', 'EDQUOT', PG_DISK_FULL].includes(code)) return new DiskFullError(place.dataDir, { cause })
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) {
    return new DataFolderRightsError(`${place.dataDir} cannot be used (${(cause as Error).message})`, {
      cause,
      remedy: 'run the command as its owner or as root, make the folder above it writable, choose another with --data',
    })
  }
  return cause
}
