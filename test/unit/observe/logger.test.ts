import { expect, test } from 'vitest'
import { DecodeError, HeadwaterError } from '../../../src/model/errors.ts'
import { createLogger } from '../../../src/observe/logger.ts'

class LostError extends HeadwaterError {
  readonly code = 'LOST'
}

function logged(fields: Record<string, unknown>): Record<string, unknown> {
  let line = ''
  const destination = { write: (text: string) => void (line += text) }
  createLogger({ level: 'info', destination }).info(fields, 'something happened')
  return JSON.parse(line)
}

test('an error is told with class, code, remedy and causes, and with nothing that a driver hung on it', () => {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', client: { password: 'hunter2' } })
  const error = new LostError('no answer', { cause, remedy: 'wait' })
  const line = logged({ err: error })
  expect(line['err']).toEqual({
    type: 'LostError',
    message: 'no answer',
    code: 'LOST',
    remedy: 'wait',
    stack: expect.stringContaining('logger.test.ts'),
    cause: { type: 'Error', message: 'read ECONNRESET', code: 'ECONNRESET', stack: expect.any(String) },
  })
  expect(JSON.stringify(line)).not.toContain('hunter2')
})

test('an error of the user is told without a stack: no place in our code helps to mend it', () => {
  const line = logged({ err: new DecodeError('no such key', { file: 'a.yaml' }, { remedy: 'leave it out' }) })
  expect(line['err']).toEqual({
    type: 'DecodeError',
    message: 'a.yaml: no such key',
    code: 'DECODE',
    remedy: 'leave it out',
  })
})

test('an error that is its own cause comes to an end, and what is no error is told as text', () => {
  const error = new Error('again')
  error.cause = error
  expect(JSON.stringify(logged({ err: error })).match(/again/g)?.length).toBeLessThan(20)
  expect(logged({ err: 'a text' })['err']).toEqual({ type: 'string', message: 'a text' })
})

test('secrets are masked wherever they stand', () => {
  expect(JSON.stringify(logged({ token: 'hunter2', connection: { password: 'hunter2' } }))).not.toContain('hunter2')
})
