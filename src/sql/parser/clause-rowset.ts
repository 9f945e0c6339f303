/** A clause that gives rows with columns made from an expression: ARRAY JOIN, UNPIVOT, EXPAND ON, TIMESERIES. */

import type { Expression } from '../ir/expression.ts'
import type { FunctionRelation, Join, RowsetColumn } from '../ir/query.ts'

/** What has no relation to its left to be joined by a condition. */
export const CROSS: Join = { kind: 'cross', natural: false, using: undefined }

export function clauseRowset(
  clause: string,
  made: { readonly from: Expression; readonly columns: readonly RowsetColumn[] },
  join: Join,
  start: number,
  end: number,
): FunctionRelation {
  return {
    kind: 'function',
    name: clause.toLowerCase(),
    parts: [clause],
    args: [made.from],
    relations: [],
    columns: made.columns,
    elements: false,
    ordinality: undefined,
    join,
    pivots: [],
    start,
    end,
  }
}
