import { join } from 'node:path'
import { probeEmbeddedPostgres } from '../../embedded/probe.ts'
import { fail, ok, warn, worstOf, type Check, type Finding } from './check.ts'

/** `server_version_num`: major version times 10,000, plus the minor. */
const LEAST_VERSION_NUM = 140_000
const WANTED_CONNECTIONS = 50

export interface ServerFacts {
  readonly version: string
  readonly versionNum: number
  readonly encoding: string
  readonly maxConnections: number
  readonly isReplica: boolean
  readonly mayCreate: boolean
}

export const databaseCheck: Check = {
  name: 'database',
  async run(patient) {
    const where = patient.config.databaseUrl === undefined ? 'embedded' : 'DATABASE_URL'
    const database = await patient.database()
    if (database === undefined) {
      const { major, uid } = await probeEmbeddedPostgres(join(patient.config.dataFolder, 'postgres'))
      return ok(`embedded PostgreSQL ${major} can run, under uid ${uid}; there is no database yet`)
    }
    const startedAt = patient.clock.monotonic()
    const [facts] = await database.rows<ServerFacts>(FACTS)
    if (facts === undefined) return fail(`${where}: no answer to a query`, 'look at the log of the database')
    return judgeServer(where, facts, patient.clock.monotonic() - startedAt)
  },
}

const FACTS = `select current_setting('server_version') as version,
  current_setting('server_version_num')::int as "versionNum", current_setting('server_encoding') as encoding,
  current_setting('max_connections')::int as "maxConnections", pg_is_in_recovery() as "isReplica",
  has_database_privilege(current_database(), 'create') as "mayCreate"`

export function judgeServer(where: string, facts: ServerFacts, answerMs: number): Finding {
  const findings: Finding[] = [ok(`${where}: PostgreSQL ${facts.version}, answers in ${Math.round(answerMs)} ms`)]
  if (facts.versionNum < LEAST_VERSION_NUM) {
    findings.push(fail('version too old', 'use PostgreSQL 14 or newer'))
  }
  if (facts.encoding !== 'UTF8') {
    findings.push(fail(`encoding ${facts.encoding}`, "make the database anew with encoding 'UTF8'"))
  }
  if (facts.isReplica) findings.push(fail('it is a read-only replica', 'point DATABASE_URL to the primary'))
  if (!facts.mayCreate) {
    findings.push(fail('the role may not create schemas', 'grant create on the database to the role of DATABASE_URL'))
  }
  if (facts.maxConnections < WANTED_CONNECTIONS) {
    findings.push(
      warn(`max_connections ${facts.maxConnections}`, `raise max_connections to ${WANTED_CONNECTIONS} or more`),
    )
  }
  return worstOf(findings)
}
