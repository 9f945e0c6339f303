import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { emit, type EmitReport } from '../../src/client/emitter.ts'
import { MemoryJournal } from '../../src/client/journal.ts'
import type { RowReject } from '../../src/import/errors.ts'
import { metadataChanges, type MetadataSettings } from '../../src/import/metadata/import-metadata.ts'
import { noProgress } from '../../src/observe/progress.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface MetadataResult {
  readonly records: { read: number; used: number; noEffect: number; rejected: number }
  readonly rejects: readonly RowReject[]
  readonly proposals: EmitReport
  readonly journal: MemoryJournal
}

/**
 * Imports one metadata file, given by name and content, into the catalog at `url`, without a runner.
 * @param beside other files of its folder, by name
 */
export async function runMetadata(
  url: string,
  name: string,
  content: string | Buffer,
  settings: Partial<MetadataSettings> = {},
  beside: Readonly<Record<string, string>> = {},
): Promise<MetadataResult> {
  await using folder = await temporaryFolder()
  const client = new CatalogClient({ url }, { retry: { firstDelayMs: 2, maxDelayMs: 10, deadlineMs: 2000 } })
  const records = { read: 0, used: 0, noEffect: 0, rejected: 0 }
  const rejects: RowReject[] = []
  const journal = new MemoryJournal()
  const file = join(folder.path, name)
  try {
    await writeFile(file, content)
    for (const [other, text] of Object.entries(beside)) await writeFile(join(folder.path, other), text)
    const changes = metadataChanges(
      { files: [file], preserveUpstream: true, ...settings },
      {
        sink: client,
        stamp: { time: 1_767_225_600_000, actor: 'urn:li:corpuser:ingestion' },
        signal: new AbortController().signal,
        progress: noProgress,
        records: (add) => {
          for (const [key, count] of Object.entries(add)) records[key as keyof typeof records] += count
        },
        reject: (...added) => {
          rejects.push(...added)
          records.rejected += added.length
          return Promise.resolve()
        },
      },
    )
    const proposals = await emit(changes, { sink: client, journal, runId: 'run-1' })
    return { records, rejects, proposals, journal }
  } finally {
    await client.close()
  }
}
