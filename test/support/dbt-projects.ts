import { join } from 'node:path'

/** Folder of one of the projects written for the tests. */
export function dbtProjectFolder(name: 'bakery' | 'harbour' | 'clinic'): string {
  return join(import.meta.dirname, 'dbt-projects', name)
}
