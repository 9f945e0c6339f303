import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { emit, type EmitReport } from '../../src/client/emitter.ts'
import { MemoryJournal } from '../../src/client/journal.ts'
import type { ImportAccount } from '../../src/import/account.ts'
import type { RowReject } from '../../src/import/errors.ts'
import { importChanges } from '../../src/import/import-csv.ts'
import { type ImportSettings } from '../../src/import/import-context.ts'
import { asUrn } from '../../src/model/urn.ts'

const STAMP = { time: 1_767_225_600_000, actor: 'urn:li:corpuser:ingestion' }

/** What an import came to. */
export interface ImportResult {
  readonly records: { read: number; used: number; duplicate: number; noEffect: number; rejected: number }
  readonly rejects: readonly RowReject[]
  readonly proposals: EmitReport
}

/** Imports CSV texts into the catalog at `url`, without a runner. */
export async function runImport(
  url: string,
  csv: string | readonly string[],
  settings: Partial<ImportSettings> = {},
  account?: ImportAccount,
): Promise<ImportResult> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-import-'))
  const client = new CatalogClient({ url }, { retry: { firstDelayMs: 2, maxDelayMs: 10, deadlineMs: 2000 } })
  const records = { read: 0, used: 0, duplicate: 0, noEffect: 0, rejected: 0 }
  const rejects: RowReject[] = []
  try {
    const files = (typeof csv === 'string' ? [csv] : csv).map((text, n) => ({ path: join(folder, `in${n}.csv`), text }))
    for (const { path, text } of files) await writeFile(path, text)
    const changes = importChanges(
      {
        files: files.map((file) => file.path),
        mode: 'patch',
        arrayDelimiter: '|',
        columns: {},
        unknownColumns: 'refuse',
        definitions: [],
        missing: 'fail',
        ...settings,
      },
      {
        sink: client,
        stamp: STAMP,
        folder,
        signal: new AbortController().signal,
        records: (add) => {
          for (const [key, count] of Object.entries(add)) records[key as keyof typeof records] += count
        },
        ...(account === undefined ? {} : { onHeader: account.begin.bind(account) }),
        async reject(...added) {
          rejects.push(...added)
          records.rejected += added.length
          await account?.add(...added)
        },
      },
    )
    const proposals = await emit(changes, { sink: client, journal: new MemoryJournal(), runId: 'run-1' })
    return { records, rejects, proposals }
  } finally {
    await client.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** URN of a dataset of the tests. */
export function aDataset(name: string): string {
  return asUrn(`urn:li:dataset:(urn:li:dataPlatform:postgres,${name},PROD)`)
}
