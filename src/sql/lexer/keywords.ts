/** Finds the keyword at a place of the text without making a substring: an open hash table over lower-case spellings. */

import { K } from './words.ts'

const WORDS = Object.keys(K)

/** Number of the first keyword; all token types from here on are words. */
export const FIRST_KEYWORD = 64

const SLOTS = 8192
const slots = new Uint16Array(SLOTS)
const lowered = WORDS.map((word) => word.toLowerCase())
const longest = Math.max(...WORDS.map((word) => word.length))

/** Hash of a word over its lower-case char codes, as the lexer computes it while it scans. */
function hashOf(word: string): number {
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + (word.charCodeAt(i) | 32)) | 0
  return hash
}

for (const [index, word] of lowered.entries()) {
  let slot = hashOf(word) & (SLOTS - 1)
  while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1)
  slots[slot] = index + 1
}

/**
 * Number of the keyword at text[start, end), or 0. `hash` is what the lexer summed over the word
 * (`hash * 31 + (code | 32)`), so that no substring is made.
 */
export function keywordAt(text: string, start: number, end: number, hash: number): number {
  const length = end - start
  if (length > longest || length < 2) return 0
  let slot = hash & (SLOTS - 1)
  for (;;) {
    const index = slots[slot]!
    if (index === 0) return 0
    const word = lowered[index - 1]!
    if (word.length === length && matches(text, start, word)) return FIRST_KEYWORD + index - 1
    slot = (slot + 1) & (SLOTS - 1)
  }
}

function matches(text: string, start: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(start + i)
    const expected = word.charCodeAt(i)
    if (code !== expected && (expected === 95 || (code | 32) !== expected)) return false
  }
  return true
}
