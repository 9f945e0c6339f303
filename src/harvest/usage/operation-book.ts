/**
 * Changes of datasets as a log tells them, one an execution: held as numbers, since a log tells of millions, and made
 * into events one by one when they are written.
 */
import type { Urn } from '../../model/urn.ts'
import type { Intent } from '../aspects.ts'
import { operationAspect, type OperationType } from './operation.ts'

/** Executions of one piece of the book. */
const PIECE = 16_384

/** Numbers for things that come again and again. */
class Numbered<Thing> {
  readonly things: Thing[] = []
  readonly #numbers = new Map<Thing, number>()

  numberOf(thing: Thing): number {
    const known = this.#numbers.get(thing)
    if (known !== undefined) return known
    const made = this.things.push(thing) - 1
    this.#numbers.set(thing, made)
    return made
  }
}

class Piece {
  readonly times = new Float64Array(PIECE)
  readonly datasets = new Int32Array(PIECE)
  readonly queries = new Int32Array(PIECE)
  readonly actors = new Int32Array(PIECE)
  readonly types = new Int32Array(PIECE)
  size = 0
}

/** One execution of a statement that changed a dataset. */
export interface Change {
  readonly dataset: Urn
  readonly timeMs: number
  readonly type: OperationType
  readonly actor: Urn | undefined
  readonly query: Urn
}

export class OperationBook {
  readonly #pieces: Piece[] = []
  readonly #datasets = new Numbered<Urn>()
  readonly #queries = new Numbered<Urn>()
  readonly #actors = new Numbered<Urn | undefined>()
  readonly #types = new Numbered<OperationType>()

  add({ dataset, timeMs, type, actor, query }: Change): void {
    let piece = this.#pieces.at(-1)
    if (piece === undefined || piece.size === PIECE) this.#pieces.push((piece = new Piece()))
    const at = piece.size++
    piece.times[at] = timeMs
    piece.datasets[at] = this.#datasets.numberOf(dataset)
    piece.queries[at] = this.#queries.numberOf(query)
    piece.actors[at] = this.#actors.numberOf(actor)
    piece.types[at] = this.#types.numberOf(type)
  }

  /** The events, in the order in which the changes were told. */
  *intents(origin: string): Generator<Intent> {
    for (const { times, datasets, queries, actors, types, size } of this.#pieces) {
      for (let at = 0; at < size; at++) {
        const [dataset, query] = [this.#datasets.things[datasets[at] ?? 0], this.#queries.things[queries[at] ?? 0]]
        const [actor, type] = [this.#actors.things[actors[at] ?? 0], this.#types.things[types[at] ?? 0]]
        if (dataset === undefined || query === undefined || type === undefined) throw new TypeError('not in the book')
        const intent = operationAspect({ timeMs: times[at] ?? 0, type, actor, query }, origin)
        yield { urn: dataset, aspectName: 'operation', intent }
      }
    }
  }
}
