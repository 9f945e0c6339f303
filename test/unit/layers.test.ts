import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

/**
 * Which folder may import which (ARCHITECTURE.md, "Who may import whom"). A folder always may import itself.
 * `src/main.ts`, `src/cli.ts` and what they compose know every folder and are not listed.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/model': [],
  'src/observe': ['src/model'],
  'src/sql': ['src/model'],
  'src/config': ['src/model'],
  'src/store': ['src/model', 'src/observe'],
  'src/embedded': ['src/model', 'src/observe'],
  'src/catalog': ['src/model', 'src/observe', 'src/store'],
  'src/http': ['src/model', 'src/observe', 'src/catalog'],
  'src/client': ['src/model', 'src/observe'],
  'src/queue': ['src/model', 'src/observe'],
  'src/harvest': ['src/model', 'src/observe', 'src/client', 'src/sql'],
  'src/import': ['src/model', 'src/observe', 'src/client'],
  'src/retention': ['src/model', 'src/observe', 'src/client'],
  'src/runner': ['src/model', 'src/observe', 'src/config', 'src/queue', 'src/client', 'src/store'],
  // It lets in by the same rules as the catalog.
  'src/console': [
    'src/model',
    'src/observe',
    'src/queue',
    'src/runner',
    'src/store',
    'src/http/access.ts',
    'src/http/caller.ts',
  ],
  'src/recipe': ['src/model'],
  jobs: ['src/model', 'src/harvest', 'src/import', 'src/retention', 'src/client', 'src/runner/define-job.ts'],
}

const ROOT = resolve(import.meta.dirname, '../..')

test('every import between folders stands in the import table', () => {
  const offences: string[] = []
  for (const folder of Object.keys(MAY_IMPORT)) {
    for (const file of typescriptFiles(join(ROOT, folder))) {
      for (const target of relativeImports(file)) {
        if (!allowed(folder, target)) offences.push(`${relative(ROOT, file)} imports ${target}`)
      }
    }
  }
  expect(offences).toEqual([])
})

test('every folder of src is in the import table', () => {
  const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const composition = new Set(['cli', 'main'])
  const unlisted = folders
    .map((entry) => entry.name)
    .filter((name) => !composition.has(name) && !(`src/${name}` in MAY_IMPORT))
  expect(unlisted).toEqual([])
})

function allowed(folder: string, target: string): boolean {
  const permitted = [folder, ...(MAY_IMPORT[folder] ?? [])]
  return permitted.some((place) => target === place || target.startsWith(`${place}/`))
}

function relativeImports(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].map((match) => match[1] ?? '')
  return specifiers.map((specifier) =>
    relative(ROOT, resolve(dirname(file), specifier))
      .split(sep)
      .join('/'),
  )
}

function typescriptFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}
