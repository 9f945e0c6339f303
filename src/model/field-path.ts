/**
 * The simple form of a field path: a versioned path (`[version=2.0]…`) keeps its dot-separated tokens that neither begin
 * with `[` nor end with `]`; any other path is simple already (interface §2.7).
 */
export function simpleFieldPath(fieldPath: string): string {
  if (!fieldPath.startsWith('[version=2.0]')) return fieldPath
  return fieldPath
    .split('.')
    .filter((token) => !token.startsWith('[') && !token.endsWith(']'))
    .join('.')
}
