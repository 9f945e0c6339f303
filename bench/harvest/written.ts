/** What a harvest left in a catalog: how many aspects of each kind, and how many events. */
import { isJsonObject, numberAt } from '../../src/model/json.ts'
import { CatalogClient } from '../../src/client/catalog-client.ts'

/** What harvests write; the columns of the tables were there before. */
const ASPECTS = ['upstreamLineage', 'queryProperties', 'querySubjects', 'dataPlatformInstance', 'status'] as const

/** `kind: count`, aspects first, those that are not there left out. */
export async function writtenKinds(catalogUrl: string): Promise<readonly string[]> {
  const kinds: [string, number][] = []
  for (const aspect of ASPECTS) kinds.push([aspect, await countOf(catalogUrl, aspect)])
  const client = new CatalogClient({ url: catalogUrl })
  try {
    for (const { aspectName, rows = 0 } of await client.timeseries.indexSizes()) kinds.push([aspectName, rows])
  } finally {
    await client.close()
  }
  return kinds.filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count.toLocaleString('en')}`)
}

async function countOf(catalogUrl: string, aspect: string): Promise<number> {
  const answer = await fetch(`${catalogUrl}/aspects?action=getCount`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ aspect }),
  })
  const body: unknown = await answer.json()
  return isJsonObject(body) ? (numberAt(body, 'value') ?? 0) : 0
}
