import { createServer, request as forwardRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { PASS, type Fault, type FaultPlan, type SeenRequest } from './faults.ts'

/**
 * An HTTP proxy between a client and a catalog that does to each request what its plan says, and counts. The plan may be
 * changed at any time: `proxy.plan = always({ kind: 'hang' })`.
 */
export class FaultProxy implements AsyncDisposable {
  plan: FaultPlan | ((request: SeenRequest) => Promise<Fault>) = () => PASS
  /** How many requests got which fault. */
  readonly counts: Record<Fault['kind'], number> = {
    pass: 0,
    status: 0,
    reset: 0,
    'lost-answer': 0,
    'half-answer': 0,
    'half-applied': 0,
    hang: 0,
    slow: 0,
  }
  /** Every request, with what happened to it. */
  readonly seen: (SeenRequest & { readonly fault: Fault['kind'] })[] = []
  /** The most requests that were under way at once. */
  peak = 0
  #underWay = 0
  readonly #target: URL
  readonly #readsBodies: boolean
  readonly #server = createServer((request, response) => void this.#handle(request, response))

  private constructor(target: string, readsBodies: boolean) {
    this.#target = new URL(target)
    this.#readsBodies = readsBodies
  }

  /**
   * Listens on a free port of 127.0.0.1; `target` is where requests go, such as `http://127.0.0.1:8080`. With
   * `readsBodies` the plan is asked once a request's body is whole, and is handed it.
   */
  static async open(
    target: string,
    plan: FaultPlan = () => PASS,
    { readsBodies = false }: { readonly readsBodies?: boolean } = {},
  ): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, readsBodies)
    proxy.plan = plan
    await new Promise<void>((listening, failed) => {
      proxy.#server.once('error', failed).listen(0, '127.0.0.1', () => listening())
    })
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get total(): number {
    return this.seen.length
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.peak = Math.max(this.peak, ++this.#underWay)
    response.once('close', () => this.#underWay--)
    request.on('error', () => undefined)
    response.on('error', () => undefined)
    const body = this.#readsBodies ? await readAll(request) : undefined
    const asked = { method: request.method ?? 'GET', path: request.url ?? '/', ...(body === undefined ? {} : { body }) }
    const fault = await this.plan(asked)
    this.counts[fault.kind]++
    this.seen.push({ ...asked, fault: fault.kind })
    await this.#carryOut(fault, request, response, body)
  }

  async #carryOut(fault: Fault, request: IncomingMessage, response: ServerResponse, body?: string): Promise<void> {
    switch (fault.kind) {
      case 'pass':
        return this.#forward(request, response, body)
      case 'slow':
        await sleep(fault.delayMs)
        return this.#forward(request, response, body)
      case 'status':
        request.resume()
        response.writeHead(fault.status, {
          'content-type': 'application/json',
          ...(fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }),
        })
        response.end(fault.body ?? JSON.stringify({ status: fault.status, message: 'injected fault' }))
        return
      case 'reset':
        request.socket.resetAndDestroy()
        return
      case 'hang':
        request.resume()
        return
      case 'lost-answer':
      case 'half-answer':
        return this.#breakAnswer(fault.kind, request, response, body)
      case 'half-applied':
        return this.#applyHalf(fault.status, request, response, body)
      default:
        fault satisfies never
    }
  }

  #forward(request: IncomingMessage, response: ServerResponse, body: string | undefined): void {
    this.#send(request, body, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    }).on('error', () => request.socket.resetAndDestroy())
  }

  /** Waits for the whole answer, so that what was asked for has happened, and gives half of it or none. */
  #breakAnswer(
    kind: 'lost-answer' | 'half-answer',
    request: IncomingMessage,
    response: ServerResponse,
    body: string | undefined,
  ): void {
    this.#send(request, body, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        if (kind === 'half-answer') sendHalf(response, answer, Buffer.concat(chunks))
        else request.socket.resetAndDestroy()
      })
    }).on('error', () => request.socket.resetAndDestroy())
  }

  async #applyHalf(
    status: number,
    request: IncomingMessage,
    response: ServerResponse,
    read: string | undefined,
  ): Promise<void> {
    const text = read ?? Buffer.concat((await request.toArray()) as Buffer[]).toString('utf8')
    const { proposals } = JSON.parse(text) as { readonly proposals: readonly unknown[] }
    const half = proposals.slice(0, Math.floor(proposals.length / 2))
    const headers = { 'content-type': 'application/json' }
    await fetch(new URL(request.url ?? '/', this.#target), {
      method: 'POST',
      headers,
      body: JSON.stringify({ proposals: half }),
    })
    response.writeHead(status, headers).end(JSON.stringify({ status, message: 'injected: half of it was done' }))
  }

  #send(request: IncomingMessage, body: string | undefined, onAnswer: (answer: IncomingMessage) => void) {
    const { hostname, port } = this.#target
    const headers = { ...request.headers, host: this.#target.host }
    const { method, url: path } = request
    const forwarded = forwardRequest({ hostname, port, method, path, headers, agent: false }, onAnswer)
    if (body !== undefined) return forwarded.end(body)
    const sent = request.pipe(forwarded)
    // A client that was killed leaves half a request, which the target would wait for.
    request.once('close', () => {
      if (!request.complete) sent.destroy()
    })
    return sent
  }
}

function sendHalf(response: ServerResponse, answer: IncomingMessage, body: Buffer): void {
  response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroySoon())
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
