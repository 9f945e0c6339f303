/** Takes an earlier run back: what it wrote reads as before again, where nobody wrote it since. */
import { join } from 'node:path'
import { catalogImages } from '../src/client/catalog-images.ts'
import type { AspectChange } from '../src/client/change.ts'
import { RunUnknownError, undoChanges } from '../src/client/undo.ts'
import { defineJob, Type, type JobContext } from '../src/runner/define-job.ts'
import { carryOut, draftOf } from './parts/changes.ts'
import type { Static } from 'typebox'

const input = Type.Object(
  {
    run: Type.String({ minLength: 1, description: 'Id of the run that is taken back' }),
    from: Type.Enum(['auto', 'ledger', 'catalog'], {
      default: 'auto',
      description:
        'Where what was before comes from: images that the ledger keeps, or older versions that the catalog keeps',
    }),
  },
  { additionalProperties: false },
)
type Input = Static<typeof input>

export default defineJob({
  name: 'undo',
  summary: 'Take an earlier run back, where nobody wrote since',
  input,
  examples: [['--run run-20261121T020000-a1b2c3', 'what would be taken back']],
  byHand: 'plan',

  async plan(context) {
    const { changes, source } = await changesOf(context)
    const { items: _, ...draft } = await draftOf(changes, context)
    const { change = 0, create = 0, remove = 0, refused = 0 } = draft.counts
    const count = change + create + remove
    return { ...draft, lines: [...draft.lines, ...summaryOf(count, refused, context.input.run), source] }
  },

  async run(context) {
    const { changes, source } = await changesOf(context)
    const { counts } = await carryOut(changes, context)
    return {
      report: { run: context.input.run, restored: counts.written, source },
      lines: [
        `${counts.written} aspects as they were before ${context.input.run}, ${counts.unchanged} were so already`,
        ...conflictLine(counts.refused),
        source,
      ],
    }
  },
})

/** @throws RunUnknownError where neither ledger nor catalog knows the run */
async function changesOf(
  context: JobContext<Input>,
): Promise<{ readonly changes: AsyncIterable<AspectChange>; readonly source: string }> {
  const { from } = context.input
  const known = await context.past.run(context.input.run)
  const run = known?.id ?? context.input.run
  if (from !== 'catalog' && known?.hasImages === true) {
    const source = 'what was before: images that the ledger kept when the run wrote'
    return { changes: undoChanges(context.past.images(run), run), source }
  }
  if (from === 'ledger') throw new RunUnknownError(run, 'the ledger has no images of what it overwrote')
  const catalog = context.connections.catalog()
  const images = catalogImages(catalog, run, join(context.artifacts, 'images.ndjson'), context.signal)
  const first = await images.next()
  if (first.done === true && known === undefined) throw new RunUnknownError(run, 'neither ledger nor catalog knows it')
  const source = `what was before: older versions that the catalog at ${catalog.address} keeps`
  return { changes: undoChanges(startingWith(first, images), run), source }
}

async function* startingWith<T>(first: IteratorResult<T, unknown>, rest: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done !== true) yield first.value
  yield* rest
}

function summaryOf(count: number, refused: number, run: string): readonly string[] {
  if (count + refused === 0) return [`nothing to take back: nothing of ${run} stands in the catalog`]
  return [`${count} aspects would read as before ${run}`, ...conflictLine(refused)]
}

function conflictLine(refused: number): readonly string[] {
  return refused === 0 ? [] : [`${refused} were written again since and stay as they are`]
}
