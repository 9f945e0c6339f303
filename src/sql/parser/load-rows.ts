/** Load utilities run a statement once for each record of a file: `:a` in it is the record's field a. */

import { ROLE, type Expression, type Item, type Reference } from '../ir/expression.ts'
import type { Relation, Use } from '../ir/query.ts'
import type { Assignment, MergeAction, Statement } from '../ir/statement.ts'
import { plainSelect } from './plain-query.ts'

/** What a record is called where it stands beside a table. */
const RECORD = 'record'

/** The statement of `text` with the rows of `records` in the place of its parameters; other kinds stay as they are. */
export function overRecords(statement: Statement, records: Relation, text: string): Statement {
  switch (statement.kind) {
    case 'insert': {
      const { query } = statement
      const row = query?.kind === 'values' && query.rows.length === 1 ? query.rows[0] : undefined
      if (!query || !row)
        return { ...statement, assignments: statement.assignments.map((one) => assigned(one, text, [])) }
      const { start, end } = query
      const items = row.map((value): Item => ({
        expression: overFields(value, text, []),
        start: value.start,
        end: value.end,
      }))
      return { ...statement, query: plainSelect(items, [records], start, end) }
    }
    case 'update': {
      const own = ownerOf(statement.relations)
      return {
        ...statement,
        relations: [...statement.relations, { ...records, alias: RECORD }],
        assignments: statement.assignments.map((one) => assigned(one, text, [RECORD], own)),
        uses: statement.uses.map((use) => used(use, text, own)),
      }
    }
    case 'delete': {
      if (!statement.uses.some(({ expression }) => expression.references.some((one) => isField(one, text))))
        return statement
      const own = ownerOf(statement.relations)
      return {
        ...statement,
        relations: [...statement.relations, { ...records, alias: RECORD }],
        uses: statement.uses.map((use) => used(use, text, own)),
      }
    }
    case 'merge':
      return {
        ...statement,
        source: [...statement.source, { ...records, alias: RECORD }],
        on: statement.on && overFields(statement.on, text, [RECORD]),
        actions: statement.actions.map((one) => acted(one, text)),
      }
    case 'block':
      return { ...statement, body: statement.body.map((one) => overRecords(one, records, text)) }
    default:
      return statement
  }
}

function acted(action: MergeAction, text: string): MergeAction {
  const done = action.action
  if (done.kind === 'update')
    return { ...action, action: { ...done, assignments: done.assignments.map((one) => assigned(one, text, [RECORD])) } }
  if (done.kind !== 'insert') return action
  const values = done.values.map((item) => ({ ...item, expression: overFields(item.expression, text, [RECORD]) }))
  return { ...action, action: { ...done, values } }
}

/** What a column without a qualifier belongs to: the only table, now that the record stands beside it. */
function ownerOf([first, ...others]: readonly Relation[]): string | undefined {
  if (first?.kind !== 'table' || others.length > 0) return undefined
  return first.alias ?? first.name.parts.at(-1)
}

function assigned(one: Assignment, text: string, qualifier: readonly string[], own?: string): Assignment {
  return { ...one, expression: overFields(one.expression, text, qualifier, own) }
}

function used(use: Use, text: string, own: string | undefined): Use {
  return { ...use, expression: overFields(use.expression, text, [RECORD], own) }
}

function isField({ role, start }: Reference, text: string): boolean {
  return (role & ROLE.VARIABLE) !== 0 && text[start - 1] === ':'
}

function overFields(expression: Expression, text: string, qualifier: readonly string[], own?: string): Expression {
  const [only, ...others] = expression.references
  if (!only) return expression
  const references = expression.references.map((one) => {
    if (isField(one, text)) return { ...one, role: one.role & ~ROLE.VARIABLE, parts: [...qualifier, one.parts[0]!] }
    return own !== undefined && one.parts.length === 1 ? { ...one, parts: [own, one.parts[0]!] } : one
  })
  const isBare =
    others.length === 0 && isField(only, text) && expression.end === only.end && expression.start >= only.start - 1
  return isBare ? { ...expression, references, form: 'column', name: only.parts[0] } : { ...expression, references }
}
