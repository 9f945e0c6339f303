import { expect, test } from 'vitest'
import { linesOf } from '../../../src/model/lines.ts'

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function all(text: string, size: number): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of linesOf(pieces(text, size))) lines.push(line)
  return lines
}

test('lines come whole, however the text is cut, without their ends', async () => {
  const text = 'one\r\ntwo\n\nfour\r\n last'
  for (let size = 1; size <= text.length; size++) {
    expect(await all(text, size)).toEqual(['one', 'two', '', 'four', ' last'])
  }
  expect(await all('one\n', 2)).toEqual(['one'])
  expect(await all('', 2)).toEqual([])
})
