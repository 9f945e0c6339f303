/**
 * The engineers' view of the queue, bull-board, below `/queues`. It only looks: the ledger is the truth, and a job that
 * is moved by hand here would be moved back by the sweeper.
 */
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import type { FastifyInstance } from 'fastify'
import type { RunnerParts } from '../runner/parts.ts'
import { toldOf } from './failures.ts'

export const QUEUE_PAGE = '/queues'

export function queuePage(app: FastifyInstance, parts: RunnerParts): void {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(QUEUE_PAGE)
  createBullBoard({
    queues: parts.queues.queues(parts.jobs.names).map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Headwater queues' } },
  })
  serverAdapter.setErrorHandler((error) => ({ status: 500, body: { error: JSON.stringify(toldOf(error)) } }))
  void app.register(serverAdapter.registerPlugin(), { prefix: QUEUE_PAGE })
}
