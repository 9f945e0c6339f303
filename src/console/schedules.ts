/** Schedules over HTTP: their next slots, and the means to stop, start and repeat them. */
import type { FastifyInstance } from 'fastify'
import type { RunnerParts } from '../runner/parts.ts'
import { backfillSchedule, setPaused, shownSlots, triggerSchedule } from '../runner/schedules.ts'
import { listSchedules } from '../store/ledger/schedules.ts'
import { Asking, BackfillBody, bodyOf, momentOf } from './decode.ts'
import { decidingPerson } from './visitor.ts'

interface ById {
  readonly Params: { readonly id: string }
}

export function scheduleRoutes(app: FastifyInstance, parts: RunnerParts): void {
  app.get('/api/schedules', async () => {
    const rows = await listSchedules(parts.database)
    const nowMs = parts.clock.now()
    return { schedules: rows.map((row) => ({ ...row, slots: shownSlots(row, nowMs) })) }
  })

  for (const [action, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    app.post<ById>(`/api/schedules/:id/${action}`, async (request) => {
      bodyOf(Asking, request.body)
      await setPaused(parts, request.params.id, paused)
      return { schedule: request.params.id, paused }
    })
  }

  app.post<ById>('/api/schedules/:id/trigger', async (request, reply) => {
    const { by } = bodyOf(Asking, request.body)
    const run = await triggerSchedule(parts, request.params.id, decidingPerson(request, by))
    return reply.code(201).header('location', `/api/runs/${run.id}`).send({ run })
  })

  app.post<ById>('/api/schedules/:id/backfill', async (request) => {
    const { from, to, dryRun, by } = bodyOf(BackfillBody, request.body)
    const { slots, runs } = await backfillSchedule(parts, request.params.id, {
      fromMs: momentOf('body.from', from),
      toMs: momentOf('body.to', to),
      dryRun,
      person: decidingPerson(request, by),
    })
    return { slots, runs: runs.map(({ id }) => id) }
  })
}
