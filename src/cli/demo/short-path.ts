import { relative } from 'node:path'

/** A path as one would type it here: relative where it lies below the working folder. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
