import type { Clock } from '../observe/clock.ts'
import type { Ids } from '../observe/ids.ts'
import type { Logger } from '../observe/logger.ts'
import type { Database } from '../store/database.ts'
import type { UrnIds } from '../store/urn-ids.ts'
import type { ChangeResult, Write } from './write/write.ts'

/** What every use case of the catalog works with. */
export interface Ports {
  readonly database: Database
  readonly urnIds: UrnIds
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Carries out a write; rejects with the reason when it is refused. */
  write(write: Write): Promise<readonly ChangeResult[]>
}
