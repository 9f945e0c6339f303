/** Sends dead letters of earlier runs again, each where its aspect still is as it was when the proposal was made. */
import type { AspectChange } from '../src/client/change.ts'
import { changeOfLetter } from '../src/client/replay.ts'
import { defineJob, Type, type RunContext } from '../src/runner/define-job.ts'
import { carryOut } from './parts/changes.ts'
import type { Static } from 'typebox'

const input = Type.Object(
  {
    run: Type.Optional(Type.String({ minLength: 1, description: 'Id of the run whose dead letters are sent again' })),
    ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 10_000, description: 'Ids of dead letters' }),
    ),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

export default defineJob({
  name: 'replay',
  summary: 'Send proposals again that were refused or given up',
  input,
  examples: [['--run run-20261121T020000-a1b2c3', 'all that can be sent of one run']],
  byHand: 'apply',

  async run(context) {
    const sent: number[] = []
    const tally = { withoutAspect: 0 }
    await carryOut(changesOf(context, sent, tally), context)
    await context.past.settle(sent)
    const { written, unchanged, refused, dead } = context.balance.snapshot().proposals
    const { withoutAspect } = tally
    return {
      report: { sent: sent.length, withoutAspect, written, unchanged },
      partial: withoutAspect > 0,
      lines: [
        `${sent.length} dead letters sent again: ${written} written, ${unchanged} were there already, ${refused + dead} failed again`,
        ...(withoutAspect === 0 ? [] : [`${withoutAspect} hold nothing that could be sent: run their job again`]),
      ],
    }
  },
})

async function* changesOf(
  context: RunContext<Input>,
  sent: number[],
  tally: { withoutAspect: number },
): AsyncGenerator<AspectChange> {
  for await (const letters of context.past.letters(context.input)) {
    for (const { id, proposal, base } of letters) {
      if (base === null) {
        tally.withoutAspect++
        continue
      }
      sent.push(id)
      yield changeOfLetter({ proposal, base })
    }
  }
}
