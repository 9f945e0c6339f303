/** The way out for notices: one JSON body to one address, bounded in time; signed where the receiver shares a secret. */
import { createHmac } from 'node:crypto'
import { request } from 'undici'
import { HeadwaterError } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import type { Secret } from '../model/secret.ts'

/** A receiver did not take a notice. Its address is a secret, so it is named by its name in the configuration. */
export class WebhookFailedError extends HeadwaterError {
  readonly code = 'WEBHOOK_FAILED'
  override readonly retryable = true

  constructor(name: string, reason: string, cause?: unknown) {
    super(`the webhook ${name} did not take a notice: ${reason}`, {
      ...(cause === undefined ? {} : { cause }),
      remedy: 'check the address in its variable, and that its server answers 2xx',
    })
  }
}

export interface Webhook {
  readonly name: string
  readonly url: Secret
  /** Signs what is sent. */
  readonly secret?: Secret | undefined
}

const TIMEOUT_MS = 10_000

/**
 * Posts a notice. The header `x-headwater-delivery` is the same in each try, for receivers that want it once;
 * `x-headwater-signature` is `sha256=` and the HMAC-SHA256 of the body, in hex.
 * @throws WebhookFailedError
 */
export async function postNotice(
  { name, url, secret }: Webhook,
  notice: { readonly delivery: string; readonly body: JsonObject },
  signal?: AbortSignal,
): Promise<void> {
  const body = JSON.stringify(notice.body)
  const signed =
    secret === undefined
      ? {}
      : { 'x-headwater-signature': `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}` }
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await request(url.reveal(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'headwater',
        'x-headwater-delivery': notice.delivery,
        ...signed,
      },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    await answer.body.dump()
    if (answer.statusCode >= 300) throw new WebhookFailedError(name, `it answered ${answer.statusCode}`)
  } catch (error) {
    if (error instanceof WebhookFailedError) throw error
    const { code } = error as NodeJS.ErrnoException
    // The message may hold the address.
    throw new WebhookFailedError(name, timeout.aborted ? `no answer within ${TIMEOUT_MS} ms` : (code ?? 'no answer'))
  }
}
