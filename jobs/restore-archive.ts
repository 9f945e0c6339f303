/** Puts rows back that retention archived before it deleted them: checksum, rows, and a look whether all are there. */
import { Type } from 'typebox'
import { checkedManifest } from '../src/retention/archive.ts'
import { ArchiveError } from '../src/retention/errors.ts'
import { restoreRows, verifyRestored, type RestoreContext } from '../src/retention/restore.ts'
import { catalogKind } from '../src/retention/survey.ts'
import { defineJob } from '../src/runner/define-job.ts'

const input = Type.Object(
  { file: Type.String({ description: 'Archive of a truncation (.ndjson.gz), its manifest beside it', path: true }) },
  { additionalProperties: false },
)

export default defineJob({
  name: 'restore-archive',
  summary: 'Put back the rows of an archive that retention made; a second time changes nothing',
  input,
  examples: [['--file .headwater/archive/dataset_operationaspect_v1-….ndjson.gz', 'as the report of the run names it']],
  byHand: 'apply',
  resources: () => ['truncation'],

  async run({ input: { file }, connections, stop, signal, progress, balance }) {
    const manifest = await checkedManifest(file)
    const client = connections.catalog()
    const context: RestoreContext = {
      client,
      stop,
      signal,
      onProgress: (phase, done) => progress.report({ phase, done, total: manifest.rows, unit: 'rows' }),
    }
    const rows = await restoreRows(file, context)
    if (rows !== manifest.rows) {
      throw new ArchiveError(file, `it holds ${rows} rows, its manifest says ${manifest.rows}`, { badInput: true })
    }
    const { streams } = await catalogKind(client, signal)
    const verified = streams ? await verifyRestored(file, manifest, context) : undefined
    balance.records({ read: rows, used: rows })
    return {
      report: { file, rows, verified: verified ?? null, indexName: manifest.indexName },
      lines: [
        `${manifest.indexName}: ${rows} rows put back from ${file}`,
        verified === undefined
          ? 'this catalog cannot hand out its rows, so they were not compared'
          : `all ${verified} are there as they were`,
      ],
    }
  },
})
