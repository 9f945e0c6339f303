/** MERGE: what each branch gives the target, from the source or from the target itself. */

import type { MergeAction, MergeStatement } from '../ir/statement.ts'
import { extendEnv, resolveUnused } from './cte.ts'
import { type Edge, edge, land } from './edges.ts'
import { resolveUses, valueOf } from './expression.ts'
import { type CteEnv, NO_COLUMNS, type OutColumn, type Scope, type ScopeRelation, type Table } from './model.ts'
import { resolveRelation } from './relation.ts'
import { returned } from './returning.ts'
import { newScope } from './scope.ts'
import { expandStar } from './star.ts'
import {
  BY_NAME,
  NOT_FIXED,
  type StatementResolving,
  assign,
  targetColumnName,
  targetRelation,
  write,
} from './target.ts'

export function resolveMerge(
  r: StatementResolving,
  statement: MergeStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const target = write(r, statement.target)
  const source = newScope(undefined, inner)
  for (const relation of statement.source) resolveRelation(r, relation, source)
  if (!target) return NO_COLUMNS
  const own = targetRelation(target, statement.alias)
  const both = newScope(undefined, inner)
  both.relations.push(own, ...source.relations)
  if (statement.on) resolveUses(r, [{ kind: 'JOIN', expression: statement.on }], both)
  for (const action of statement.actions) resolveAction(r, action, target, own, source, both)
  const rows = returned(r, statement, both)
  resolveUnused(r, inner, env)
  return rows
}

function resolveAction(
  r: StatementResolving,
  action: MergeAction,
  target: Table,
  own: ScopeRelation,
  source: Scope,
  both: Scope,
): void {
  const bySource = action.branch === 'not-matched-by-source'
  const scope = bySource ? { ...both, relations: [own] } : both
  if (action.condition)
    resolveUses(r, [{ kind: 'FILTER', expression: action.condition }], action.branch === 'not-matched' ? source : scope)
  switch (action.action.kind) {
    case 'update':
      return assign(r, action.action.assignments, target, bySource ? scope : preferSource(own, source), action.branch)
    case 'update-all':
      return allByName(r, target, source, NOT_FIXED, action.branch)
    case 'insert-all':
      return allByName(r, target, source, new Set(action.action.except), action.branch)
    case 'insert': {
      const { columns, values } = action.action
      const names = columns ?? target.columns?.map((column) => column.name)
      const inserted = newScope(own ? { ...both, relations: [own] } : undefined, both.env)
      inserted.relations.push(...source.relations)
      for (const [index, item] of values.entries()) {
        const value = valueOf(r, item.expression, inserted, 'none', undefined)
        const name = names?.[index] ?? item.expression.name
        if (name !== undefined)
          r.effect.edges.push(
            edge(
              target,
              targetColumnName(target, [name]),
              { name, key: name.toLowerCase(), sources: value.sources, open: undefined, item, doubt: value.doubt },
              action.branch,
            ),
          )
      }
      return
    }
    case 'delete':
    case 'nothing':
  }
}

/** In SET, an unqualified name is the source's where both sides might own it. */
function preferSource(own: ScopeRelation, source: Scope): Scope {
  const outer = newScope(undefined, source.env)
  outer.relations.push(own)
  const scope = newScope(outer, source.env)
  scope.relations.push(...source.relations)
  scope.merged = source.merged
  return scope
}

/** UPDATE * and INSERT *: every column of the source into the target's of that name. */
function allByName(
  r: StatementResolving,
  target: Table,
  source: Scope,
  except: ReadonlySet<string>,
  branch: Edge['branch'],
): void {
  const columns = expandStar(r, { except: [...except], replace: [], rename: undefined }, source)
  for (const one of land(r, columns, target, { ...BY_NAME, byName: !columns.some((column) => column.open) }, 0))
    r.effect.edges.push({ ...one, branch })
}
