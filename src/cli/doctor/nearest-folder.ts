import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A folder, or the nearest one above it that is there. */
export async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() || dirname(path) === path ? path : nearestFolder(dirname(path))
}
