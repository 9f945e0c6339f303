/** Who imports the file: ours as a user runs it, a serial loop, and DataHub's own csv-enricher. Each in its own process. */
import { join } from 'node:path'
import { measure, ROOT, runRecipe, type Took } from '../kit/measure.ts'

export interface Errand {
  readonly file: string
  readonly catalogUrl: string
  /** For whatever the subject needs to keep; empty. */
  readonly folder: string
}

/** `headwater run import-csv`, with a ledger of its own. */
export function ours({ file, catalogUrl, folder }: Errand): Promise<Took> {
  const flags = ['--file', file, '--catalog', catalogUrl, '--data', join(folder, 'data'), '--missing', 'create']
  const cli = join(ROOT, 'src/cli.ts')
  return measure(process.execPath, [cli, 'run', 'import-csv', '--apply', '--json', ...flags])
}

/** One read and one write for each row and aspect, by our own client, one after the other. */
export function serialLoop({ file, catalogUrl }: Errand): Promise<Took> {
  return measure(process.execPath, [join(import.meta.dirname, 'serial-loop.ts'), file, catalogUrl])
}

/** The same bytes on the wire as ours, made before the clock starts to run: what the catalog itself can take. */
export function rawBatches({ file, catalogUrl }: Errand): Promise<Took> {
  return measure(process.execPath, [join(import.meta.dirname, 'raw-batches.ts'), file, catalogUrl])
}

const runSource = runRecipe

/** Undefined where HEADWATER_SDK_PYTHON names no Python with acryl-datahub. */
export const csvEnricher =
  runSource === undefined
    ? undefined
    : ({ file, catalogUrl, folder }: Errand): Promise<Took> => {
        const source = { type: 'csv-enricher', config: { filename: file, write_semantics: 'PATCH', delimiter: ',' } }
        const sink = { type: 'datahub-rest', config: { server: catalogUrl } }
        return runSource({ source, sink }, folder)
      }
