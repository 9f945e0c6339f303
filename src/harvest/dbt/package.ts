/** One package of a project, read from its folder: the project itself, or what is installed beside it. */
import type { JsonObject } from '../../model/json.ts'
import { textAt } from '../../model/json.ts'
import type { ProjectFiles } from './files.ts'
import { type ProjectFile, readProjectFile } from './project-file.ts'
import { type Properties, readProperties } from './properties.ts'
import { seedColumns } from './seeds.ts'

export interface PackageText {
  readonly file: string
  /** Folders and name below the model, seed or snapshot path: `['staging', 'stg_orders']`. */
  readonly path: readonly string[]
  readonly text: string
}

export interface DbtPackage {
  readonly project: ProjectFile
  readonly document: JsonObject
  readonly properties: Properties
  readonly models: readonly PackageText[]
  readonly pythonModels: readonly PackageText[]
  readonly snapshots: readonly PackageText[]
  readonly seeds: readonly (PackageText & { readonly columns: readonly string[] })[]
  readonly macros: readonly string[]
}

/** @param folder the package's folder within the project; empty for the project itself */
export async function readPackage(files: ProjectFiles, folder: string): Promise<DbtPackage> {
  const below = (paths: readonly string[]) => (folder === '' ? paths : paths.map((path) => `${folder}/${path}`))
  const document = await files.yaml(folder === '' ? 'dbt_project.yml' : `${folder}/dbt_project.yml`)
  const project = readProjectFile(document, folder.split('/').at(-1) || 'project')
  const { modelPaths, seedPaths, snapshotPaths, macroPaths } = project
  const texts = (paths: readonly string[], ending: string) => readTexts(files, below(paths), ending)
  const seeds = await texts(seedPaths, '.csv')
  return {
    project,
    document,
    properties: await readProperties(files, below([...modelPaths, ...seedPaths, ...snapshotPaths])),
    models: await texts(modelPaths, '.sql'),
    pythonModels: await texts(modelPaths, '.py'),
    snapshots: await texts(snapshotPaths, '.sql'),
    seeds: seeds.map((seed) => ({ ...seed, columns: seedColumns(seed.text) })),
    macros: (await texts(macroPaths, '.sql')).map(({ text }) => text),
  }
}

async function readTexts(
  files: ProjectFiles,
  folders: readonly string[],
  ending: string,
): Promise<readonly PackageText[]> {
  const texts: PackageText[] = []
  for (const folder of folders) {
    for (const file of await files.list([folder], [ending])) {
      const text = await files.text(file)
      const path = file.slice(folder.length + 1, -ending.length).split('/')
      if (text !== undefined) texts.push({ file, path, text })
    }
  }
  return texts
}

/** Packages that `dbt deps` has installed. */
export async function installedPackages(files: ProjectFiles, project: ProjectFile): Promise<readonly DbtPackage[]> {
  const packages: DbtPackage[] = []
  for (const folder of await files.folders(project.packagesPath))
    packages.push(await readPackage(files, `${project.packagesPath}/${folder}`))
  return packages
}

/** The profile that the project names. */
export function profileName(document: JsonObject): string | undefined {
  return textAt(document, 'profile')
}
