/** `POST /api/graphql` (interface §4.1, contract §9.1): failures of fields are answers with status 200. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { FastifyInstance } from 'fastify'
import { GraphQLError, type ExecutionResult } from 'graphql'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Logger } from '../../observe/logger.ts'
import { DecodeError } from '../../model/errors.ts'
import { MissingScopeError } from '../caller.ts'
import { asItsAction } from '../route-options.ts'
import { failureOf } from '../errors.ts'
import { graphqlContext, sharedReads } from './context.ts'
import { createExecute } from './execute.ts'
import { executableSchema } from './resolvers.ts'

const MAX_QUERY_BYTES = 1_000_000

const shape = Type.Object({
  query: Type.String(),
  variables: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  operationName: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
const body = Compile(shape)
const ROUTE = asItsAction({
  tag: 'graphql',
  summary: 'Runs a GraphQL document; failures of fields are answers too',
  body: shape,
  answers: {
    200: Type.Object({
      errors: Type.Optional(Type.Array(Type.Object({ message: Type.String(), extensions: Type.Object({}) }))),
      data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
      extensions: Type.Object({}),
    }),
  },
})

export async function graphqlRoutes(
  app: FastifyInstance,
  { catalog, logger }: { readonly catalog: Catalog; readonly logger: Logger },
): Promise<void> {
  const execute = createExecute(executableSchema())
  const reads = sharedReads(catalog)
  const answer = ({ data, errors }: ExecutionResult) => ({
    ...(errors === undefined || errors.length === 0 ? {} : { errors: errors.map((error) => errorJson(error, logger)) }),
    data: data ?? null,
    extensions: {},
  })
  for (const path of ['/api/graphql', '/api/v2/graphql']) {
    app.post(path, { bodyLimit: MAX_QUERY_BYTES, ...ROUTE }, (request, reply) => {
      // DataHub's answer is empty here; people who write their first request need to know what is wrong with it.
      if (!body.Check(request.body)) {
        throw new DecodeError('the body is an object with query, variables and operationName', { path: '/query' })
      }
      void reply.header('content-type', 'application/json;charset=utf-8')
      const result = execute(request.body, graphqlContext(catalog, reads, request.caller))
      return result instanceof Promise ? result.then(answer) : answer(result)
    })
  }
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  403: 'UNAUTHORIZED',
  500: 'SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

const NOT_ALLOWED = 'Unauthorized to perform this action. Please contact your DataHub administrator.'

/** An error item: `extensions.code` is a number, and whatever is wrong with the request is 400 (contract §9.1). */
function errorJson(error: GraphQLError, logger: Logger) {
  const { message, locations, path } = error
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) }
  const cause = error.originalError
  if (cause === undefined || cause === null || cause instanceof GraphQLError) {
    const classification = message.startsWith('Syntax Error') ? 'InvalidSyntax' : 'ValidationError'
    return { message, ...place, extensions: { classification } }
  }
  const failure = failureOf(cause)
  if (failure.status === 500) logger.error({ err: cause }, 'resolver failed')
  const code = [401, 403, 500, 503].includes(failure.status) ? failure.status : 400
  return {
    // What clients know a missing privilege by; the remedy names the scope (contract §10).
    message: cause instanceof MissingScopeError ? NOT_ALLOWED : failure.message,
    ...place,
    extensions: {
      code,
      type: TYPES[code] ?? 'BAD_REQUEST',
      classification: 'DataFetchingException',
      reason: failure.code,
      ...(failure.remedy === undefined ? {} : { remedy: failure.remedy }),
    },
  }
}
