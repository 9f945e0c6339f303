/** One read and one write for each row and aspect, one after the other: what one writes first. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CatalogClient } from '../../src/client/catalog-client.ts'
import { objectsAt, textAt, type JsonObject } from '../../src/model/json.ts'
import { asUrn, entityTypeOf, type Urn } from '../../src/model/urn.ts'

const [file = '', catalogUrl = ''] = process.argv.slice(2)
const client = new CatalogClient({ url: catalogUrl })
const stamp = { time: 0, actor: 'urn:li:corpuser:ingestion' }

for await (const line of createInterface({ input: createReadStream(file) })) {
  const cells = /^"([^"]+)",,,([^,]*),,,([^,]*),$/.exec(line)
  if (cells === null) continue
  const urn = asUrn(cells[1] ?? '')
  await change(urn, 'globalTags', (now) => {
    const tags = objectsAt(now, 'tags')
    const held = new Set(tags.map((tag) => textAt(tag, 'tag')))
    const wanted = (cells[2] ?? '').split('|').filter((tag) => !held.has(tag))
    return { ...now, tags: [...tags, ...wanted.map((tag) => ({ tag }))] }
  })
  const description = cells[3] ?? ''
  if (description === '') continue
  await change(urn, 'editableDatasetProperties', (now) => ({
    created: stamp,
    ...now,
    description,
    lastModified: stamp,
  }))
}
await client.close()

async function change(urn: Urn, aspectName: string, merge: (now: JsonObject | undefined) => JsonObject): Promise<void> {
  const stored = await client.getAspect({ urn, aspectName })
  const aspect = merge(stored?.value)
  await client.write([{ entityType: entityTypeOf(urn), entityUrn: urn, changeType: 'UPSERT', aspectName, aspect }])
}
