import { execFile } from 'node:child_process'
import { chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { expect, test, type TestContext } from 'vitest'

import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import { parseAccounts } from '../../../src/embedded/identity.ts'
import {
  emptyBox,
  isJoined,
  isRefused,
  needsOtherAccounts,
  needsRoot,
  postmasterPid,
  query,
  type JoinedEvent,
  type RefusedEvent,
} from './support.ts'

const run = promisify(execFile)
const PACKAGE = dirname(
  dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
)

const NOBODY = { uid: 65534, gid: 65534 }
const NO_ACCOUNT = { uid: 64321, gid: 64321 }

async function uidOf(pid: number): Promise<number> {
  return Number(/^Uid:\s*(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

function onlyAsRoot(context: TestContext): void {
  context.skip(needsRoot !== undefined, needsRoot)
}

function onlyWithOthers(context: TestContext): void {
  context.skip(needsOtherAccounts !== undefined, needsOtherAccounts)
}

test('root runs the server under another account, that of "postgres" where there is one, and makes none', async (context) => {
  onlyAsRoot(context)
  const passwd = await readFile('/etc/passwd', 'utf8')
  const accounts = parseAccounts(passwd)
  const expected = accounts.find(({ name }) => name === 'postgres') ?? accounts.find(({ name }) => name === 'nobody')
  await using box = await emptyBox()
  await using server = await openEmbeddedPostgres(box.options)
  expect(await uidOf((await postmasterPid(box.dataDir)) ?? 0)).toBe(expected?.uid)
  expect((await stat(box.dataDir)).uid).toBe(expected?.uid)
  expect(await readFile('/etc/passwd', 'utf8')).toBe(passwd)
  expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('root runs an existing data folder under the uid of its owner, account or not', async (context) => {
  onlyAsRoot(context)
  await using box = await emptyBox()
  await (await openEmbeddedPostgres(box.options)).close()
  for (const { uid, gid } of [NOBODY, NO_ACCOUNT]) {
    await run('chown', ['-R', `${uid}:${gid}`, box.dataDir])
    await using server = await openEmbeddedPostgres(box.options)
    expect(await uidOf((await postmasterPid(box.dataDir)) ?? 0)).toBe(uid)
    expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
  }
})

test('a data folder that belongs to root is refused with the line that mends it', async (context) => {
  onlyAsRoot(context)
  await using box = await emptyBox()
  await (await openEmbeddedPostgres(box.options)).close()
  await run('chown', ['-R', '0:0', box.dataDir])
  await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({
    code: 'DATA_FOLDER_RIGHTS',
    remedy: expect.stringContaining(`chown -R postgres ${box.dataDir}`),
  })
})

test('a user who is not root runs it as themselves, and root may attach to it', async (context) => {
  onlyWithOthers(context)
  await using box = await emptyBox()
  await chown(box.folder, NOBODY.uid, NOBODY.gid)
  await using member = box.member(NOBODY)
  const { state } = await member.event<JoinedEvent>(isJoined)
  expect(state).toBe('started')
  expect(await uidOf((await postmasterPid(box.dataDir)) ?? 0)).toBe(NOBODY.uid)
  await using server = await openEmbeddedPostgres(box.options)
  expect(server.state).toBe('attached')
})

test('a uid without an account is pointed to DATABASE_URL', async (context) => {
  onlyWithOthers(context)
  await using box = await emptyBox()
  await chown(box.folder, NO_ACCOUNT.uid, NO_ACCOUNT.gid)
  await using member = box.member(NO_ACCOUNT)
  expect(await member.event<RefusedEvent>(isRefused)).toMatchObject({
    code: 'NO_ACCOUNT',
    message: expect.stringContaining('64321'),
    remedy: expect.stringContaining('DATABASE_URL'),
  })
})

test("another user's data folder is refused", async (context) => {
  onlyWithOthers(context)
  await using box = await emptyBox()
  await using server = await openEmbeddedPostgres(box.options)
  await using member = box.member(NO_ACCOUNT)
  expect(await member.event<RefusedEvent>(isRefused)).toMatchObject({ code: 'DATA_FOLDER_RIGHTS' })
  expect(server.state).toBe('started')
})

test('below a folder of mode 0700, package without links and data, root copies the binaries only', async (context) => {
  onlyAsRoot(context)
  await using box = await emptyBox()
  const home = join(box.folder, 'home')
  await mkdir(home, { mode: 0o700 })
  const nativeDir = await packageWithoutLinks(home)
  const installDir = join(box.folder, 'lib')
  const options = { ...box.options, dataDir: join(home, 'state/postgres'), nativeDir, installDir }
  for (const attempt of ['copies', 'uses the copy']) {
    await using server = await openEmbeddedPostgres(options)
    expect(server.state, attempt).toBe('started')
    expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
  }
  const { version } = JSON.parse(await readFile(join(nativeDir, '../package.json'), 'utf8'))
  expect((await stat(join(installDir, `postgres-${version}`, 'bin/postgres'))).mode & 0o777).toBe(0o755)
})

test('a user who may not write into the package gets a copy beside the data', async (context) => {
  onlyWithOthers(context)
  await using box = await emptyBox()
  const nativeDir = await packageWithoutLinks(box.folder)
  const home = join(box.folder, 'home')
  await mkdir(home)
  await chown(home, NOBODY.uid, NOBODY.gid)
  await using member = box.member({ ...NOBODY, open: { dataDir: join(home, 'postgres'), nativeDir } })
  expect(await member.event<JoinedEvent>(isJoined)).toMatchObject({ state: 'started' })
  expect(await readdir(home)).toContainEqual(expect.stringMatching(/^postgres-18/))
  member.say('close')
  expect(await member.ended).toMatchObject({ code: 0 })
})

test('binaries that do not run are named, with a way out', async () => {
  await using box = await emptyBox()
  const nativeDir = await packageWithoutLinks(box.folder)
  await rm(join(nativeDir, 'lib/libicuuc.so.60.2'))
  const installDir = join(box.folder, 'lib')
  await expect(openEmbeddedPostgres({ ...box.options, nativeDir, installDir })).rejects.toMatchObject({
    code: 'POSTGRES_BINARIES_UNUSABLE',
    message: expect.stringContaining('libicuuc.so.60'),
    remedy: expect.stringContaining('DATABASE_URL'),
  })
})

test('a platform without binaries is named, with a way out', async () => {
  await using box = await emptyBox()
  const arch = Object.getOwnPropertyDescriptor(process, 'arch') ?? {}
  Object.defineProperty(process, 'arch', { ...arch, value: 'vax' })
  try {
    await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({
      code: 'POSTGRES_BINARIES_MISSING',
      message: expect.stringContaining('-vax'),
      remedy: expect.stringMatching(/npm ci.*DATABASE_URL/),
    })
  } finally {
    Object.defineProperty(process, 'arch', arch)
  }
})

/** The package as npm unpacks it with its install script off: no links. */
async function packageWithoutLinks(parent: string): Promise<string> {
  const target = join(parent, 'package')
  await cp(PACKAGE, target, { recursive: true, verbatimSymlinks: true })
  const links: readonly { target: string }[] = JSON.parse(
    await readFile(join(PACKAGE, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) await rm(join(target, link.target), { force: true })
  return join(target, 'native')
}
