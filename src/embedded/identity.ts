import { readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'

import { DataFolderRightsError, NoAccountError } from './errors.ts'

/**
 * Under which uid the server runs. It refuses root, so root lends it another: that of an existing data folder, else
 * `postgres`, else `nobody`; no account is ever made. Everybody else runs it as themselves.
 */
export interface Identity {
  readonly uid: number
  readonly gid: number
  /** True when children must be started under this identity because it is not our own. */
  readonly foreign: boolean
  /** True when the uid has an entry in the user database, which initdb insists on and the server does not. */
  readonly hasAccount: boolean
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface Account extends Owner {
  readonly name: string
}

export interface IdentityFacts {
  readonly uid: number
  readonly gid: number
  /** Whether our own uid has an account. */
  readonly hasAccount: boolean
  readonly accounts: readonly Account[]
  /** Owner of the data folder, when it holds a cluster already. */
  readonly clusterOwner: Owner | undefined
  readonly dataDir: string
}

export function chooseIdentity(facts: IdentityFacts): Identity {
  return facts.uid === 0 ? identityForRoot(facts) : identityOfUser(facts)
}

function identityForRoot({ accounts, clusterOwner, dataDir }: IdentityFacts): Identity {
  if (clusterOwner?.uid === 0) {
    throw new DataFolderRightsError(`${dataDir} belongs to root, and PostgreSQL refuses to run as root`, {
      remedy: `give it to an account ("chown -R postgres ${dataDir}" or "chown -R nobody ${dataDir}")`,
    })
  }
  if (clusterOwner !== undefined) {
    const account = accounts.find(({ uid }) => uid === clusterOwner.uid)
    const { uid, gid } = account ?? clusterOwner
    return { uid, gid, foreign: true, hasAccount: account !== undefined }
  }
  const account = ['postgres', 'nobody'].map((name) => accounts.find((each) => each.name === name)).find(Boolean)
  if (account === undefined || account.uid === 0) throw new NoAccountError(0)
  return { uid: account.uid, gid: account.gid, foreign: true, hasAccount: true }
}

function identityOfUser({ uid, gid, hasAccount, clusterOwner, dataDir }: IdentityFacts): Identity {
  if (clusterOwner !== undefined && clusterOwner.uid !== uid) {
    throw new DataFolderRightsError(
      `${dataDir} belongs to uid ${clusterOwner.uid}, and this process runs as uid ${uid}`,
      {
        remedy: 'run the command as that user or as root, choose another folder with --data',
      },
    )
  }
  return { uid, gid, foreign: false, hasAccount }
}

/** The facts about this process and machine. */
export async function readIdentityFacts(dataDir: string, clusterOwner: Owner | undefined): Promise<IdentityFacts> {
  return {
    uid: process.getuid?.() ?? -1,
    gid: process.getgid?.() ?? -1,
    hasAccount: ownAccount(),
    accounts: parseAccounts(await readFile('/etc/passwd', 'utf8').catch(() => '')),
    clusterOwner,
    dataDir,
  }
}

/** `name:password:uid:gid:…` a line, as in passwd(5); other lines are passed over. */
export function parseAccounts(passwd: string): readonly Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}

/** Asks the C library, which also knows accounts that are not in /etc/passwd. */
function ownAccount(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** What `spawn` needs to run a child under an identity: only foreign ones are named, since only root may. */
export function spawnIdentity({ uid, gid, foreign }: Identity): { uid?: number; gid?: number } {
  return foreign ? { uid, gid } : {}
}
