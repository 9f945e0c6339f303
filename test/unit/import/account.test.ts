import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ImportAccount } from '../../../src/import/account.ts'
import { writeReport } from '../../../src/import/report.ts'
import { aDataset, runImport } from '../../support/import-run.ts'
import { StubCatalog } from '../../support/stub-catalog.ts'
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts'

let stub: StubCatalog
let folder: TemporaryFolder

beforeEach(async () => {
  stub = await StubCatalog.start()
  folder = await temporaryFolder()
})

afterEach(async () => {
  await stub.close()
  await folder[Symbol.asyncDispose]()
})

const ORDERS = aDataset('shop.orders')
const q = (text: string) => `"${text}"`

/** Imports and keeps an account; gives back the report and the file of rejected rows. */
async function account(csv: string | readonly string[], delimiter = ',') {
  stub.put(ORDERS, 'datasetKey', { name: ORDERS })
  stub.put(ORDERS, 'schemaMetadata', { fields: [{ fieldPath: 'id' }] })
  const files = typeof csv === 'string' ? [csv] : csv
  const kept = new ImportAccount(join(folder.path, 'errors.csv'), { several: files.length > 1 })
  const result = await runImport(stub.url, csv, { delimiter }, kept)
  const report = await kept.close(result.records)
  await writeReport(folder.path, report)
  const errors = await Promise.all(
    report.files.map(async (file) => (file.errors === undefined ? '' : readFile(file.errors.path, 'utf8'))),
  )
  return { result, report, errors }
}

describe('rejected rows', () => {
  const CSV = [
    'resource,subresource,tags,description',
    `${q(ORDERS)},,ok,`,
    `${q(ORDERS)},idd,pii,`,
    `${q(ORDERS)},,pii`,
    `"x"y,,"pii",`,
    `${q(aDataset('gone'))},,pii,"two\nlines, one ""cell"""`,
    '',
  ].join('\n')

  test('stand with their reasons in a CSV, as they stand in the input', async () => {
    const { result, errors } = await account(CSV)
    expect(result.records).toMatchObject({ read: 5, used: 1, rejected: 4 })
    const [head, ...rows] = (errors[0] ?? '').split('\n')
    expect(head).toBe('error_code,error_message,error_column,error_place,resource,subresource,tags,description')
    expect(rows[0]).toMatch(/^BROKEN_QUOTE,text follows a closing quote,,\S+in0\.csv:5:4,"x"y,,"pii",$/)
    expect(errors[0]).toMatch(/^CELL_COUNT,"3 cells, .*",,\S+in0\.csv:4,"urn:li:dataset.*",,pii$/m)
    expect(errors[0]).toMatch(/^UNKNOWN_COLUMN,"subresource: .*",subresource,\S+in0\.csv:3:2,/m)
    expect(errors[0]).toContain(`,resource,`)
    expect(errors[0]).toContain(`,pii,"two\nlines, one ""cell"""\n`)
  })

  test('are rejected for the same reasons when they come again, without reasons of reasons', async () => {
    const first = await account(CSV)
    const second = await account(first.errors[0] ?? '')
    expect(second.result.records).toMatchObject({ read: 4, rejected: 4 })
    expect(second.report.rejectedByCode).toEqual(first.report.rejectedByCode)
    expect((second.errors[0] ?? '').split('\n')[0]).toBe((first.errors[0] ?? '').split('\n')[0])
  })

  test('are taken once they are mended', async () => {
    const { errors } = await account(CSV)
    const mended = (errors[0] ?? '')
      .replace(`,${q(ORDERS)},idd,`, `,${q(ORDERS)},id,`)
      .replace(`${q(ORDERS)},,pii\n`, `${q(ORDERS)},,pii,\n`)
      .replace('"x"y,,', `${q(ORDERS)},,`)
      .replace(q(aDataset('gone')), q(ORDERS))
    const again = await account(mended)
    expect(again.result.rejects).toEqual([])
    expect(again.result.records).toMatchObject({ read: 4, rejected: 0 })
    expect(again.report.files[0]).not.toHaveProperty('errors')
  })

  test('keep the delimiter of their file, and each file has its own', async () => {
    const { report, errors } = await account([`resource;tags\nnone;a\n`, `tags;resource\n=|+a;${ORDERS}\n`], ';')
    expect(report.files.map((file) => file.errors?.path)).toEqual([
      join(folder.path, 'errors-1.csv'),
      join(folder.path, 'errors-2.csv'),
    ])
    expect(errors[0]).toContain('error_place;resource;tags\n')
    expect(errors[1]).toContain('error_place;tags;resource\n')
  })
})

test('the report says the same in JSON and in Markdown', async () => {
  const { report } = await account(`resource,tags,note\n${q(ORDERS)},a,\nnone,a,\n`.replace(',note', ',error_code'))
  expect(JSON.parse(await readFile(join(folder.path, 'report.json'), 'utf8'))).toEqual(report)
  const page = await readFile(join(folder.path, 'report.md'), 'utf8')
  expect(page).toContain('| 2 | 1 | 0 | 0 | 1 |')
  expect(page).toContain('| INVALID_URN | 1 |')
  expect(page).toContain('error_code')
})
