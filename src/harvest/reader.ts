import type { Closable } from '../observe/resources.ts'
import { LineagePool } from '../sql/workers/pool.ts'
import type { LineageReader } from './analyse.ts'

/** A harvest runs beside much else for hours: memory counts more than a tenth of the speed. */
const YOUNG_LIMIT_MB = 24

/** Worker threads that read SQL, one a core unless told otherwise. */
export function openLineageReader(options: { readonly threads?: number } = {}): LineageReader & Closable {
  return new LineagePool({ ...options, youngLimitMb: YOUNG_LIMIT_MB })
}
