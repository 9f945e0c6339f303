/** That a statement changed a dataset: the `operation` aspect (contract §3.6), once a statement, whatever is run again. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import type { StatementKind } from '../../sql/types.ts'

export interface DatasetWrite {
  readonly timeMs: number
  readonly kind: StatementKind
  /** What the log calls it, where it does. */
  readonly named?: string | undefined
  readonly actor?: Urn | undefined
  readonly query: Urn
}

const OPERATION_TYPES = ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'CUSTOM', 'UNKNOWN'] as const
type OperationType = (typeof OPERATION_TYPES)[number]

const TYPE_OF_KIND: Partial<Readonly<Record<StatementKind, OperationType>>> = {
  insert: 'INSERT',
  insertAll: 'INSERT',
  multiInsert: 'INSERT',
  append: 'INSERT',
  copy: 'INSERT',
  update: 'UPDATE',
  merge: 'UPDATE',
  delete: 'DELETE',
  truncate: 'DELETE',
  ctas: 'CREATE',
  view: 'CREATE',
  materializedView: 'CREATE',
  table: 'CREATE',
  alter: 'ALTER',
  rename: 'ALTER',
  swap: 'ALTER',
  exchange: 'ALTER',
  drop: 'DROP',
}

/** The time is the query's, so that a second run writes the same event. */
export function operationAspect({ timeMs, kind, named, actor, query }: DatasetWrite, origin: string): JsonObject {
  const operationType = typeOf(named) ?? TYPE_OF_KIND[kind] ?? 'UNKNOWN'
  const id = createHash('sha256')
    .update(`${query} ${timeMs} ${operationType} ${actor ?? ''}`)
    .digest('base64url')
  return {
    timestampMillis: timeMs,
    partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
    messageId: `headwater:${origin}:${id.slice(0, 22)}`,
    ...(actor === undefined ? {} : { actor }),
    operationType,
    sourceType: 'DATA_PLATFORM',
    lastUpdatedTimestamp: timeMs,
    queries: [query],
  }
}

function typeOf(named: string | undefined): OperationType | undefined {
  const word = named?.trim().toUpperCase().split(/[\s_]/, 1)[0]
  return OPERATION_TYPES.find((type) => type === word)
}
