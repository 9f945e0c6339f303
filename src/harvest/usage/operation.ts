/** That a statement changed a dataset: the `operation` aspect (contract §3.6), once a statement, whatever is run again. */
import { hash } from 'node:crypto'
import type { JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import type { StatementKind } from '../../sql/types.ts'

export interface DatasetWrite {
  readonly timeMs: number
  readonly type: OperationType
  readonly actor?: Urn | undefined
  readonly query: Urn
}

const OPERATION_TYPES = ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP', 'CUSTOM', 'UNKNOWN'] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

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

/** @param named what the log calls it, where it does */
export function operationType(kind: StatementKind, named?: string): OperationType {
  return typeOf(named) ?? TYPE_OF_KIND[kind] ?? 'UNKNOWN'
}

/** The time is the query's, so that a second run writes the same event. */
export function operationAspect({ timeMs, type, actor, query }: DatasetWrite, origin: string): JsonObject {
  const id = hash('sha256', `${query} ${timeMs} ${type} ${actor ?? ''}`, 'base64url')
  return {
    timestampMillis: timeMs,
    partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
    messageId: `headwater:${origin}:${id.slice(0, 22)}`,
    ...(actor === undefined ? {} : { actor }),
    operationType: type,
    sourceType: 'DATA_PLATFORM',
    lastUpdatedTimestamp: timeMs,
    queries: [query],
  }
}

function typeOf(named: string | undefined): OperationType | undefined {
  const word = named?.trim().toUpperCase().split(/[\s_]/, 1)[0]
  return OPERATION_TYPES.find((type) => type === word)
}
