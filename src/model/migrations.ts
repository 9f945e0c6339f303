/**
 * Flyway's migrations in the order in which they run: versions by their numbers (V1.10 behind V1.9), repeatable ones
 * last, undo scripts not at all.
 */

const VERSIONED = /^[VB](\d+(?:[._]\d+)*)__/
const REPEATABLE = /^R__/
const UNDO = /^U\d+(?:[._]\d+)*__/

/**
 * Paths, sorted by code units, as a folder's scripts are to be read.
 * @param paths with `/` between their parts
 */
export function inRunningOrder(paths: readonly string[]): string[] {
  const folders = new Set(paths.filter((path) => VERSIONED.test(nameOf(path))).map(folderOf))
  if (folders.size === 0) return [...paths]
  const kept = paths.filter((path) => !(folders.has(folderOf(path)) && UNDO.test(nameOf(path))))
  for (const folder of folders) {
    const places = kept.flatMap((path, at) => (folderOf(path) === folder && isMigration(nameOf(path)) ? [at] : []))
    const ordered = places.map((at) => kept[at]!).toSorted(compare)
    for (const [index, at] of places.entries()) kept[at] = ordered[index]!
  }
  return kept
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function isMigration(name: string): boolean {
  return VERSIONED.test(name) || REPEATABLE.test(name)
}

function versionOf(path: string): readonly number[] | undefined {
  return VERSIONED.exec(nameOf(path))?.[1]!.split(/[._]/).map(Number)
}

function compare(left: string, right: string): number {
  const [a, b] = [versionOf(left), versionOf(right)]
  if (!a || !b) return a ? -1 : b ? 1 : left < right ? -1 : 1
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return left < right ? -1 : 1
}
