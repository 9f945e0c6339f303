/**
 * Faults that others' runners have, planted into a replica: a chaos test that does not find them proves nothing. Each is
 * a design that was tried and rejected, or a step left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertNever } from '../../../src/model/errors.ts'
import type { Closable } from '../../../src/observe/resources.ts'
import type { RunnerParts } from '../../../src/runner/parts.ts'
import { PlanStateError } from '../../../src/runner/errors.ts'
import { nextSlot } from '../../../src/runner/slots.ts'
import { listPlans, readPlan } from '../../../src/store/ledger/plans.ts'
import { listSchedules } from '../../../src/store/ledger/schedules.ts'

export type PlantedBug =
  /** Each replica fires for itself, under ids of its own. */
  | 'own-clock'
  /** Whoever starts sets the next slot from the present moment: what was missed is forgotten. */
  | 'forgets-at-start'
  /** A worker that does not wait for the decision. */
  | 'eager-worker'
  /** A worker that carries out what was carried out already. */
  | 'repeats'
  /** An approval whose run stands in the queue only, which loses it. */
  | 'loses-orders'

export async function plant(bug: PlantedBug, parts: RunnerParts): Promise<Closable> {
  switch (bug) {
    case 'own-clock':
      return every(200, () => fireForItself(parts))
    case 'forgets-at-start':
      await forget(parts)
      return { close: () => undefined }
    case 'eager-worker':
      return every(100, () => begin(parts, 'awaiting'))
    case 'repeats':
      return every(100, () => begin(parts, 'applied'))
    case 'loses-orders':
      await loseOrders(parts)
      return { close: () => undefined }
    default:
      return assertNever(bug)
  }
}

/** A run of its own for each slot, beside the one of the ledger's clock. */
async function fireForItself({ database }: RunnerParts): Promise<void> {
  await database.execute(
    `insert into ledger.run (id, job, mode, applies, trigger, schedule_id, slot_ms, input, input_hash, state, max_attempts,
        not_before_ms, created_ms, finished_ms)
      select id || '.' || $1, job, mode, applies, trigger, schedule_id, slot_ms, input, input_hash, 'succeeded',
        max_attempts, not_before_ms, created_ms, created_ms from ledger.run
      where trigger = 'schedule' and id !~ '[.]r[0-9]+$' on conflict do nothing`,
    [`r${process.pid}`],
  )
}

async function forget({ database, clock }: RunnerParts): Promise<void> {
  for (const { id, cron, timeZone } of await listSchedules(database)) {
    await database.execute('update ledger.schedule set next_run_ms = $2 where id = $1', [
      id,
      nextSlot(cron, timeZone, clock.now()),
    ])
  }
}

async function begin({ database }: RunnerParts, state: 'awaiting' | 'applied'): Promise<void> {
  const [plan] = await listPlans(database, { states: [state], limit: 1 })
  if (plan === undefined) return
  await database.execute('insert into public.effect (run_id, attempt, what) values ($1, 1, $2)', [
    `apply-${plan.id}`,
    `begin ${plan.id}`,
  ])
}

/** By a trigger: whoever looks for fresh runs now and then finds only those that no worker has taken yet. */
async function loseOrders({ database }: RunnerParts): Promise<void> {
  await database.execute(`do $do$ begin
      perform pg_advisory_xact_lock(1);
      create or replace function public.lose_order() returns trigger language plpgsql as $lose$ begin
          new.state := 'cancelled';
          new.reason := 'lost';
          new.error := '{"code":"LOST","message":"lost"}';
          new.finished_ms := new.created_ms;
          return new;
        end $lose$;
      create or replace trigger lose_order before insert on ledger.run
        for each row when (new.mode = 'apply' and new.plan_id is not null) execute function public.lose_order();
    end $do$`)
}

/** A decision that looks first and writes afterwards, without a condition: whoever comes meanwhile decides as well. */
export async function decideCarelessly(
  { database, clock }: RunnerParts,
  id: string,
  decision: { readonly state: 'approved' | 'rejected'; readonly by: string },
): Promise<void> {
  const plan = await readPlan(database, id)
  if (plan?.state !== 'awaiting') throw new PlanStateError(id, 'it was decided before')
  await sleep(20)
  const nowMs = clock.now()
  await database.execute(
    `update ledger.plan set state = $2, decided_by = $3, decided_ms = $4, finished_ms = $5 where id = $1`,
    [id, decision.state, decision.by, nowMs, decision.state === 'rejected' ? nowMs : null],
  )
}

function every(ms: number, act: () => Promise<void>): Closable {
  const stop = new AbortController()
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await act()
      await sleep(ms, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    close: () => {
      stop.abort()
      return running
    },
  }
}
