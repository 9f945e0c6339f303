/** Runs over HTTP: list, one with all that belongs to it, its log, ask for one, cancel, ask again. */
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { TObject } from 'typebox'
import { RUN_LOG } from '../runner/attempt.ts'
import { cancelRun } from '../runner/cancel.ts'
import { RunLogNotFoundError, RunNotFoundError } from '../runner/errors.ts'
import type { RunnerParts } from '../runner/parts.ts'
import { retryRun, submitRun } from '../runner/submit.ts'
import { lettersOfRun } from '../store/ledger/run-letters.ts'
import { readPlan, readPlanOfRun } from '../store/ledger/plans.ts'
import { listAttempts, listRuns, readRun } from '../store/ledger/runs.ts'
import { RUN_STATES, type RunRow } from '../store/ledger/types.ts'
import { Asking, bodyOf, listQueryOf, oneOf, RunRequestBody } from './decode.ts'
import { decidingPerson } from './visitor.ts'

export interface RunRoutesOptions {
  readonly parts: RunnerParts
  /** Folder of the runs' logs on this machine. */
  readonly runsFolder: string
  /** A job's input with its paths absolute, as the worker needs it. */
  readonly completeInput: (
    input: Readonly<Record<string, unknown>>,
    schema: TObject,
  ) => Promise<Readonly<Record<string, unknown>>>
}

const SHOWN_LETTERS = 100

interface ById {
  readonly Params: { readonly id: string }
}

export function runRoutes(app: FastifyInstance, { parts, runsFolder, completeInput }: RunRoutesOptions): void {
  const { database } = parts

  app.get('/api/jobs', () => ({
    jobs: parts.jobs.all().map((job) => ({
      name: job.name,
      summary: job.summary,
      byHand: job.byHand,
      plans: job.plan !== undefined,
      input: job.input,
    })),
  }))

  app.get('/api/runs', async ({ query }) => {
    const { limit, filter } = listQueryOf(query, ['job', 'state', 'schedule'])
    const state = oneOf(RUN_STATES, filter['state'], 'state')
    const runs = await listRuns(database, {
      job: filter['job'],
      states: state === undefined ? undefined : [state],
      scheduleId: filter['schedule'],
      limit,
    })
    return { runs }
  })

  app.post('/api/runs', async (request, reply) => {
    const { job, input, mode, target, by } = bodyOf(RunRequestBody, request.body)
    const run = await submitRun(parts, {
      job,
      input: await completeInput(input, parts.jobs.get(job).input),
      mode,
      target,
      requestedBy: decidingPerson(request, by),
    })
    return reply.code(201).header('location', `/api/runs/${run.id}`).send({ run })
  })

  app.get<ById>('/api/runs/:id', async ({ params: { id } }) => {
    const run = await existingRun(parts, id)
    const plan = await (run.planId === null ? readPlanOfRun(database, id) : readPlan(database, run.planId))
    const attempts = await listAttempts(database, id)
    return { run, plan: plan ?? null, attempts, deadLetters: await lettersOfRun(database, run, SHOWN_LETTERS) }
  })

  app.get<ById>('/api/runs/:id/log', async ({ params: { id } }, reply) => {
    const run = await existingRun(parts, id)
    const file = join(runsFolder, run.id, RUN_LOG)
    if (!existsSync(file)) throw new RunLogNotFoundError(run.id, run.worker)
    return reply.type('application/x-ndjson').send(createReadStream(file))
  })

  app.post<ById>('/api/runs/:id/cancel', async (request) => {
    const { by } = bodyOf(Asking, request.body)
    const { ended } = await cancelRun(parts, request.params.id, decidingPerson(request, by))
    return { run: await existingRun(parts, request.params.id), ended }
  })

  app.post<ById>('/api/runs/:id/retry', async (request, reply) => {
    const { by } = bodyOf(Asking, request.body)
    const run = await retryRun(parts, request.params.id, decidingPerson(request, by))
    return reply.code(201).header('location', `/api/runs/${run.id}`).send({ run })
  })
}

async function existingRun({ database }: RunnerParts, id: string): Promise<RunRow> {
  const run = await readRun(database, id)
  if (run === undefined) throw new RunNotFoundError(id)
  return run
}
