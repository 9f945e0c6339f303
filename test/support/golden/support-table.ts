/** What the golden suite proves, as tables for docs/lineage.md. */
import { DIAGNOSTIC_RULES } from '../../../src/sql/diagnostics.ts'
import { DIALECTS } from '../../../src/sql/types.ts'
import type { GoldenCase } from './format.ts'

/** The document with its generated parts made anew. @throws Error where their marks are missing */
export function withGeneratedParts(document: string, suite: readonly GoldenCase[]): string {
  return replacePart(replacePart(document, 'diagnostics', diagnosticTable()), 'golden suite', supportTables(suite))
}

function replacePart(document: string, name: string, text: string): string {
  const [first, last] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`]
  const [begin, end] = [document.indexOf(first), document.indexOf(last)]
  if (begin < 0 || end < begin) throw new Error(`the document lacks the marks ${first} and ${last}`)
  return `${document.slice(0, begin + first.length)}\n\n${text}\n\n${document.slice(end)}`
}

function diagnosticTable(): string {
  const rows = Object.entries(DIAGNOSTIC_RULES).map(
    ([code, { severity, meaning }]) => `| \`${code}\` | ${severity} | ${meaning} |`,
  )
  return ['| code | severity | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function supportTables(suite: readonly GoldenCase[]): string {
  const runs = suite.reduce((sum, golden) => sum + golden.dialects.length, 0)
  return [
    `${suite.length} cases, ${runs.toLocaleString('en')} with each of their dialects.`,
    '',
    '| construct | cases | dialects |',
    '| --- | --- | --- |',
    ...constructRows(suite),
    '',
    '| dialect | cases |',
    '| --- | --- |',
    ...DIALECTS.map(
      (dialect) => `| ${dialect} | ${suite.filter((golden) => golden.dialects.includes(dialect)).length} |`,
    ),
  ].join('\n')
}

function constructRows(suite: readonly GoldenCase[]): string[] {
  const constructs = [...new Set(suite.map((golden) => golden.construct))].toSorted()
  return constructs.map((construct) => {
    const cases = suite.filter((golden) => golden.construct === construct)
    const dialects = DIALECTS.filter((dialect) => cases.some((golden) => golden.dialects.includes(dialect)))
    const shown = dialects.length === DIALECTS.length ? 'all' : dialects.join(', ')
    return `| [${construct}](../test/golden/lineage/${construct}.sql) | ${cases.length} | ${shown} |`
  })
}
