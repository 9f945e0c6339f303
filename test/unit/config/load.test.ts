import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspect } from 'node:util'
import { loadConfig, type Environment } from '../../../src/config/load.ts'
import type { ConfigFlags } from '../../../src/config/config.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-config-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function load(files: Readonly<Record<string, string>>, environment: Environment = {}, flags: ConfigFlags = {}) {
  mkdirSync(join(folder, 'config'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'config', name), text)
  return loadConfig({ workingFolder: folder, environment, flags })
}

test('without files every key has its safe value', () => {
  const config = loadConfig({ workingFolder: folder, environment: {}, flags: {} })
  expect(config.dataFolder).toBe(join(folder, '.headwater'))
  expect(config.catalog).toEqual({ host: '127.0.0.1', port: 8080, graphEdges: 30_000_000 })
  expect(config.schedules).toEqual([])
  expect(config.origins).toEqual({})
})

test('the files that ship say the safe values', () => {
  const shipped = resolve(import.meta.dirname, '../../../config')
  const {
    origins: _,
    configFolder: __,
    ...fromFiles
  } = load({
    'headwater.yaml': readFileSync(join(shipped, 'headwater.yaml'), 'utf8'),
    'schedules.yaml': readFileSync(join(shipped, 'schedules.yaml'), 'utf8'),
  })
  const safe = loadConfig({ workingFolder: folder, environment: {}, flags: { config: folder } })
  const { origins: ___, configFolder: ____, ...expected } = safe
  expect(fromFiles).toEqual(expected)
})

test('flags come before the environment, the environment before the file', () => {
  const file = { 'headwater.yaml': 'data: from-file\nlog: { level: warn }\ncatalog: { port: 1 }\n' }
  expect(load(file).dataFolder).toBe(join(folder, 'from-file'))
  const environment = { HEADWATER_HOME: 'from-env', HEADWATER_LOG_LEVEL: 'error' }
  const config = load(file, environment, { data: 'from-flag' })
  expect(config.dataFolder).toBe(join(folder, 'from-flag'))
  expect(config.log.level).toBe('error')
  expect(config.origins).toMatchObject({
    data: '--data',
    'log.level': 'HEADWATER_LOG_LEVEL',
    'catalog.port': join(folder, 'config', 'headwater.yaml'),
  })
})

test('an empty variable counts as not set', () => {
  expect(load({}, { DATABASE_URL: '', HEADWATER_HOME: '' }).databaseUrl).toBeUndefined()
})

test('secrets come from the environment and print as stars', () => {
  const config = load(
    { 'headwater.yaml': 'connections: { prod: { url: "https://c.example/gms", tokenEnv: PROD_TOKEN } }' },
    { DATABASE_URL: 'postgres://u:hunter2@h/db', PROD_TOKEN: 's3cret' },
  )
  expect(config.databaseUrl?.reveal()).toBe('postgres://u:hunter2@h/db')
  expect(config.connections['prod']?.token?.reveal()).toBe('s3cret')
  const printed = JSON.stringify(config) + inspect(config, { depth: 9 }) + String(config.databaseUrl)
  expect(printed).not.toMatch(/hunter2|s3cret/)
})

test('what was loaded cannot be changed', () => {
  const config = load({})
  expect(() => Object.assign(config.catalog, { port: 1 })).toThrow(TypeError)
})

test.each([
  [
    'headwater.yaml',
    'catalogue: {}',
    'headwater.yaml:1:1 at catalogue: unknown key "catalogue", did you mean "catalog"?',
  ],
  [
    'headwater.yaml',
    'catalog:\n  port: eighty',
    'headwater.yaml:2:9 at catalog.port: expected integer, found "eighty"',
  ],
  ['headwater.yaml', 'log: { level: verbose }', 'is not one of trace, debug'],
  ['schedules.yaml', 'schedules:\n  - id: a\n    job: x\n', 'schedules.yaml:2:5 at schedules.0: missing key "cron"'],
  [
    'schedules.yaml',
    'schedules:\n  - { id: a, cron: "0 1 * * *", job: x }\n  - { id: a, cron: "0 2 * * *", job: x }\n',
    'two schedules have the id "a"',
  ],
])('%s with %j is refused with its place', (name, text, message) => {
  expect(() => load({ [name]: text })).toThrow(message)
})

test('a configuration folder that was named and is not there is refused', () => {
  expect(() => loadConfig({ workingFolder: folder, environment: {}, flags: { config: 'nowhere' } })).toThrow(
    expect.objectContaining({ code: 'DECODE', remedy: expect.stringContaining('headwater init') as string }),
  )
})

test('a wrong log level on the command line is named as such', () => {
  expect(() => load({}, {}, { logLevel: 'loud' })).toThrow('--log-level: "loud" is not one of')
})
