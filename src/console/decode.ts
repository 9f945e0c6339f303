/** What the console's callers hand in: bodies and queries, each with one schema. */
import { Type, type Static, type TObject } from 'typebox'
import { decode } from '../model/decode.ts'
import { DecodeError } from '../model/errors.ts'
import { didYouMean } from '../model/near.ts'

const closed = { additionalProperties: false } as const

export const Deciding = Type.Object(
  {
    /** Only with the service's own token; a personal one says who it is. */
    by: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** The plan that the person has seen; another one is not decided. */
    hash: Type.Optional(Type.String()),
  },
  closed,
)

export const Asking = Type.Object({ by: Deciding.properties.by }, closed)

export const RunRequestBody = Type.Object(
  {
    job: Type.String({ minLength: 1 }),
    input: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
    mode: Type.Optional(Type.Enum(['plan', 'apply'])),
    target: Type.Optional(Type.String({ minLength: 1 })),
    by: Deciding.properties.by,
  },
  closed,
)

export const BackfillBody = Type.Object(
  {
    from: Type.String({ minLength: 1 }),
    to: Type.String({ minLength: 1 }),
    dryRun: Type.Boolean({ default: false }),
    by: Deciding.properties.by,
  },
  closed,
)

/** @throws DecodeError with the path inside of the body */
export function bodyOf<S extends TObject>(schema: S, body: unknown): Static<S> {
  return decode(schema, body ?? {}, (path) => ({ path: ['body', ...path].join('.') }))
}

/** How many rows one answer holds. */
const MAX_LIMIT = 1_000
const DEFAULT_LIMIT = 50

export interface ListQuery {
  readonly limit: number
  /** By the keys that were allowed; only what was given. */
  readonly filter: Readonly<Record<string, string>>
}

/** @param keys what the list may be filtered by. @throws DecodeError */
export function listQueryOf(query: unknown, keys: readonly string[]): ListQuery {
  const { limit, ...filter } = query as Readonly<Record<string, unknown>>
  for (const [key, value] of Object.entries(filter)) {
    if (!keys.includes(key)) {
      throw new DecodeError(`unknown key ${JSON.stringify(key)}${didYouMean(key, keys)}`, { path: `query.${key}` })
    }
    if (typeof value !== 'string') throw new DecodeError('is given twice', { path: `query.${key}` })
  }
  return { limit: limitOf(limit), filter: filter as Readonly<Record<string, string>> }
}

function limitOf(given: unknown): number {
  if (given === undefined) return DEFAULT_LIMIT
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new DecodeError(`is a whole number from 1 to ${MAX_LIMIT}`, { path: 'query.limit' })
}

/** One of some words. @throws DecodeError with the nearest one */
export function oneOf<T extends string>(words: readonly T[], given: string | undefined, key: string): T | undefined {
  if (given === undefined) return undefined
  const word = words.find((each) => each === given)
  if (word !== undefined) return word
  throw new DecodeError(`${JSON.stringify(given)} is none of ${words.join(', ')}${didYouMean(given, words)}`, {
    path: `query.${key}`,
  })
}

/** A moment, as ISO 8601 writes it, in milliseconds since the epoch. @throws DecodeError */
export function momentOf(path: string, text: string): number {
  const ms = Date.parse(text)
  if (!Number.isNaN(ms)) return ms
  throw new DecodeError(`${JSON.stringify(text)} is no time`, { path }, { remedy: 'write 2026-11-01T06:00:00Z' })
}
