import { Command } from 'commander'
import { expect, test } from 'vitest'
import replay from '../../../jobs/replay.ts'
import { addInputFlags, inputFromFlags } from '../../../src/cli/flags.ts'

function inputOf(...flags: readonly string[]): unknown {
  const command = new Command('replay').exitOverride().configureOutput({ writeErr() {} })
  addInputFlags(command, replay.input)
  command.parse(flags, { from: 'user' })
  return inputFromFlags(command.opts(), replay.input)
}

test('a list of numbers holds numbers, and nothing else goes in', () => {
  expect(inputOf('--ids', '4', '12')).toEqual({ ids: [4, 12] })
  expect(inputOf('--ids', '4', '--ids', '12')).toEqual({ ids: [4, 12] })
  expect(() => inputOf('--ids', '4', 'x')).toThrow('It is a number')
})
