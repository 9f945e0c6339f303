import type { Closable } from '../observe/resources.ts'
import { LineagePool } from '../sql/workers/pool.ts'
import type { LineageReader } from './analyse.ts'

/** Worker threads that read SQL, one a core unless told otherwise. */
export function openLineageReader(options: { readonly threads?: number } = {}): LineageReader & Closable {
  return new LineagePool(options)
}
