/**
 * The write rate of a catalog: batches that were made beforehand, posted by four connections, nothing read. Says how
 * long the posting alone took.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { batchBody } from '../../src/client/wire.ts'
import type { Proposal } from '../../src/model/proposal.ts'
import { asUrn, entityTypeOf, type Urn } from '../../src/model/urn.ts'
import { systemClock } from '../../src/observe/clock.ts'

const [file = '', catalogUrl = ''] = process.argv.slice(2)
const BATCH = 200
const CONNECTIONS = 4
const stamp = { time: 1, actor: 'urn:li:corpuser:ingestion' }

const proposals: Proposal[] = []
for await (const line of createInterface({ input: createReadStream(file) })) {
  const cells = /^"([^"]+)",,,([^,]*),,,([^,]*),$/.exec(line)
  if (cells === null) continue
  // Other datasets than those of the file, so that either side finds its own anew.
  const urn = asUrn((cells[1] ?? '').replace('warehouse.', 'raw.'))
  proposals.push(proposal(urn, 'globalTags', { tags: (cells[2] ?? '').split('|').map((tag) => ({ tag })) }))
  const description = cells[3] ?? ''
  if (description === '') continue
  proposals.push(proposal(urn, 'editableDatasetProperties', { created: stamp, description, lastModified: stamp }))
}
const bodies: string[] = []
for (let from = 0; from < proposals.length; from += BATCH) bodies.push(batchBody(proposals.slice(from, from + BATCH)))

const pool = new Pool(catalogUrl, { connections: CONNECTIONS })
const begun = systemClock.monotonic()
let next = 0
await Promise.all(
  Array.from({ length: CONNECTIONS }, async () => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const path = '/aspects?action=ingestProposalBatch'
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ method: 'POST', path, headers, body })
      if (answer.statusCode !== 200) throw new Error(await answer.body.text())
      await answer.body.dump()
    }
  }),
)
process.stdout.write(`took ${((systemClock.monotonic() - begun) / 1000).toFixed(3)} s\n`)
await pool.close()

function proposal(urn: Urn, aspectName: string, aspect: Proposal['aspect'] & object): Proposal {
  const systemMetadata = { lastObserved: 1, runId: 'raw' }
  return { entityType: entityTypeOf(urn), entityUrn: urn, changeType: 'UPSERT', aspectName, aspect, systemMetadata }
}
