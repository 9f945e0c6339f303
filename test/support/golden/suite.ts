import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseGolden, type GoldenCase } from './format.ts'

const FOLDER = resolve(import.meta.dirname, '../../golden/lineage')

/** All cases of `test/golden/lineage`, in the order of files and lines. */
export function goldenSuite(): GoldenCase[] {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sql'))
  return files.toSorted().flatMap((file) => {
    const path = join(FOLDER, file)
    const construct = relative('', file).replace(/\.sql$/, '')
    return parseGolden(`test/golden/lineage/${file}`, construct, readFileSync(path, 'utf8'))
  })
}
