/**
 * An import's plan, carried out from the plan alone: what is asked of each aspect stands in it, and the name of the
 * aspect says how that is merged. So the files are not read a second time, and what a person approved is what is done,
 * whatever has become of the files since.
 */
import { BARRIER, type AspectChange } from '../client/change.ts'
import { plannedChanges } from '../client/plan-file.ts'
import { editMerges, type AuditStamp, type Merges } from './aspects.ts'
import type { ImportMode } from './cells.ts'
import { DEFINITION_MERGES } from './definitions.ts'
import { strictMerges } from './strict.ts'

export interface MergeRules {
  readonly stamp: AuditStamp
  readonly mode: ImportMode
  readonly compat?: 'strict' | undefined
}

/** How an import merges what its rows ask for, by the aspects' names. */
export function mergesOf({ stamp, mode, compat }: MergeRules): Merges {
  return compat === 'strict' ? strictMerges(stamp, mode) : editMerges(stamp)
}

/** The changes of a plan in their order; a barrier behind the definitions, since the catalog checks values against them. */
export async function* importPlanned(path: string, rules: MergeRules): AsyncGenerator<AspectChange | typeof BARRIER> {
  const merges = new Map([...DEFINITION_MERGES, ...mergesOf(rules)])
  let defining = false
  const changes = plannedChanges(path, (asked) => {
    const merge = merges.get(asked.aspectName)
    return merge && { ...asked, merge }
  })
  for await (const change of changes) {
    const defines = DEFINITION_MERGES.has(change.aspectName)
    if (defining && !defines) yield BARRIER
    defining = defines
    yield change
  }
}
