import { CATALOG_ENTITIES } from './0001-catalog-entities.ts'
import { CATALOG_LINEAGE } from './0002-catalog-lineage.ts'
import { CATALOG_TIMESERIES } from './0003-catalog-timeseries.ts'
import { LEDGER } from './0004-ledger.ts'
import { CATALOG_UPKEEP } from './0005-catalog-upkeep.ts'
import { CATALOG_WORDS } from './0006-catalog-words.ts'
import { LEDGER_MEASUREMENTS } from './0007-ledger-measurements.ts'
import { CATALOG_TOKENS } from './0008-catalog-tokens.ts'
import { RUNNER_UPKEEP } from './0009-runner-upkeep.ts'
import { LEDGER_UNDO } from './0010-ledger-undo.ts'
import { CATALOG_LOG } from './0011-catalog-log.ts'
import { CATALOG_ACCEPTED } from './0012-catalog-accepted.ts'
import { LEDGER_MEMORY } from './0013-ledger-memory.ts'
import type { Migration } from './migration.ts'

/** All steps of the schema, in order; a database's version is the number of the last one it took. */
export const MIGRATIONS: readonly Migration[] = [
  CATALOG_ENTITIES,
  CATALOG_LINEAGE,
  CATALOG_TIMESERIES,
  LEDGER,
  CATALOG_UPKEEP,
  CATALOG_WORDS,
  LEDGER_MEASUREMENTS,
  CATALOG_TOKENS,
  RUNNER_UPKEEP,
  LEDGER_UNDO,
  CATALOG_LOG,
  CATALOG_ACCEPTED,
  LEDGER_MEMORY,
]
