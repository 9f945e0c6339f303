/** Prefixes under which clients reach the same routes: hosted, behind a front proxy, plain (contract §1). */
const PREFIXES = ['/api/gms', '/gms'] as const
/** These live under `/api` themselves. */
const OWN_UNDER_API = ['/api/graphql', '/api/v2/graphql'] as const

/** The path that is routed: without `/api/gms`, `/gms`, and without `/api` but for the GraphQL addresses. */
export function stripPrefix(url: string): string {
  for (const prefix of PREFIXES) {
    if (startsWithSegment(url, prefix)) return stripPrefix(url.slice(prefix.length) || '/')
  }
  if (OWN_UNDER_API.some((path) => startsWithSegment(url, path))) return url
  return startsWithSegment(url, '/api') ? url.slice('/api'.length) || '/' : url
}

function startsWithSegment(url: string, prefix: string): boolean {
  return url.startsWith(prefix) && ['/', '?', undefined].includes(url[prefix.length])
}
