/**
 * What aspects were before a run, from the older versions that the catalog keeps: for runs of which our own ledger has
 * nothing. The list is whole in a file before anything is written, since undoing makes it shorter, page by page.
 */
import { createReadStream, existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import pLimit from 'p-limit'
import type { CatalogClient } from './catalog-client.ts'
import type { BeforeImage } from './journal.ts'
import { aspectId, type AspectKey, type StoredAspect } from './sink.ts'
import { TextFile } from './text-file.ts'

const PAGE = 200
const READS_AT_ONCE = 8

/**
 * @param file where the list is kept; a whole one of an earlier attempt is used again
 * @returns images in batches; no batch where the catalog knows nothing of the run
 */
export async function* catalogImages(
  client: CatalogClient,
  runId: string,
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly BeforeImage[]> {
  if (!existsSync(file)) await collect(client, runId, file, signal)
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  for await (const line of lines) yield JSON.parse(line) as readonly BeforeImage[]
}

async function collect(
  client: CatalogClient,
  runId: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const out = new TextFile(`${file}.part`)
  for (let start = 0; ; start += PAGE) {
    const page = await client.aspectsOfRun(runId, { start, count: PAGE }, signal)
    if (page.length === 0) break
    // Key aspects have no versions; an entity stays.
    const keys = page.filter((key) => !key.aspectName.endsWith('Key'))
    const newest = await client.read(keys, signal)
    const images = await pLimit(READS_AT_ONCE).map(keys, async (key) => {
      const stored = newest.get(aspectId(key))
      return { ...key, before: (await versionBefore(client, runId, key, stored, signal))?.value ?? null }
    })
    await out.write(`${JSON.stringify(images)}\n`)
    if (page.length < PAGE) break
  }
  await out.close()
  await rename(`${file}.part`, file)
}

/** The newest version that another run wrote: a run may have written an aspect more than once. */
async function versionBefore(
  client: CatalogClient,
  runId: string,
  key: AspectKey,
  newest: StoredAspect | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredAspect | undefined> {
  for (let version = Number(newest?.version ?? 1) - 1; version > 0; version--) {
    const older = await client.olderVersion(key, version, signal)
    if (older?.runId !== runId) return older
  }
  return undefined
}
