/** The files of a dbt project, by paths relative to the project's folder, with `/` between their parts. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Type } from 'typebox'
import { DecodeError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { sqlTextOf } from '../../model/sql-text.ts'
import { decodeYaml } from '../../model/yaml.ts'
import type { ProjectProblem } from './problem.ts'

/** A larger file is no source code. */
const MAX_BYTES = 8 * 1024 * 1024

export class ProjectFiles {
  readonly root: string
  readonly problems: ProjectProblem[]

  constructor(root: string, problems: ProjectProblem[]) {
    this.root = root
    this.problems = problems
  }

  /** Files below the folders given whose name ends with one of `endings`, in the order of their paths; nothing for a missing folder. */
  async list(folders: readonly string[], endings: readonly string[]): Promise<readonly string[]> {
    const found = new Set<string>()
    for (const folder of folders) {
      const entries = await readdir(join(this.root, folder), { withFileTypes: true, recursive: true }).catch(() => [])
      for (const entry of entries) {
        const path = relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/')
        if (entry.isFile() && endings.some((ending) => path.endsWith(ending))) found.add(path)
      }
    }
    return [...found].toSorted((a, b) => (a < b ? -1 : 1))
  }

  /** Names of the folders in a folder. */
  async folders(folder: string): Promise<readonly string[]> {
    const entries = await readdir(join(this.root, folder), { withFileTypes: true }).catch(() => [])
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  }

  /** Text of a file; undefined where there is none. One that cannot be read is a problem. */
  async text(path: string): Promise<string | undefined> {
    try {
      const bytes = await readFile(join(this.root, path))
      if (bytes.length <= MAX_BYTES) return sqlTextOf(bytes)
      this.problems.push({ code: 'FILE_UNREADABLE', message: 'the file is too large', file: path })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.problems.push({ code: 'FILE_UNREADABLE', message: (error as Error).message, file: path })
      }
    }
    return undefined
  }

  /** A JSON document as an object; empty where there is none. dbt's artefacts are large, and machine-made. */
  async json(path: string): Promise<JsonObject> {
    const text = await readFile(join(this.root, path), 'utf8').catch(() => undefined)
    if (text === undefined) return {}
    try {
      const document: unknown = JSON.parse(text)
      return isJsonObject(document) ? document : {}
    } catch (error) {
      this.problems.push({ code: 'FILE_UNREADABLE', message: (error as Error).message, file: path })
      return {}
    }
  }

  /** A YAML document as an object; empty where there is none or it is not one. */
  async yaml(path: string): Promise<JsonObject> {
    const text = await this.text(path)
    if (text === undefined) return {}
    try {
      const document: unknown = decodeYaml(Type.Unknown(), text, path)
      return isJsonObject(document) ? document : {}
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error
      this.problems.push({ code: 'YAML_INVALID', message: error.message, file: path })
      return {}
    }
  }
}
