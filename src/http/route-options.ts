/**
 * What each route says of itself: what its caller needs (caller.ts), and what it takes and gives, for the OpenAPI page.
 * Requests are decoded by the handlers, and answers go out as they are: the schemas here tell, and a test holds the
 * answers of the whole conformance suite to them.
 */
import { Type, type TObject, type TSchema } from 'typebox'
import type { Need } from './caller.ts'

/** Chapters of the page, in its order. */
export const TAGS = {
  entities: 'Entities and aspects, version 3',
  'entities v2': 'Entities and aspects, version 2 (the interface, §4.4 and §4.5)',
  graphql: 'GraphQL (the interface, §4.1)',
  'rest.li': 'Proposals, reads and actions as DataHub’s rest.li has them',
  operations: 'Timeseries indexes, tasks, export (the interface, §4.3)',
  others: 'Relationships, lineage, timeline, traces, registry',
  service: 'The service itself',
} as const

export interface RouteDoc {
  readonly tag: keyof typeof TAGS
  /** One sentence without a full stop. */
  readonly summary: string
  readonly description?: string
  readonly query?: TObject
  readonly body?: TSchema
  /** By status; text stands for an answer without a body. */
  readonly answers: Readonly<Record<number, TSchema | string>>
}

/** A failure of any interface: see the contract, §4, §5.4 and §10. */
const FAILURE = Type.Object(
  {
    error: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer()),
    code: Type.Optional(Type.String()),
    remedy: Type.Optional(Type.String()),
  },
  { description: 'What is wrong, and what to do' },
)

export const reads = (doc: RouteDoc) => options('read', doc)
export const writes = (doc: RouteDoc) => options('write', doc)
export const asItsAction = (doc: RouteDoc) => options('as its action', doc)
export const open = (doc: RouteDoc) => options('nothing', doc)

function options(needs: Need, { tag, summary, description, query, body, answers }: RouteDoc) {
  const given = Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)] as const)
  return {
    config: { needs },
    schema: {
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      ...(needs === 'nothing' ? { security: [] } : {}),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
      response: { ...Object.fromEntries(given), '4xx': FAILURE, '5xx': FAILURE },
    },
  }
}

function answerOf(answer: TSchema | string): TSchema {
  return typeof answer === 'string' ? Type.Null({ description: answer }) : answer
}

/** Parameters of query strings that many routes share. */
export const FLAG = Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')]))
export const NUMBER = Type.Optional(Type.String({ pattern: '^[0-9]+$' }))
export const TEXT = Type.Optional(Type.String())
