import type { Dialect } from '../dialects/dialect.ts'
import type { Cte, Query } from '../ir/query.ts'
import { parseText } from '../parser/script.ts'
import { extendEnv } from '../resolve/cte.ts'
import type { CteEnv } from '../resolve/model.ts'

/** Views given by name, each a CTE that sees those before it. */
export function viewsEnv(views: Readonly<Record<string, string>>, dialect: Dialect): CteEnv | undefined {
  const ctes: Cte[] = []
  for (const [name, text] of Object.entries(views)) {
    const first = parseText(text, dialect).statements[0]
    const query: Query | undefined = first?.kind === 'query' ? first.query : undefined
    if (query) ctes.push({ name, columns: undefined, query, recursive: false, start: 0, extraColumns: [] })
  }
  return extendEnv(ctes, undefined, undefined)
}
