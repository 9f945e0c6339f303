/** Changes that take a run back: each aspect as it was before, where what stands there is still what the run wrote. */
import { HeadwaterError } from '../model/errors.ts'
import { isJsonObject, type JsonObject } from '../model/json.ts'
import { ABSENT, type AspectChange, type Wanted } from './change.ts'
import type { BeforeImage } from './journal.ts'
import { sameAspect, type StoredAspect } from './sink.ts'

/** Somebody wrote the aspect after the run that is to be undone; it is left as it is. */
export class ChangedSinceRunError extends HeadwaterError {
  readonly code = 'CHANGED_SINCE_RUN'

  constructor({ urn, aspectName }: BeforeImage, runId: string, stored: StoredAspect | undefined) {
    const by = stored?.runId === undefined ? 'the catalog does not say by whom' : `by ${stored.runId}`
    super(
      stored === undefined
        ? `${aspectName} of ${urn} was removed after ${runId}`
        : `${aspectName} of ${urn} was written again after ${runId}: ${by}`,
      { remedy: 'look at it and mend it by hand: what it was before the run is in the ledger' },
    )
  }
}

/** Neither ledger nor catalog can say what the run overwrote. */
export class RunUnknownError extends HeadwaterError {
  readonly code = 'RUN_UNKNOWN'
  override readonly badInput = true

  constructor(runId: string, reason: string) {
    super(`${runId} cannot be undone: ${reason}`, {
      remedy: 'headwater runs lists the runs of this data folder; --from catalog asks the catalog alone',
    })
  }
}

/** @param images what the aspects were before the run wrote them, each aspect once */
export async function* undoChanges(
  images: AsyncIterable<readonly BeforeImage[]>,
  runId: string,
): AsyncGenerator<AspectChange> {
  for await (const batch of images) {
    for (const image of batch) {
      const { urn, aspectName, before } = image
      const intent: JsonObject = { undo: runId, before }
      yield { urn, aspectName, intent, merge: (_current, _intent, stored) => takeBack(image, runId, stored) }
    }
  }
}

function takeBack(image: BeforeImage, runId: string, stored: StoredAspect | undefined): Wanted | undefined {
  const { before, removed = false } = image
  const isBack = stored === undefined ? before === null : isJsonObject(before) && sameAspect(stored.value, before)
  if (isBack) return undefined
  const isItsWrite = stored === undefined ? removed : stored.runId === runId
  if (!isItsWrite) throw new ChangedSinceRunError(image, runId, stored)
  return before ?? ABSENT
}
