/** Calls of a catalog whose answers are JSON: tried again by one policy, and an answer that is none is an error. */
import { isJsonObject, numberAt, objectsAt, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { GraphqlError, NotACatalogError, RefusedError } from './errors.ts'
import { retrying, type RetryDependencies, type OnWait, type RetryPolicy } from './retry.ts'
import type { HttpRequest, Transport } from './transport.ts'

/** How a call waits for its answer. */
export interface Waiting {
  readonly signal?: AbortSignal | undefined
  /** Told of each failure that is followed by another attempt. */
  readonly onRetry?: ((failure: unknown) => void) | undefined
}

export class CatalogCalls {
  readonly transport: Transport
  readonly #retry: RetryPolicy
  readonly #onWait: OnWait

  constructor(transport: Transport, retry: RetryPolicy, onWait: OnWait = () => {}) {
    this.transport = transport
    this.#retry = retry
    this.#onWait = onWait
  }

  /** @throws a class of `errors.ts`; NotACatalogError where the answer is no JSON */
  async get(path: string, waiting: Waiting): Promise<JsonValue> {
    return this.parse(path, await this.send({ method: 'GET', path }, waiting))
  }

  async post(
    path: string,
    body: JsonValue,
    waiting: Waiting,
    mayRetry?: RetryDependencies['mayRetry'],
  ): Promise<JsonValue> {
    return this.parse(path, await this.send({ method: 'POST', path, body: JSON.stringify(body) }, waiting, mayRetry))
  }

  /** @param mayRetry which failures another attempt may follow; those that say `retryable` when absent */
  async send(
    call: HttpRequest,
    { signal, onRetry }: Waiting,
    mayRetry?: RetryDependencies['mayRetry'],
  ): Promise<string> {
    let hasWaited = false
    const answer = await retrying(() => this.transport.send({ ...call, signal }), {
      policy: this.#retry,
      signal,
      onRetry: (failure, delayMs) => {
        hasWaited = true
        this.#onWait({ failure, delayMs })
        onRetry?.(failure)
      },
      ...(mayRetry === undefined ? {} : { mayRetry }),
    })
    if (hasWaited) this.#onWait(undefined)
    return answer.text
  }

  /** Runs a document. @throws GraphqlError where the answer holds errors */
  async graphql(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const path = '/api/graphql'
    const body = await this.post(path, { query, variables }, { signal })
    if (!isJsonObject(body)) throw this.unreadable(path, 'not a JSON object')
    const errors = objectsAt(body, 'errors')
    if (errors.length > 0) {
      const messages = errors.map((error) => textAt(error, 'message') ?? 'unknown error')
      throw new GraphqlError(this.transport.address(path), messages, numberAt(errors[0]?.['extensions'], 'code'))
    }
    return isJsonObject(body['data']) ? body['data'] : {}
  }

  /** @throws NotACatalogError where the text is no JSON */
  parse(path: string, text: string): JsonValue {
    try {
      return JSON.parse(text) as JsonValue
    } catch {
      throw this.unreadable(path, 'the answer is not JSON')
    }
  }

  /** The error for an answer that is not what was asked for. */
  unreadable(path: string, reason: string): NotACatalogError {
    return new NotACatalogError(this.transport.address(path), reason)
  }
}

/** 404 means absent; servers without an endpoint also answer 405 or 501. */
export function undefinedWhenAbsent(error: unknown): undefined {
  if (error instanceof RefusedError && [404, 405, 501].includes(error.status)) return undefined
  throw error
}
