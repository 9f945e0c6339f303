/** All files of a folder that carry SQL without being files of SQL. */
import { isSqlFile } from '../../model/sql-text.ts'
import type { CarriedText, Carrier, CarrierFolder, CarrierProblem, CarrierReading } from './carrier.ts'
import { liquibase } from './liquibase/liquibase.ts'
import { lookml } from './lookml/lookml.ts'
import { mybatis } from './mybatis.ts'
import { notebook } from './notebook.ts'
import { python } from './python.ts'
import { shell } from './shell.ts'
import { sqlmesh } from './sqlmesh.ts'

const CARRIERS: readonly Carrier[] = [sqlmesh, liquibase, lookml, mybatis, python, notebook, shell]
/** A larger file is no source code. */
export const LONGEST_CARRIER = 16 * 1024 * 1024

/** Folders of what is installed or built, and tests: their SQL is not run on data. */
const NOT_OWN = /(?:^|\/)(?:\.[^/]+|node_modules|venv|site-packages|__pycache__|dist|build|target|tests?)\//i
const TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/i

/** Whether a file may carry SQL, by its path in the folder. Files of SQL themselves do not. */
export function mayCarrySql(path: string): boolean {
  const slashed = path.replaceAll('\\', '/')
  if (isSqlFile(slashed) || NOT_OWN.test(slashed) || TEST.test(slashed)) return false
  return CARRIERS.some((carrier) => carrier.fits(slashed))
}

export interface CarriedSql {
  readonly texts: readonly CarriedText[]
  readonly problems: readonly CarrierProblem[]
  /** Files of SQL whose text stands in `texts` already. */
  readonly claimed: ReadonlySet<string>
  /** The dialect, where the files say it. */
  readonly dialect: string | undefined
}

/**
 * @param carrying files that may carry SQL, in order
 * @param folder all files
 */
export function carriedSql(carrying: readonly string[], folder: CarrierFolder): CarriedSql {
  const readings = CARRIERS.map((carrier): CarrierReading => {
    const files = carrying
      .filter((path) => carrier.fits(path))
      .flatMap((path) => {
        const text = folder.textOf(path)
        return text === undefined || carrier.mayBe?.(text) === false ? [] : [{ path, text }]
      })
    return files.length === 0 ? { texts: [], problems: [] } : carrier.read(files, folder)
  })
  return {
    texts: readings.flatMap(({ texts }) => texts),
    problems: readings.flatMap(({ problems }) => problems),
    claimed: new Set(readings.flatMap(({ claimed = [] }) => claimed)),
    dialect: readings.find(({ dialect }) => dialect !== undefined)?.dialect,
  }
}
