import type { SchemaResolver } from '../types.ts'

/**
 * A resolver over a fixed set of tables. Names meet without case and by their ends: a known name may have fewer parts
 * than the reference that it answers, or more. Where several do, the one with the most parts in common wins; two equally
 * good ones answer nothing rather than a guess.
 */
export function schemaFromTables(tables: Readonly<Record<string, readonly string[]>>): SchemaResolver {
  const byLastPart = new Map<string, Known[]>()
  for (const [name, columns] of Object.entries(tables)) {
    const parts = name.toLowerCase().split('.')
    const last = parts.at(-1) ?? ''
    const known = { parts, columns }
    const same = byLastPart.get(last)
    if (same === undefined) byLastPart.set(last, [known])
    else same.push(known)
  }
  return {
    columnsOf(table) {
      const parts = table.map((part) => part.toLowerCase())
      const candidates = byLastPart.get(parts.at(-1) ?? '')
      return candidates === undefined ? undefined : best(candidates, parts)
    },
  }
}

interface Known {
  readonly parts: readonly string[]
  readonly columns: readonly string[]
}

function best(candidates: readonly Known[], parts: readonly string[]): readonly string[] | undefined {
  let found: Known | undefined
  let most = 0
  for (const candidate of candidates) {
    const common = commonEnd(candidate.parts, parts)
    if (common < Math.min(candidate.parts.length, parts.length)) continue
    if (candidate.parts.length === parts.length) return candidate.columns
    if (common > most) [found, most] = [candidate, common]
    else if (common === most) found = undefined
  }
  return found?.columns
}

function commonEnd(a: readonly string[], b: readonly string[]): number {
  let n = 0
  while (n < a.length && n < b.length && a[a.length - 1 - n] === b[b.length - 1 - n]) n++
  return n
}
