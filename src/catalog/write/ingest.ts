/** Proposals carried out at once: all or none, as far as deletions allow. */
import type { Proposal } from '../../model/proposal.ts'
import { checkedUrn } from '../../model/registry/urn-rules.ts'
import type { Urn } from '../../model/urn.ts'
import type { Accepting } from './accepted.ts'
import type { Deletion } from './delete.ts'
import { checkedAspect, writeOfProposals } from './proposal-changes.ts'
import type { ChangeResult, Write } from './write.ts'

export type Ingest = (proposals: readonly Proposal[], actor: Urn) => Promise<readonly ChangeResult[]>

/**
 * Everything is checked before anything is done. A stretch of proposals without a DELETE is one write; deletions stand
 * between such stretches, in the order given.
 */
export function createIngest(
  write: (write: Write) => Promise<readonly ChangeResult[]>,
  deletion: Deletion,
  accepting: Accepting,
): Ingest {
  return async (proposals, actor) => {
    const steps = stretches(proposals).map((stretch) => stepOf(stretch, actor))
    const results: ChangeResult[] = []
    await accepting.before(proposals.map((proposal) => proposal.entityUrn))
    for (const step of steps) {
      results.push(...(step.kind === 'write' ? await write(step.write) : [await step.run(deletion)]))
    }
    return results
  }
}

type Step =
  | { readonly kind: 'write'; readonly write: Write }
  | { readonly kind: 'delete'; readonly run: (deletion: Deletion) => Promise<ChangeResult> }

function stepOf(stretch: readonly Proposal[], actor: Urn): Step {
  const [first] = stretch
  if (first?.changeType !== 'DELETE') return { kind: 'write', write: writeOfProposals(stretch, actor) }
  return { kind: 'delete', run: deletionOf(first, actor) }
}

/** DELETE of the key aspect deletes the entity, of another aspect that aspect. @throws InvalidUrnError, InvalidWriteError */
function deletionOf(proposal: Proposal, actor: Urn): (deletion: Deletion) => Promise<ChangeResult> {
  const { urn, type } = checkedUrn(proposal.entityUrn)
  const aspect = checkedAspect(type, proposal.aspectName).name
  return async (deletion) => {
    const { rows, timeseriesRows } =
      aspect === type.keyAspect ? await deletion.entity(urn, actor) : await deletion.aspects(urn, [aspect], actor)
    return { urn, aspect, outcome: rows + timeseriesRows > 0 ? 'written' : 'unchanged', stored: undefined }
  }
}

/** Runs of proposals without a DELETE, and each DELETE by itself; a list without any is one run, also an empty one. */
function stretches(proposals: readonly Proposal[]): readonly (readonly Proposal[])[] {
  const all: Proposal[][] = []
  for (const proposal of proposals) {
    const last = all.at(-1)
    const joins = proposal.changeType !== 'DELETE' && last !== undefined && last[0]?.changeType !== 'DELETE'
    if (joins) last.push(proposal)
    else all.push([proposal])
  }
  return all
}
