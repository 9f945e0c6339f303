/** Images of what a run overwrites, as they lie in the ledger: JSON, compressed, one piece a batch. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { BeforeImage } from '../client/journal.ts'
import type { JsonObject } from '../model/json.ts'
import type { Urn } from '../model/urn.ts'

type Packed = readonly [urn: Urn, aspectName: string, before: JsonObject | null, removed?: true]

/** @returns null where there are none */
export function packImages(images: readonly BeforeImage[]): Uint8Array | null {
  if (images.length === 0) return null
  const packed = images.map(({ urn, aspectName, before, removed }): Packed => {
    return removed === undefined ? [urn, aspectName, before] : [urn, aspectName, before, removed]
  })
  return zstdCompressSync(JSON.stringify(packed))
}

/** What `packImages` made. */
export function unpackImages(packed: Uint8Array | null): readonly BeforeImage[] {
  if (packed === null) return []
  const images = JSON.parse(zstdDecompressSync(packed).toString('utf8')) as readonly Packed[]
  return images.map(([urn, aspectName, before, removed]) => ({
    urn,
    aspectName,
    before,
    ...(removed === undefined ? {} : { removed }),
  }))
}
