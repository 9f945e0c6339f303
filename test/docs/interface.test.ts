/** docs/interface.md names a test for each sentence of the interface, and each test of a section is named there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../support/command.ts'

const SECTIONS = '1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3 4 4.1 4.2 4.3 4.4 4.5 5 6 7.1 7.2 7.3 8 9'.split(' ')

/** Titles of the tests of each file of the conformance suite. */
const TITLES = new Map(
  readdirSync(join(PROJECT, 'test/conformance'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => {
      const text = readFileSync(join(PROJECT, 'test/conformance', name), 'utf8')
      return [name, [...text.matchAll(/^ *test\(\s*'((?:[^'\\]|\\.)+)'/gm)].map((match) => match[1] ?? '')] as const
    }),
)

const page = readFileSync(join(PROJECT, 'docs/interface.md'), 'utf8')
/** Rows of the table: sections, sentence, and the tests as file and beginning of a title. */
const ROWS = [...page.matchAll(/^\| ([\d., ]+?) *\| (.*?) *\| (.*?) *\|$/gm)].map((match) => ({
  sections: (match[1] ?? '').split(', '),
  sentence: match[2] ?? '',
  tests: testsIn(match[3] ?? ''),
}))

function testsIn(cell: string): readonly { readonly file: string; readonly title: string }[] {
  let file = ''
  return [...cell.matchAll(/`([\w-]+\.test\.ts)`|"([^"]+)"/g)].flatMap((match) => {
    file = match[1] ?? file
    return match[2] === undefined ? [] : [{ file, title: match[2] }]
  })
}

test('every section of the interface has its sentences', () => {
  expect(new Set(ROWS.flatMap((row) => row.sections))).toEqual(new Set(SECTIONS))
  const silent = ROWS.filter((row) => row.tests.length === 0 && !row.sentence.includes('not shown'))
  expect(silent.map((row) => row.sentence)).toEqual([])
})

test('every test that is named exists', () => {
  const named = ROWS.flatMap((row) => row.tests)
  expect(named.length).toBeGreaterThan(50)
  const absent = named.filter(({ file, title }) => TITLES.get(file)?.some((one) => one.startsWith(title)) !== true)
  expect(absent).toEqual([])
})

test('every test of a section is named, in a row of that section', () => {
  const ofSections = [...TITLES].flatMap(([file, titles]) =>
    titles.filter((title) => title.startsWith('§')).map((title) => ({ file, title })),
  )
  expect(ofSections.length).toBeGreaterThan(45)
  for (const { file, title } of ofSections) {
    const rows = ROWS.filter((row) => row.tests.some((one) => one.file === file && title.startsWith(one.title)))
    const [sections = ''] = /^§[\d.]+(?:, §[\d.]+)*/.exec(title) ?? []
    const named = rows.flatMap((row) => row.sections)
    for (const section of sections.replaceAll('§', '').split(', ')) {
      const fits = named.some((one) => one === section || one.startsWith(`${section}.`))
      expect(fits, `${file} "${title}" in a row of ${section}`).toBe(true)
    }
  }
})
