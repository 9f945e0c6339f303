/** All files of a folder that carry SQL without being files of SQL. */
import { isSqlFile } from '../../model/sql-text.ts'
import type { CarriedText, Carrier, CarrierProblem } from './carrier.ts'
import { lookml } from './lookml/lookml.ts'
import { mybatis } from './mybatis.ts'
import { notebook } from './notebook.ts'
import { python } from './python.ts'
import { shell } from './shell.ts'

const CARRIERS: readonly Carrier[] = [lookml, mybatis, python, notebook, shell]
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
}

/**
 * @param paths the folder's files, in order
 * @param textOf the text of a file; undefined where there is none, or where it is too long
 */
export function carriedSql(paths: readonly string[], textOf: (path: string) => string | undefined): CarriedSql {
  const readings = CARRIERS.map((carrier) => {
    const files = paths
      .filter((path) => carrier.fits(path))
      .flatMap((path) => {
        const text = textOf(path)
        return text === undefined ? [] : [{ path, text }]
      })
    return files.length === 0 ? { texts: [], problems: [] } : carrier.read(files, textOf)
  })
  return {
    texts: readings.flatMap(({ texts }) => texts),
    problems: readings.flatMap(({ problems }) => problems),
    claimed: new Set(readings.flatMap(({ claimed = [] }) => claimed)),
  }
}
