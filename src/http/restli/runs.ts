/** Actions of `/runs` (contract §4.4). */
import { Type } from 'typebox'
import type { Catalog } from '../../catalog/catalog.ts'
import { decoder } from '../decode.ts'
import { reading, writing, type Actions } from './action.ts'

const whole = Type.Optional(Type.Integer({ minimum: 0 }))
const list = decoder(Type.Object({ pageOffset: whole, pageSize: whole }), 'list')
const describe = decoder(Type.Object({ runId: Type.String(), start: whole, count: whole }), 'describe')
const rollback = decoder(Type.Object({ runId: Type.String(), dryRun: Type.Optional(Type.Boolean()) }), 'rollback')
const MAX_PAGE = 10_000

export function runActions(catalog: Catalog): Actions {
  return {
    list: reading(async (body) => {
      const { pageOffset = 0, pageSize = 20 } = list(body ?? {})
      const count = Math.min(pageSize, MAX_PAGE)
      const runs = await catalog.runs.list({ start: pageOffset * count, count })
      return { value: runs.map((run) => ({ ...run })) }
    }),
    describe: reading(async (body) => {
      const { runId, start = 0, count = 100 } = describe(body)
      const aspects = await catalog.runs.describe(runId, { start, count: Math.min(count, MAX_PAGE) })
      return { value: aspects.map((aspect) => ({ ...aspect })) }
    }),
    // Only with `dryRun: false` is anything taken back.
    rollback: writing(async (body, caller) => {
      const { runId, dryRun = true } = rollback(body)
      const done = await catalog.runs.rollback(runId, { dryRun }, caller.actor)
      return {
        value: {
          entitiesAffected: done.entities,
          aspectsReverted: done.reverted,
          aspectsAffected: done.aspects.length,
          unsafeEntitiesCount: 0,
          unsafeEntities: [],
          aspectRowSummaries: done.aspects.map((aspect) => ({ ...aspect })),
        },
      }
    }),
  }
}
