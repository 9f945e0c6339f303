/**
 * A small HTTP server that speaks the part of the contract which the emitter uses, keeps aspects with their versions in
 * memory, and fails on command: what a catalog does on its worst day. Not a stand-in for our catalog: it exists to
 * misbehave.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to one request. `lost`: it is carried out, and its answer never arrives. */
export type Fault =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'hang' }

export interface WireMember {
  readonly entityUrn: string
  readonly aspectName: string
  readonly changeType: string
  readonly aspect?: { readonly value: string; readonly contentType: string }
  readonly headers?: Readonly<Record<string, string>>
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly members: readonly WireMember[]
}

interface Stored {
  readonly value: unknown
  readonly version: number
}

export class StubCatalog {
  readonly requests: SeenRequest[] = []
  readonly aspects = new Map<string, Stored>()
  /** Decides about each request; by default all is well. */
  fault: (request: SeenRequest, index: number) => Fault | undefined = () => undefined
  /** Refuses a batch that holds such a member, as a whole. */
  poisoned: (member: WireMember) => boolean = () => false
  poisonStatus = 422
  batchedReads = true
  /** Whether answers tell versions, so that conditional writes are possible. */
  versions = true
  /** The most write requests that were under way at once. */
  peakWrites = 0
  #writesUnderWay = 0
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#handle(request, response)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get writes(): readonly SeenRequest[] {
    return this.requests.filter((request) => request.path.startsWith('/aspects?action=ingestProposalBatch'))
  }

  static async start(): Promise<StubCatalog> {
    const stub = new StubCatalog()
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve))
    return stub
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  aspect(urn: string, aspectName: string): Stored | undefined {
    return this.aspects.get(`${aspectName} ${urn}`)
  }

  put(urn: string, aspectName: string, value: unknown): void {
    const version = (this.aspect(urn, aspectName)?.version ?? 0) + 1
    this.aspects.set(`${aspectName} ${urn}`, { value, version })
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readAll(request)
    const body = text === '' ? undefined : (JSON.parse(text) as { readonly proposals?: readonly WireMember[] })
    const seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      members: body?.proposals ?? [],
    }
    this.requests.push(seen)
    const isWrite = seen.members.length > 0
    if (isWrite) this.peakWrites = Math.max(this.peakWrites, ++this.#writesUnderWay)
    const fault = this.fault(seen, this.requests.length - 1)
    await new Promise((resolve) => setImmediate(resolve))
    if (isWrite) this.#writesUnderWay--
    switch (fault?.kind) {
      case 'status':
        return answer(response, fault.status, fault.body ?? '{"message":"injected"}', fault.headers)
      case 'reset':
        return void request.socket.resetAndDestroy()
      case 'lost':
        this.#route(seen, body)
        return void request.socket.resetAndDestroy()
      case 'hang':
        return
      case undefined: {
        const { status, value } = this.#route(seen, body)
        return answer(response, status, value === undefined ? '' : JSON.stringify(value))
      }
    }
  }

  #route(seen: SeenRequest, body: unknown): { readonly status: number; readonly value?: unknown } {
    if (seen.path === '/config') return { status: 200, value: { noCode: 'true', patchCapable: true } }
    if (seen.path === '/health') return { status: 200 }
    if (seen.path.startsWith('/aspects?action=ingestProposalBatch')) return this.#ingest(seen.members)
    if (seen.path.includes('/batchGet') && this.batchedReads) return this.#batchGet(body as Record<string, unknown>[])
    const one = /^\/openapi\/v3\/entity\/[^/]+\/([^/]+)\/([^/?]+)$/.exec(seen.path)
    if (seen.method === 'DELETE' && one !== null) {
      this.aspects.delete(`${one[2]} ${decodeURIComponent(one[1] ?? '')}`)
      return { status: 200 }
    }
    const single = /^\/aspects\/([^?]+)\?aspect=([^&]+)/.exec(seen.path)
    const stored = single && this.aspect(decodeURIComponent(single[1] ?? ''), single[2] ?? '')
    if (stored) return { status: 200, value: { version: 0, aspect: { 'com.linkedin.any': stored.value } } }
    return { status: 404, value: { error: `No endpoint ${seen.method} ${seen.path}` } }
  }

  #ingest(members: readonly WireMember[]): { readonly status: number; readonly value?: unknown } {
    const bad = members.find((member) => this.poisoned(member))
    if (bad !== undefined) return { status: this.poisonStatus, value: { message: `cannot take ${bad.entityUrn}` } }
    for (const { entityUrn, aspectName, headers } of members) {
      const expected = headers?.['If-Version-Match']
      const actual = String(this.aspect(entityUrn, aspectName)?.version ?? -1)
      if (expected !== undefined && expected !== actual) {
        return { status: 422, value: { message: `Expected version ${expected}, actual version ${actual}` } }
      }
    }
    for (const member of members) {
      this.put(member.entityUrn, member.aspectName, JSON.parse(member.aspect?.value ?? 'null'))
    }
    return { status: 200, value: { value: 'success' } }
  }

  #batchGet(wanted: readonly Record<string, unknown>[]): { readonly status: number; readonly value: unknown } {
    const value = wanted.map(({ urn, ...aspects }) => {
      const found = Object.keys(aspects).flatMap((name) => {
        const stored = this.aspect(String(urn), name)
        if (stored === undefined) return []
        const systemMetadata = this.versions ? { systemMetadata: { version: String(stored.version) } } : {}
        return [[name, { value: stored.value, ...systemMetadata }]]
      })
      return { urn, ...Object.fromEntries(found) }
    })
    return { status: 200, value }
  }
}

function answer(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
