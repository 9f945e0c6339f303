import type { Database } from '../../store/database.ts'
import { MIGRATIONS } from '../../store/migrations/index.ts'
import { packageVersion } from '../package-info.ts'
import { fail, ok, type Check, type Finding } from './check.ts'

export const versionsCheck: Check = {
  name: 'versions',
  async run({ database }) {
    const opened = await database()
    return judgeSchema(packageVersion(), MIGRATIONS.length, opened === undefined ? 0 : await schemaVersion(opened))
  },
}

async function schemaVersion(database: Database): Promise<number> {
  const [table] = await database.rows<{ found: boolean }>(
    "select to_regclass('headwater.migration') is not null as found",
  )
  if (table?.found !== true) return 0
  const [row] = await database.rows<{ version: number }>(
    'select coalesce(max(version), 0)::int as version from headwater.migration',
  )
  return row?.version ?? 0
}

/** @param found schema version of the database; 0 where there is none yet */
export function judgeSchema(program: string, known: number, found: number): Finding {
  const both = `headwater ${program}, schema ${found} of ${known}`
  if (found > known) return fail(both, 'the database was written by a newer release: use that one or a newer one')
  if (found < known) return ok(`${both}: the rest follows at the next start`)
  return ok(both)
}
