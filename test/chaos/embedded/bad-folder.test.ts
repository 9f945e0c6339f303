import { execFile } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test, type TestContext } from 'vitest'

import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import { silentLogger } from '../../../src/observe/logger.ts'
import {
  emptyBox,
  isJoined,
  isRefused,
  needsOtherAccounts,
  needsRoot,
  postmasterPid,
  query,
  type Box,
  type RefusedEvent,
} from './support.ts'

const run = promisify(execFile)

async function madeCluster(box: Box): Promise<void> {
  await using server = await openEmbeddedPostgres(box.options)
  await query(server.address, 'create table kept as select 42 as answer')
}

test('a data folder of another major version is refused, with what to do, and is not touched', async () => {
  await using box = await emptyBox()
  await mkdir(box.dataDir)
  await writeFile(join(box.dataDir, 'PG_VERSION'), '17\n')
  await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({
    code: 'DATA_FOLDER_WRONG_MAJOR',
    message: expect.stringMatching(/PostgreSQL 17.*PostgreSQL 18/),
    remedy: expect.stringMatching(/headwater export.*--data.*DATABASE_URL/),
  })
  expect(await readFile(join(box.dataDir, 'PG_VERSION'), 'utf8')).toBe('17\n')
})

test('a folder with other content is refused; an empty one is used', async () => {
  await using box = await emptyBox()
  await mkdir(box.dataDir)
  await writeFile(join(box.dataDir, 'letter.txt'), 'dear diary')
  await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({ code: 'DATA_FOLDER_FOREIGN' })
  await rm(join(box.dataDir, 'letter.txt'))
  await using server = await openEmbeddedPostgres(box.options)
  expect(server.state).toBe('started')
})

test('a pid file whose pid lives again as another process does not keep the server from starting', async () => {
  await using box = await emptyBox()
  await madeCluster(box)
  const stale = ['', '/proc/self/cwd', '1790000000', '5432', '/tmp/nowhere', '', '  1 1', 'ready   '].join('\n')
  for (const pid of [process.pid, 1, 4_000_000]) {
    await writeFile(join(box.dataDir, 'postmaster.pid'), `${pid}${stale}`)
    await using server = await openEmbeddedPostgres(box.options)
    expect(server.state).toBe('started')
    expect(await query(server.address, 'select answer from kept')).toEqual([{ answer: 42 }])
  }
})

test('a socket that somebody cleaned away is made again', async () => {
  await using box = await emptyBox()
  await using member = box.member()
  const { address } = await member.event<{ address: { folder: string } }>(isJoined)
  const before = await postmasterPid(box.dataDir)
  await rm(address.folder, { recursive: true })
  await using server = await openEmbeddedPostgres(box.options)
  expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await postmasterPid(box.dataDir)).not.toBe(before)
  await member.line(/"embedded database back"/)
})

test('a socket folder of somebody else is refused', async (context: TestContext) => {
  context.skip(needsRoot !== undefined, needsRoot)
  await using box = await emptyBox()
  const folder = await (async () => {
    await using server = await openEmbeddedPostgres(box.options)
    return server.address.kind === 'socket' ? server.address.folder : ''
  })()
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, 64321, 64321)
  await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({
    code: 'SOCKET_FOLDER',
    message: expect.stringContaining('belongs to uid 64321'),
    remedy: expect.stringContaining(folder),
  })
  await rm(folder, { recursive: true })
})

test('a data folder that is removed under a member is never made anew behind its back', async () => {
  await using box = await emptyBox()
  await using member = box.member()
  await member.event(isJoined)
  const pid = (await postmasterPid(box.dataDir)) ?? 0
  await rename(box.dataDir, `${box.dataDir}-away`)
  process.kill(pid, 'SIGKILL')
  expect((await member.line(/still away/)).input).toContain('DATA_FOLDER_GONE')
  await rename(`${box.dataDir}-away`, box.dataDir)
  await member.line(/"embedded database back"/)
})

test('a full disk is named, at initdb and later, and the database works again once there is space', async (context) => {
  await using box = await emptyBox()
  const disk = join(box.folder, 'disk')
  await mkdir(disk)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=20m,mode=755', 'tmpfs', disk]).catch((error) => error)
  context.skip(mounted instanceof Error, 'needs the right to mount a small file system')
  await using unmount = new AsyncDisposableStack()
  unmount.defer(async () => void (await run('umount', ['-l', disk])))
  const options = { ...box.options, dataDir: join(disk, 'postgres') }

  await expect(openEmbeddedPostgres(options)).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining(options.dataDir),
    remedy: expect.stringMatching(/free space.*--data/),
  })
  await run('mount', ['-o', 'remount,size=90m', disk])
  await using server = await openEmbeddedPostgres(options)
  await query(server.address, 'create table filler (text text)')
  const fill = 'insert into filler select repeat(md5(n::text), 200) from generate_series(1, 1000000) n'
  await expect(query(server.address, `alter table filler alter text set storage plain; ${fill}`)).rejects.toMatchObject(
    {
      code: '53100',
    },
  )
  expect(await query(server.address, 'select count(*)::int as rows from filler')).toEqual([{ rows: 0 }])
  await server.close()
})

test('a folder above that cannot be written is a matter of rights', async (context) => {
  context.skip(needsOtherAccounts !== undefined, needsOtherAccounts)
  await using box = await emptyBox()
  await chmod(box.folder, 0o755)
  await using member = box.member({ uid: 65534, gid: 65534 })
  expect(await member.event<RefusedEvent>(isRefused)).toMatchObject({
    code: 'DATA_FOLDER_RIGHTS',
    remedy: expect.stringContaining('--data'),
  })
})

test('a server that ends instead of getting ready says why, and where there is more', async () => {
  await using box = await emptyBox()
  await madeCluster(box)
  await appendFile(join(box.dataDir, 'postgresql.conf'), '\nshared_bufers = 1GB\n')
  await expect(openEmbeddedPostgres(box.options)).rejects.toMatchObject({
    code: 'DATABASE_START_FAILED',
    message: expect.stringContaining('shared_bufers'),
    remedy: expect.stringContaining(join(box.dataDir, 'postgres.log')),
  })
})

test('waiting has an end: a server that does not get ready in time is an error that may be tried again', async () => {
  await using box = await emptyBox()
  await expect(
    openEmbeddedPostgres({ ...box.options, logger: silentLogger(), startTimeoutMs: 20 }),
  ).rejects.toMatchObject({ code: 'DATABASE_START_TIMEOUT', retryable: true })
  await using server = await openEmbeddedPostgres(box.options)
  expect(await query(server.address, 'select 1 as one')).toEqual([{ one: 1 }])
})
