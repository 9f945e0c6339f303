/**
 * A catalog that has nothing and takes everything, in a process of its own: what is left is the cost of whoever speaks
 * to it. Arguments: how many milliseconds each answer waits, and a port. Says its address; `GET /counts` tells and forgets how often
 * it was asked.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const delayMs = Number(process.argv[2] ?? 0)
let requests = 0

const server = createServer((request, response) => {
  const { url = '', method } = request
  if (url === '/counts') {
    answer(response, 200, JSON.stringify({ requests }))
    requests = 0
    return
  }
  requests++
  request.resume().on('end', () => {
    const { status, body } = answerOf(method ?? 'GET', url)
    if (delayMs === 0) answer(response, status, body)
    else setTimeout(() => answer(response, status, body), delayMs)
  })
})

function answerOf(method: string, url: string): { readonly status: number; readonly body: string } {
  if (url === '/config') return { status: 200, body: '{"noCode":"true","patchCapable":true,"versions":{}}' }
  if (url.includes('/batchGet')) return { status: 200, body: '[]' }
  if (method === 'GET' && url.startsWith('/aspects/')) return { status: 404, body: '{"message":"not there"}' }
  return { status: 200, body: '{"value":"success"}' }
}

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
