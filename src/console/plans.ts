/** Plans over HTTP, and the decision about them: who decided and when is kept with the plan. */
import type { FastifyInstance } from 'fastify'
import { approvePlan, rejectPlan } from '../runner/decide.ts'
import { PlanChangedError, PlanNotFoundError } from '../runner/errors.ts'
import type { RunnerParts } from '../runner/parts.ts'
import { listPlans, readPlan } from '../store/ledger/plans.ts'
import { PLAN_STATES, type PlanRow } from '../store/ledger/types.ts'
import { bodyOf, Deciding, listQueryOf, oneOf } from './decode.ts'
import { decidingPerson } from './visitor.ts'

interface ById {
  readonly Params: { readonly id: string }
}

export function planRoutes(app: FastifyInstance, parts: RunnerParts): void {
  app.get('/api/plans', async ({ query }) => {
    const { limit, filter } = listQueryOf(query, ['state'])
    const state = oneOf(PLAN_STATES, filter['state'], 'state')
    return { plans: await listPlans(parts.database, { states: state === undefined ? undefined : [state], limit }) }
  })

  app.get<ById>('/api/plans/:id', async ({ params: { id } }) => ({ plan: await existingPlan(parts, id) }))

  app.post<ById>('/api/plans/:id/approve', async (request) => {
    const { by, hash } = bodyOf(Deciding, request.body)
    await requireSeen(parts, request.params.id, hash)
    const { plan, run } = await approvePlan(parts, request.params.id, decidingPerson(request, by))
    return { plan, run }
  })

  app.post<ById>('/api/plans/:id/reject', async (request) => {
    const { by, hash } = bodyOf(Deciding, request.body)
    await requireSeen(parts, request.params.id, hash)
    return { plan: await rejectPlan(parts, request.params.id, decidingPerson(request, by)) }
  })
}

/** A plan's row never changes, so looking before deciding is enough. @throws PlanChangedError */
async function requireSeen(parts: RunnerParts, id: string, hash: string | undefined): Promise<void> {
  if (hash === undefined) return
  if ((await existingPlan(parts, id)).hash !== hash) throw new PlanChangedError(id)
}

async function existingPlan({ database }: RunnerParts, id: string): Promise<PlanRow> {
  const plan = await readPlan(database, id)
  if (plan === undefined) throw new PlanNotFoundError(id)
  return plan
}
