/** INSERT ALL and INSERT FIRST: one query into several tables. */

import type { Expression, Item } from '../ir/expression.ts'
import type { TableName } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import type { Core } from './core.ts'
import type { Cursor } from './cursor.ts'
import { parseExpression } from './expression.ts'
import { nameList } from './name-list.ts'
import { startsQuery } from './lookahead.ts'
import { requiredName } from './ddl-steps.ts'
import { stepOverLogErrors } from './change-clauses.ts'
import { insertedValues } from './inserted-query.ts'

/** INSERT ALL | FIRST [WHEN … THEN] INTO … [ELSE INTO …] query. */
export function parseInsertAll(c: Cursor): Core {
  c.take(K.OVERWRITE)
  c.pos++
  const branches: {
    target: TableName
    columns: readonly string[] | undefined
    values: readonly Item[] | undefined
    condition: Expression | undefined
  }[] = []
  let condition: Expression | undefined
  for (;;) {
    if (c.take(K.WHEN)) {
      condition = parseExpression(c)
      c.take(K.THEN)
    } else if (c.take(K.ELSE)) condition = undefined
    else if (c.at(K.INTO)) {
      c.pos++
      const target = requiredName(c)
      const columns = c.at(T.LPAREN) && !startsQuery(c, c.pos + 1) ? nameList(c, c.pos) : undefined
      branches.push({ target, columns, values: c.at(K.VALUES) ? insertedValues(c) : undefined, condition })
    } else break
    stepOverLogErrors(c)
  }
  return { kind: 'insertAll', source: c.rules.query(c), branches }
}
