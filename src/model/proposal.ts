import type { JsonObject, JsonValue } from './json.ts'
import type { Urn } from './urn.ts'

/** What a proposal does to its aspect (contract §4.1). */
export const CHANGE_TYPES = ['UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'PATCH', 'DELETE', 'RESTATE'] as const
export type ChangeType = (typeof CHANGE_TYPES)[number]

/** Who produced a write and in which run; unknown keys are kept (contract §3.7). */
export interface SystemMetadata {
  readonly lastObserved?: number
  readonly runId?: string
  readonly [key: string]: JsonValue | undefined
}

/** One operation of a JSON patch (RFC 6902). */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string
  readonly value?: JsonValue
}

/** A requested change of one aspect of one entity: an MCP on the wire. */
export interface Proposal {
  readonly entityType: string
  readonly entityUrn: Urn
  readonly changeType: ChangeType
  readonly aspectName: string
  /** The aspect's value; a PATCH carries `{patch, arrayPrimaryKeys?}`; a DELETE none. */
  readonly aspect?: JsonObject
  readonly systemMetadata?: SystemMetadata
  /** Conditions of the write, for example `If-Version-Match` (contract §6). */
  readonly headers?: Readonly<Record<string, string>>
}
