/** `dbt_project.yml`: where things are and how folders of models are configured. Keys of old versions are read as well. */
import { isJsonObject, type JsonObject, textAt } from '../../model/json.ts'

export interface ProjectFile {
  readonly name: string
  readonly modelPaths: readonly string[]
  readonly seedPaths: readonly string[]
  readonly snapshotPaths: readonly string[]
  readonly macroPaths: readonly string[]
  readonly packagesPath: string
  readonly variables: JsonObject
  /** Configuration by kind: `models`, `seeds`, `snapshots`, `sources`. */
  readonly config: JsonObject
}

/** @param fallback the project's name where the file gives none */
export function readProjectFile(document: JsonObject, fallback: string): ProjectFile {
  return {
    name: textAt(document, 'name') ?? fallback,
    modelPaths: paths(document, ['model-paths', 'source-paths'], ['models']),
    seedPaths: paths(document, ['seed-paths', 'data-paths'], ['seeds', 'data']),
    snapshotPaths: paths(document, ['snapshot-paths'], ['snapshots']),
    macroPaths: paths(document, ['macro-paths'], ['macros']),
    packagesPath: textAt(document, 'packages-install-path') ?? textAt(document, 'modules-path') ?? 'dbt_packages',
    variables: objectAt(document, 'vars'),
    config: document,
  }
}

function paths(document: JsonObject, keys: readonly string[], otherwise: readonly string[]): readonly string[] {
  for (const key of keys) {
    const value = document[key]
    if (Array.isArray(value)) return value.filter((path) => typeof path === 'string')
    if (typeof value === 'string') return [value]
  }
  return otherwise
}

/** The object under a key; empty where there is none. */
export function objectAt(value: unknown, key: string): JsonObject {
  const found = isJsonObject(value) ? value[key] : undefined
  return isJsonObject(found) ? found : {}
}

/**
 * Variables that a package sees: the project's common ones, and those under its own name, which win. Those of other
 * packages lie under their names and are left out.
 */
export function variablesOf(variables: JsonObject, package_: string): JsonObject {
  return { ...variables, ...objectAt(variables, package_) }
}
