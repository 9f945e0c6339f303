/**
 * The candidates most like a word, best first, for "did you mean …?": at most `most` of them, none further away than a
 * third of the word's length (at least 2 edits). Case does not count.
 */
export function nearest(word: string, candidates: Iterable<string>, most = 1): readonly string[] {
  const limit = Math.max(2, Math.floor(word.length / 3))
  const wanted = word.toLowerCase()
  return [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** `, did you mean "x"?`, or an empty text where nothing is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const [best] = nearest(word, candidates)
  return best === undefined ? '' : `, did you mean ${JSON.stringify(best)}?`
}

/** Optimal string alignment distance (a swap of neighbours is one edit); `limit + 1` as soon as it is certain to be above the limit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(substitution, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1)
      row.push(best)
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length] ?? limit + 1
}
