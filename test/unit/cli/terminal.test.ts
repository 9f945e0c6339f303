import { expect, test } from 'vitest'
import { processTerminal } from '../../../src/cli/terminal.ts'

test.each([
  [80, 80, 80],
  // A pseudo-terminal that nobody gave a size.
  [0, 100, Infinity],
  [undefined, 100, Infinity],
])('where the terminal says %s columns, lines have %s and tables %s', (columns, width, tableWidth) => {
  const { stdout } = process
  const before = Object.getOwnPropertyDescriptor(stdout, 'columns')
  Object.defineProperty(stdout, 'columns', { value: columns, configurable: true })
  try {
    expect(processTerminal()).toMatchObject({ width, tableWidth })
  } finally {
    if (before === undefined) delete (stdout as Partial<typeof stdout>).columns
    else Object.defineProperty(stdout, 'columns', before)
  }
})
