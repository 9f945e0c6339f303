import { DecodeError } from '../../model/errors.ts'

/** How to reach a PostgreSQL that is harvested. */
export interface PostgresAddress {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly tls: boolean
  /** For messages. */
  readonly shown: string
}

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text)
}

/**
 * `postgres://USER@HOST:PORT/DATABASE`, with `?sslmode=require` for TLS; `postgres://USER@/DATABASE?host=/folder` for a
 * Unix socket. A job's input is kept and shown, so a password in it is refused.
 * @throws DecodeError
 */
export function postgresAddress(text: string): PostgresAddress {
  // `URL` wants a host where a socket's folder stands in the query.
  const withHost = text.replace(/^(postgres(?:ql)?:\/\/[^/@]*@)\//i, '$1socket/')
  if (!URL.canParse(withHost)) throw wrong('it is not a URL of the form postgres://USER@HOST:PORT/DATABASE')
  const url = new URL(withHost)
  if (url.password !== '' || url.searchParams.has('password')) {
    throw wrong('a password must not stand in it', 'take it out and export PGPASSWORD (or name another variable)')
  }
  for (const key of url.searchParams.keys()) {
    if (!KNOWN.includes(key)) throw wrong(`unknown parameter ${JSON.stringify(key)}`, `known are ${KNOWN.join(', ')}`)
  }
  const database = decodeURIComponent(url.pathname.slice(1))
  if (database === '') throw wrong('it names no database')
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const port = Number(url.port || (url.searchParams.get('port') ?? 5432))
  const user = decodeURIComponent(url.username)
  if (user === '') throw wrong('it names no user')
  const tls = !['disable', 'allow', 'prefer', null].includes(url.searchParams.get('sslmode'))
  return { host, port, user, database, tls, shown: `postgres://${user}@${host}:${port}/${database}` }
}

const KNOWN: readonly string[] = ['host', 'port', 'sslmode']

function wrong(what: string, remedy = 'mend the URL of the source'): DecodeError {
  return new DecodeError(`the address of the PostgreSQL cannot be used: ${what}`, { path: 'source' }, { remedy })
}
