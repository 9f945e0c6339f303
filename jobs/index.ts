/** The jobs that ship with Headwater. To add one: write its file here, name it below and in by-name.ts. */
import type { JobDefinition } from '../src/runner/define-job.ts'
import harvestLineage from './harvest-lineage.ts'
import importCsv from './import-csv.ts'
import importMetadata from './import-metadata.ts'
import replay from './replay.ts'
import restoreArchive from './restore-archive.ts'
import retention from './retention.ts'
import undo from './undo.ts'

export const JOBS: readonly JobDefinition[] = [
  harvestLineage,
  importCsv,
  importMetadata,
  retention,
  restoreArchive,
  undo,
  replay,
]
