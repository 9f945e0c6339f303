/**
 * Runs documents: parsed, limited, validated and compiled once, then kept by their text. Compiled documents cost 36 to
 * 40 µs a query where interpreting them costs 86 (measured).
 */
import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit'
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases'
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth'
import {
  execute,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Soon } from '../../catalog/write/write.ts'
import type { GraphqlContext } from './context.ts'

export interface GraphqlRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
  readonly operationName?: string | null | undefined
}

export type Execute = (request: GraphqlRequest, context: GraphqlContext) => Soon<ExecutionResult>

/** Documents kept; the oldest goes first. */
const MAX_DOCUMENTS = 500
const MAX_TOKENS = 10_000
/** Deep enough for the introspection queries of clients. */
const LIMITS: readonly ValidationRule[] = [
  maxDepthRule({ n: 25, ignoreIntrospection: true }),
  maxAliasesRule({ n: 50 }),
  costLimitRule({ maxCost: 100_000, ignoreIntrospection: true }),
]

type Prepared = (context: GraphqlContext, variables: Record<string, unknown>) => Soon<ExecutionResult>

export function createExecute(schema: GraphQLSchema): Execute {
  const prepared = new Map<string, Prepared>()

  function prepare(request: GraphqlRequest): Prepared {
    const key = `${request.operationName ?? ''}\n${request.query}`
    const known = prepared.get(key)
    if (known !== undefined) return known
    const document = parse(request.query, { maxTokens: MAX_TOKENS })
    const errors = validate(schema, document, [...specifiedRules, ...LIMITS])
    const [first] = errors
    if (first !== undefined) throw new InvalidDocumentError(errors, first)
    const made = compiled(schema, document, request.operationName ?? undefined)
    if (prepared.size >= MAX_DOCUMENTS) prepared.delete(prepared.keys().next().value ?? '')
    prepared.set(key, made)
    return made
  }

  return (request, context) => {
    let run: Prepared
    try {
      run = prepare(request)
    } catch (error) {
      if (error instanceof InvalidDocumentError) return { errors: error.all }
      // The limits throw instead of adding to the list, and so does the parser.
      if (error instanceof GraphQLError) return { errors: [error] }
      throw error
    }
    return run(context, { ...request.variables })
  }
}

class InvalidDocumentError extends Error {
  readonly all: readonly GraphQLError[]
  constructor(all: readonly GraphQLError[], first: GraphQLError) {
    super(first.message)
    this.all = all
  }
}

/** Compiled where the compiler knows how, else interpreted. */
function compiled(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): Prepared {
  const query = compileQuery(schema, document, operationName)
  if (isCompiledQuery(query)) return (context, variables) => query.query({}, context, variables)
  return (contextValue, variableValues) =>
    execute({ schema, document, operationName, rootValue: {}, contextValue, variableValues })
}
