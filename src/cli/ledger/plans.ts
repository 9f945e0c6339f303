/** `headwater plans`, `approve`, `reject`: what would change, and the decision about it. */
import { Command } from 'commander'
import { approvePlan, rejectPlan } from '../../runner/decide.ts'
import { PlanNotFoundError } from '../../runner/errors.ts'
import { listPlans, readPlan } from '../../store/ledger/plans.ts'
import { PLAN_STATES, type PlanRow, type PlanState } from '../../store/ledger/types.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { countOf } from '../flags.ts'
import { textTable } from '../show/text-table.ts'
import type { Terminal } from '../terminal.ts'
import { userName } from '../user-name.ts'
import { utcMinute, utcTime } from './format.ts'
import { approveAndWait } from './approve-and-wait.ts'
import { actOn, lookAt } from './open.ts'

interface ListFlags extends CommonFlags {
  readonly state?: string
  readonly limit: number
}

export function plansCommand(): Command {
  const plans = addCommonFlags(new Command('plans'))
    .enablePositionalOptions()
    .description('list plans, the newest first')
    .option('--state <state>', `only plans in this state: ${PLAN_STATES.join(', ')}`)
    .option('--limit <count>', 'at most so many', countOf, 20)
    .action((flags: ListFlags) =>
      endWith(flags, async (context) => {
        const filter = { states: statesOf(flags), limit: flags.limit }
        const found = await lookAt(flags, context, (database) => listPlans(database, filter))
        if (context.terminal.json) return context.terminal.printJson({ plans: found })
        printPlans(found, context.terminal)
      }),
    )
  withExamples(plans, ['headwater plans --state awaiting', 'what waits for a decision'])
  return plans.addCommand(showCommand())
}

function showCommand(): Command {
  const show = addCommonFlags(new Command('show'))
    .description('show one plan: what would change, what the gate says, who decided')
    .argument('<plan>', 'id of the plan')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const plan = await lookAt(flags, context, (database) => readPlan(database, id))
        if (plan === undefined) throw new PlanNotFoundError(id)
        if (context.terminal.json) return context.terminal.printJson({ plan })
        for (const line of planDetails(plan, context.terminal)) context.terminal.print(line)
      }),
    )
  return withExamples(show, ['headwater plans show plan-20261121T020000-a1b2c3', 'as headwater plans lists it'])
}

export function approveCommand(): Command {
  const approve = addCommonFlags(new Command('approve'))
    .description('approve a plan and carry it out; waits for the end')
    .argument('<plan>', 'id of the plan')
    .option('--no-wait', 'leave it to the running instance')
    .action((id: string, flags: CommonFlags & { readonly wait: boolean }) =>
      endWith(flags, (context) =>
        actOn(flags, context, { carryOut: flags.wait }, async (parts) => {
          if (flags.wait) return approveAndWait(parts, id, context)
          const { plan, run } = await approvePlan(parts, id, userName())
          if (context.terminal.json) return context.terminal.printJson({ plan, run: run.id })
          return context.terminal.print(`${id} approved; run ${run.id} carries it out`)
        }),
      ),
    )
  return withExamples(approve, ['headwater approve plan-20261121T020000-a1b2c3', 'carries it out and waits'])
}

export function rejectCommand(): Command {
  const reject = addCommonFlags(new Command('reject'))
    .description('reject a plan: nothing of it will be carried out')
    .argument('<plan>', 'id of the plan')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const plan = await actOn(flags, context, { carryOut: false }, (parts) => rejectPlan(parts, id, userName()))
        if (context.terminal.json) return context.terminal.printJson({ plan })
        context.terminal.print(`${id} rejected`)
      }),
    )
  return withExamples(reject, ['headwater reject plan-20261121T020000-a1b2c3', 'it stays in the list'])
}

function printPlans(plans: readonly PlanRow[], terminal: Terminal): void {
  if (plans.length === 0) return terminal.print('no plans')
  const columns = [
    { title: 'plan' },
    { title: 'job' },
    { title: 'state' },
    { title: 'until (UTC)' },
    { title: 'decided by' },
    { title: 'what', shorten: 'end' },
  ] as const
  const rows = plans.map((plan) => [
    plan.id,
    plan.job,
    plan.state,
    utcMinute(plan.expiresMs),
    plan.decidedBy ?? '',
    countsText(plan),
  ])
  const [head = '', ...lines] = textTable(columns, rows, terminal.tableWidth)
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
}

function planDetails(plan: PlanRow, terminal: Terminal): readonly string[] {
  const decided = plan.decidedBy === null ? [] : [`  decided    by ${plan.decidedBy}, ${utcTime(plan.decidedMs)} UTC`]
  const open = plan.state === 'planned' || plan.state === 'awaiting'
  return [
    `${terminal.style('bold', plan.id)}  ${plan.state}`,
    `  job        ${plan.job}, run ${plan.runId}`,
    `  made       ${utcTime(plan.createdMs)} UTC, holds until ${utcTime(plan.expiresMs)} UTC`,
    `  what       ${countsText(plan)}`,
    ...(plan.artifact === null ? [] : [`  whole diff ${plan.artifact}`]),
    ...plan.reasons.map((reason) => `  gate       ${reason}`),
    ...decided,
    ...(plan.applyRunId === null ? [] : [`  run        ${plan.applyRunId}`]),
    ...(plan.outcome === null ? [] : [`  outcome    ${plan.outcome}`]),
    '',
    ...plan.lines,
    ...(open ? ['', `  headwater approve ${plan.id}`, `  headwater reject ${plan.id}`] : []),
  ]
}

function countsText({ counts }: PlanRow): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ')
}

function statesOf({ state }: ListFlags): readonly PlanState[] | undefined {
  if (state === undefined) return undefined
  const known = PLAN_STATES.find((each) => each === state)
  if (known !== undefined) return [known]
  throw new UsageError(`there is no state ${JSON.stringify(state)}`, {
    remedy: `the states are ${PLAN_STATES.join(', ')}`,
  })
}
