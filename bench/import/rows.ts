/** The file that every subject reads: one dataset a row, two tags each, every third with a description. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

const HEAD = 'resource,subresource,glossary_terms,tags,owners,ownership_type,description,domain'
const PIECE = 10_000

/** Writes `count` rows to `path`. */
export async function writeRows(path: string, count: number): Promise<void> {
  const out = createWriteStream(path)
  out.write(`${HEAD}\n`)
  for (let from = 0; from < count; from += PIECE) {
    const lines = Array.from({ length: Math.min(PIECE, count - from) }, (_, n) => rowOf(from + n))
    if (!out.write(lines.join(''))) await once(out, 'drain')
  }
  out.end()
  await finished(out)
}

function rowOf(n: number): string {
  const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,warehouse.area${n % 50}.table_${n},PROD)`
  const description = n % 3 === 0 ? `Table ${n} of area ${n % 50}` : ''
  return `"${urn}",,,urn:li:tag:certified|urn:li:tag:team${n % 40},,,${description},\n`
}

/** Aspects that a file of so many rows comes to. */
export function aspectsOf(rows: number): number {
  return rows + Math.ceil(rows / 3)
}
