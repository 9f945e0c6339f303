import { expect, test } from 'vitest'

import { chooseIdentity, parseAccounts, type IdentityFacts, type Owner } from '../../../src/embedded/identity.ts'

const accounts = parseAccounts(`root:x:0:0:root:/root:/bin/bash
postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash
not a line of passwd
nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin
`)

const root: IdentityFacts = {
  uid: 0,
  gid: 0,
  hasAccount: true,
  accounts,
  clusterOwner: undefined,
  dataDir: '/data',
}
const owned = (clusterOwner: Owner): IdentityFacts => ({ ...root, clusterOwner })
const user: IdentityFacts = { ...root, uid: 1000, gid: 1000 }

test('accounts are read with uid and gid; other lines are passed over', () => {
  expect(accounts).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'postgres', uid: 101, gid: 104 },
    { name: 'nobody', uid: 65534, gid: 65533 },
  ])
})

test('root lends the server the account postgres, else nobody', () => {
  expect(chooseIdentity(root)).toEqual({ uid: 101, gid: 104, foreign: true, hasAccount: true })
  const bare = { ...root, accounts: accounts.filter(({ name }) => name !== 'postgres') }
  expect(chooseIdentity(bare)).toEqual({ uid: 65534, gid: 65533, foreign: true, hasAccount: true })
})

test('root without either account is refused', () => {
  const alone = { ...root, accounts: accounts.filter(({ name }) => name === 'root') }
  expect(() => chooseIdentity(alone)).toThrow(expect.objectContaining({ code: 'NO_ACCOUNT', uid: 0 }))
})

test('an account postgres that is root in disguise is not used', () => {
  const disguised = { ...root, accounts: [{ name: 'postgres', uid: 0, gid: 0 }] }
  expect(() => chooseIdentity(disguised)).toThrow(expect.objectContaining({ code: 'NO_ACCOUNT' }))
})

test('the owner of an existing data folder comes first, with or without an account', () => {
  expect(chooseIdentity(owned({ uid: 65534, gid: 7 }))).toMatchObject({ uid: 65534, gid: 65533, hasAccount: true })
  expect(chooseIdentity(owned({ uid: 64321, gid: 7 }))).toMatchObject({ uid: 64321, gid: 7, hasAccount: false })
  expect(() => chooseIdentity(owned({ uid: 0, gid: 0 }))).toThrow(
    expect.objectContaining({ code: 'DATA_FOLDER_RIGHTS' }),
  )
})

test('a user runs it as themselves, and only on a folder of their own', () => {
  expect(chooseIdentity(user)).toEqual({ uid: 1000, gid: 1000, foreign: false, hasAccount: true })
  expect(chooseIdentity({ ...user, clusterOwner: { uid: 1000, gid: 5 } })).toMatchObject({ uid: 1000, foreign: false })
  expect(() => chooseIdentity({ ...user, clusterOwner: { uid: 101, gid: 104 } })).toThrow(
    expect.objectContaining({ code: 'DATA_FOLDER_RIGHTS' }),
  )
})
