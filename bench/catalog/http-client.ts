/**
 * Clients of the catalog in a thread of their own, as clients are elsewhere in life: in the server's thread they would
 * take the time that they measure.
 */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Pool } from 'undici'
import type { Resources } from '../../src/observe/resources.ts'
import { REQUESTS, type RequestName } from './requests.ts'
import { callsIn, type Load } from './load.ts'

interface Task {
  readonly name: RequestName
  readonly clients: number
  readonly seconds: number
}

/** @returns what makes a load of requests of one kind */
export function httpClients(resources: Resources, url: string): (name: RequestName) => Load {
  const worker = new Worker(new URL(import.meta.url), { workerData: url })
  resources.defer(async () => void (await worker.terminate()))
  return (name) => async (clients, seconds) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows of a browser
    worker.postMessage({ name, clients, seconds } satisfies Task)
    const [answer] = (await once(worker, 'message')) as [{ readonly calls: number }]
    return answer.calls
  }
}

if (!isMainThread && parentPort !== null && typeof workerData === 'string') {
  const port = parentPort
  const pool = new Pool(workerData, { connections: 64 })
  const headers = { 'content-type': 'application/json' }
  const next: Partial<Record<RequestName, number>> = {}
  const call = async (name: RequestName) => {
    const n = next[name] ?? 0
    next[name] = n + 1
    const request = REQUESTS[name]
    const answer = await pool.request({
      method: 'POST',
      path: request.path,
      headers,
      body: JSON.stringify(request.body(n)),
    })
    if (answer.statusCode !== 200) throw new Error(await answer.body.text())
    await answer.body.dump()
  }
  port.on('message', ({ name, clients, seconds }: Task) => {
    void callsIn(() => call(name))(clients, seconds).then((calls) => port.postMessage({ calls }))
  })
}
