import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { JsonObject } from '../model/json.ts'
import { fingerprint } from './parts.ts'

export interface PlanContent {
  readonly job: string
  readonly inputHash: string
  readonly target: string | null
  readonly counts: Readonly<Record<string, number>>
  readonly body: JsonObject
  /** Absolute path. */
  readonly artifact: string | null
  readonly expiresMs: number
}

/** What ties an approval to what is carried out: changes with any of it, the artifact's bytes included. */
export async function planHash(plan: PlanContent): Promise<string> {
  const { job, inputHash, target, counts, body, expiresMs } = plan
  const artifact = plan.artifact === null ? null : await fileHash(plan.artifact)
  return fingerprint({ job, inputHash, target, counts, body, expiresMs, artifact })
}

/** The absolute path of an artifact, which must lie below the run's folder. */
export function artifactPath(folder: string, artifact: string): string {
  const path = resolve(folder, artifact)
  const below = relative(folder, path)
  if (below === '' || below.startsWith('..') || isAbsolute(below)) {
    throw new RangeError(`the artifact ${artifact} does not lie in the run's folder`)
  }
  return path
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
