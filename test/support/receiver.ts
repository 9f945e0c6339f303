import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Delivery {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A receiver of webhooks on this machine, which keeps what it is sent. */
export interface WebhookReceiver extends AsyncDisposable {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** What it answers from now on; 200 at first. */
  answer(status: number): void
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const deliveries: Delivery[] = []
  let status = 200
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      deliveries.push({ headers: request.headers, text, body: JSON.parse(text) })
      response.writeHead(status).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook/s3cret-path`,
    deliveries,
    answer: (next) => (status = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
