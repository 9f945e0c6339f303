import { expect, test } from 'vitest'

import { parsePidFile } from '../../../src/embedded/pid-file.ts'

const LINES = ['4711', '/proc/self/cwd', '1790000000', '5432', '/tmp/hw-1', '', '  123456    7', 'ready   ']

test('a whole pid file gives pid, socket folder and status', () => {
  expect(parsePidFile(`${LINES.join('\n')}\n`)).toEqual({ pid: 4711, socketFolder: '/tmp/hw-1', status: 'ready' })
})

test('a pid file that is still being written gives what is there', () => {
  expect(parsePidFile(`${LINES.slice(0, 4).join('\n')}\n`)).toEqual({
    pid: 4711,
    socketFolder: undefined,
    status: undefined,
  })
})

test('an empty or garbled pid file is none', () => {
  for (const text of ['', '\n', 'pid\n', '-5\n', '0\n']) expect(parsePidFile(text), text).toBe(undefined)
})
