/**
 * Where a source lies. An origin that nobody names is called like its source's last part, so that a folder may be moved
 * or checked out anew; two folders of that name would take away each other's edges, if nobody looked.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

/** A folder's or file's whole path, an address without its secrets; undefined for standard input. */
export function placeOf(source: string): string | undefined {
  if (source === '-') return undefined
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(source) || !URL.canParse(source)) return resolve(source)
  const { protocol, host, pathname } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** The former source of an origin, where that is another one which may still be harvested; what moved is the same. */
export function otherSource(former: string | undefined, source: string): string | undefined {
  const now = placeOf(source)
  if (former === undefined || now === undefined || former === now) return undefined
  return former.includes('://') || existsSync(former) ? former : undefined
}
