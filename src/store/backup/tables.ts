/**
 * What a backup of the runner holds, beside the catalog's own export: the ledger and the access tokens. Tables with the
 * keys of their rows, in the order in which rows can be put back; which plan a run carries out, which refers onwards, is
 * filled in at the end.
 */
export const BACKUP_TABLES = {
  'ledger.schedule': ['id'],
  'ledger.run': ['id'],
  'ledger.attempt': ['run_id', 'number'],
  'ledger.batch': ['run_id', 'key'],
  'ledger.dead_letter': ['id'],
  'ledger.checkpoint': ['run_id', 'name'],
  'ledger.plan': ['id'],
  'ledger.measurement': ['target', 'series', 'at_ms'],
  'ledger.memory': ['scope', 'key'],
  'ledger.webhook': ['name'],
  'ledger.notice': ['webhook', 'key'],
  'catalog.access_token': ['id'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type BackupTable = keyof typeof BACKUP_TABLES

/** In their order. */
export const BACKUP_TABLE_NAMES = Object.keys(BACKUP_TABLES) as readonly BackupTable[]

/** The last line; what stands before it is whole where it agrees. */
export interface BackupEnd {
  readonly rows: Readonly<Partial<Record<BackupTable, number>>>
  /** Of all bytes before this line, in hex. */
  readonly sha256: string
}

export const BACKUP_FORMAT = 'headwater-backup'
