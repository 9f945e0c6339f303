import { dirname, resolve } from 'node:path'

import { findBinaries } from './binaries.ts'
import { inspectCluster, MAJOR } from './cluster.ts'
import { DEFAULT_INSTALL_DIR } from './embedded-postgres.ts'
import { NoAccountError } from './errors.ts'
import { chooseIdentity, readIdentityFacts } from './identity.ts'

/** What would happen if the embedded server were opened. */
export interface EmbeddedProbe {
  /** Whether there is a database already. */
  readonly isThere: boolean
  readonly major: number
  /** Uid that the server runs under. */
  readonly uid: number
}

/** Looks whether the embedded server can run on a data folder, without making or starting it. Errors: errors.ts. */
export async function probeEmbeddedPostgres(dataDir: string): Promise<EmbeddedProbe> {
  const absolute = resolve(dataDir)
  const cluster = await inspectCluster(absolute)
  const isThere = cluster.kind === 'present'
  const identity = chooseIdentity(await readIdentityFacts(absolute, isThere ? cluster.owner : undefined))
  if (!isThere && !identity.hasAccount) throw new NoAccountError(identity.uid)
  await findBinaries({ identity, installDir: identity.foreign ? DEFAULT_INSTALL_DIR : dirname(absolute) })
  return { isThere, major: MAJOR, uid: identity.uid }
}
