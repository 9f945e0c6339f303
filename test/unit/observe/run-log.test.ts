import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger } from '../../../src/observe/logger.ts'
import { openRunLog } from '../../../src/observe/run-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a run keeps its own log, whatever the process logs, with secrets masked in both', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'run.ndjson')
  const said: string[] = []
  const processLogger = createLogger({ level: 'warn', destination: { write: (line) => said.push(line) } })
  for (const attempt of [1, 2]) {
    const log = openRunLog(file, processLogger, { run: 'run-1', attempt })
    log.logger.info({ token: 'hidden', connection: { password: 'hidden' } }, 'batch emitted')
    log.logger.warn('catalog slow')
    log.logger.child({ batch: 7 }).debug('too detailed')
    log.close()
    log.logger.info('too late')
  }
  const kept = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(kept).toMatchObject([
    { run: 'run-1', attempt: 1, token: '***', connection: { password: '***' }, msg: 'batch emitted' },
    { msg: 'catalog slow' },
    { attempt: 2, msg: 'batch emitted' },
    { msg: 'catalog slow' },
  ])
  expect(said.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual([
    'catalog slow',
    'catalog slow',
  ])
})
