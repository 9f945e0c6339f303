/** UPDATE and DELETE: a target among the relations that it is compared with. */

import type { Relation } from '../ir/query.ts'
import type { DeleteStatement, UpdateStatement } from '../ir/statement.ts'
import { extendEnv, resolveUnused } from './cte.ts'
import { resolveUses } from './expression.ts'
import type { CteEnv, OutColumn, Table } from './model.ts'
import { resolveRelation } from './relation.ts'
import { returned } from './returning.ts'
import { newScope } from './scope.ts'
import {
  type StatementResolving,
  aliasedTarget,
  assignTo,
  isBaseTarget,
  isKnownTarget,
  tableBehind,
  targetRelation,
  write,
} from './target.ts'

export function resolveUpdate(
  r: StatementResolving,
  statement: UpdateStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const scope = newScope(undefined, inner)
  const [first, ...others] = statement.relations
  const aliased = aliasedTarget(statement.target, others)
  const written = aliased ?? first
  let target: Table | undefined
  for (const relation of aliased ? others : statement.relations) {
    if (
      relation === written &&
      relation.kind === 'table' &&
      isKnownTarget(r, relation.name) &&
      isBaseTarget(r, relation.name, inner)
    ) {
      target = r.tables.find(relation.name)
      scope.relations.push(targetRelation(target, relation.alias))
    } else resolveRelation(r, relation, scope)
  }
  if (!target && first?.kind === 'table' && first.name.sort === 'hole') {
    r.gathered.doubts.push({ code: 'UNKNOWN_NAME', text: first.name.parts.join('.'), start: first.name.start })
  } else if (!target) target = tableBehind(scope.relations[0])
  // OpenLineage counts a target that FROM names as read.
  if (target && aliased && r.profile === 'openlineage') r.gathered.inputs.add(target)
  resolveUses(r, statement.uses, scope)
  assignTo(r, statement.assignments, target, scope)
  const rows = returned(r, statement, {
    ...scope,
    relations: target ? [targetRelation(target, written?.alias), ...scope.relations.slice(1)] : scope.relations,
  })
  resolveUnused(r, inner, env)
  return rows
}

export function resolveDelete(
  r: StatementResolving,
  statement: DeleteStatement,
  env: CteEnv | undefined,
): readonly OutColumn[] {
  const inner = extendEnv(statement.with, env, undefined)
  const scope = newScope(undefined, inner)
  const targets = statement.targets.map((name) => {
    const aliased = statement.relations.find(
      (relation) =>
        relation.kind === 'table' &&
        (relation.alias ?? relation.name.parts.at(-1)!).toLowerCase() === name.parts.at(-1)!.toLowerCase(),
    )
    return aliased?.kind === 'table' ? aliased : name
  })
  const written = new Set<Relation>(targets.filter((one) => 'kind' in one))
  const tables: Table[] = []
  for (const relation of statement.relations) {
    if (written.has(relation) && relation.kind === 'table' && isBaseTarget(r, relation.name, inner)) {
      const table = write(r, relation.name)
      if (table) {
        tables.push(table)
        if (statement.usesTarget && r.profile === 'openlineage') r.gathered.inputs.add(table)
        scope.relations.push(targetRelation(table, relation.alias))
      }
    } else {
      resolveRelation(r, relation, scope)
      if (written.has(relation)) {
        const table = tableBehind(scope.relations.at(-1))
        if (table) r.gathered.outputs.add(table)
      }
    }
  }
  for (const one of targets) if (!('kind' in one) && isBaseTarget(r, one, inner)) write(r, one)
  resolveUses(r, statement.uses, scope)
  const rows = returned(r, statement, scope)
  resolveUnused(r, inner, env)
  return rows
}
