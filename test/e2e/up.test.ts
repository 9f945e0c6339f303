import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { headwater } from '../support/command.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)/

test('up says where it listens once it answers, and stops cleanly on SIGTERM', async () => {
  await using folder = await temporaryFolder()
  await using server = startServer(['up', '--port', '0'], { cwd: folder.path })
  const [, url = ''] = await server.waitFor(LISTENING)
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const instance = join(folder.path, '.headwater/instance.json')
  expect(JSON.parse(readFileSync(instance, 'utf8'))).toMatchObject({ pid: server.pid, catalogUrl: url })

  expect(await server.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(existsSync(instance)).toBe(false)
  expect(existsSync(join(folder.path, '.headwater/postgres/postmaster.pid'))).toBe(false)
})

test('a second up on the same folder is refused and says who serves it', async () => {
  await using folder = await temporaryFolder()
  await using server = startServer(['up', '--port', '0'], { cwd: folder.path })
  const [, url = ''] = await server.waitFor(LISTENING)
  const second = await headwater(['up', '--port', '0'], { cwd: folder.path })
  expect(second.code).toBe(1)
  expect(second.stderr).toContain('ALREADY_RUNNING')
  expect(second.stderr).toContain(`process ${server.pid}`)
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

test('a port that is taken is named, with the way out: 4', async () => {
  await using folder = await temporaryFolder()
  await using other = startServer(['up', '--port', '0'], { cwd: folder.path })
  const [, url = ''] = await other.waitFor(LISTENING)
  const { code, stderr } = await headwater(['up', '--data', 'elsewhere', '--port', new URL(url).port], {
    cwd: folder.path,
  })
  expect(code).toBe(4)
  expect(stderr).toContain(`another program listens on ${new URL(url).host} already`)
})

test('beyond loopback up refuses to start without a token', async () => {
  await using folder = await temporaryFolder()
  const initialised = await headwater(['init'], { cwd: folder.path })
  expect(initialised.code).toBe(0)
  const shown = await headwater(['config', 'show', '--json'], { cwd: folder.path })
  expect(shown.code).toBe(0)
  const refused = await headwater(['catalog', 'serve', '--host', '0.0.0.0', '--port', '0'], { cwd: folder.path })
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain('HEADWATER_TOKEN')
})

test('a database that is away at start is named with what to do', async () => {
  await using folder = await temporaryFolder()
  const { code, stderr } = await headwater(['up', '--port', '0'], {
    cwd: folder.path,
    env: { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/nothing' },
  })
  expect(code).toBe(1)
  expect(stderr).toContain('DATABASE_UNAVAILABLE')
  expect(stderr).toMatch(/what to do: .*DATABASE_URL/)
  expect(stderr).not.toContain('hunter2')
})
