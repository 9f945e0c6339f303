import { expect, test } from 'vitest'
import { progressLine } from '../../../src/cli/progress.ts'

const EMIT = {
  phase: 'emit',
  done: 39_000,
  total: 120_000,
  unit: 'proposals',
  counts: { written: 38_999, unchanged: 0, refused: 1, dead: 0, concurrency: 8, backOffs: 2 },
}
const OUTCOMES = 'written 38,999  refused 1  concurrency 8  backOffs 2'

test('a line tells rate, time left and what became of it, however narrow the terminal', () => {
  expect(progressLine(EMIT, 'import-csv', 713, 160)).toBe(
    `import-csv  emit  ███████░░░░░░░░░░░░░  39,000 of 120,000 proposals  713/s  2 min left  ${OUTCOMES}`,
  )
  expect(progressLine(EMIT, 'import-csv', 713, 120)).toBe(
    `import-csv  emit  39,000 of 120,000 proposals  713/s  2 min left  ${OUTCOMES}`,
  )
  const narrow = progressLine(EMIT, 'import-csv', 713, 100)
  expect(narrow).toBe(`import-csv  emit  32 %  713/s  2 min left  ${OUTCOMES}`)
  expect(progressLine(EMIT, 'import-csv', 713, 40)).toBe(narrow.slice(0, 39))
})

test('what waits says for what, instead of figures that do not move', () => {
  const waiting = 'waits 4 s to try again: CATALOG_AWAY no answer from the catalog'
  expect(progressLine({ ...EMIT, waiting }, 'import-csv', 0, 160)).toBe(`import-csv  emit  ${waiting}`)
  expect(progressLine({ ...EMIT, waiting }, 'import-csv', 0, 40)).toBe(`import-csv  emit  ${waiting}`.slice(0, 39))
})

test('what has not begun shows no figures', () => {
  expect(progressLine({ phase: 'start', done: 0, unit: 'steps' }, 'import-csv', 0, 80)).toBe('import-csv  start')
  expect(progressLine({ phase: 'read', done: 7, unit: 'rows' }, 'import-csv', 3.4, 80)).toBe(
    'import-csv  read  7 rows  3/s',
  )
})
