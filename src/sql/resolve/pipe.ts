/** Pipe syntax: each step reads the columns of the one before. */
import { type CteEnv, KIND, NO_SOURCES, type OutColumn, type Resolving, type Scope } from './model.ts'
import type { Pipe, PipeStep } from '../ir/query.ts'
import { newScope, relationOf } from './scope.ts'
import { resolveRelation } from './relation.ts'
import { noteIndirect, resolveUses, valueOf } from './expression.ts'
import { starColumns } from './star-columns.ts'
import { resolveItems } from './items.ts'
import { allSources, openColumn, outColumn, union } from './sources.ts'
import { unitedByName, unitedByPosition } from './union.ts'
import { applyPivot } from './pivot.ts'
import { assertNever } from '../../model/errors.ts'

/** Each step of a pipe reads the columns of the one before. */
export function resolvePipe(
  r: Resolving,
  pipe: Pipe,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): readonly OutColumn[] {
  let scope = newScope(parent, env)
  if (pipe.source.kind === 'table' && pipe.source.with.length === 0) {
    for (const relation of pipe.source.from) resolveRelation(r, relation, scope)
    resolveUses(r, pipe.source.uses, scope)
  } else scope.relations.push(relationOf(r.rules.query(r, pipe.source, env, parent), ''))
  for (const step of pipe.steps) scope = resolveStep(r, step, scope, env, parent)
  return starColumns(r, scope)
}

function resolveStep(
  r: Resolving,
  step: PipeStep,
  scope: Scope,
  env: CteEnv | undefined,
  parent: Scope | undefined,
): Scope {
  const next = newScope(parent, env)
  switch (step.kind) {
    case 'select':
      next.relations.push(relationOf(resolveItems(r, step.items, scope, step.windows), ''))
      return next
    case 'extend': {
      const added = resolveItems(r, step.items, scope, step.windows)
      // The tables before keep their names; what is added belongs to none.
      next.relations.push(...scope.relations, relationOf(added, ''))
      next.merged = scope.merged
      return next
    }
    case 'set': {
      const values = new Map(
        step.items.map((item) => [
          item.alias!.toLowerCase(),
          { ...outColumn(item.alias!, valueOf(r, item.expression, scope, 'none', undefined).sources), item },
        ]),
      )
      next.relations.push(relationOf(replacedColumns(starColumns(r, scope), values), ''))
      return next
    }
    case 'aggregate': {
      const groups = resolveItems(r, step.groups, scope, [])
      for (const group of groups) noteIndirect(r, group.sources, step.sorts ? 'SORT' : 'GROUP_BY')
      if (step.sorts) for (const group of groups) noteIndirect(r, group.sources, 'GROUP_BY')
      const values = resolveItems(r, step.items, scope, [])
      next.relations.push(relationOf([...groups, ...values], ''))
      return next
    }
    case 'drop': {
      const names = new Set(step.names.map((name) => name.toLowerCase()))
      next.relations.push(
        relationOf(
          starColumns(r, scope)
            .filter((column) => !names.has(column.key))
            .map((column) => (column.open ? without(column, names) : column)),
          '',
        ),
      )
      return next
    }
    case 'rename': {
      const names = new Map(step.names.map(([from, to]) => [from.toLowerCase(), to]))
      const columns = starColumns(r, scope)
      const renamedColumns = columns.map((column) => {
        const name = names.get(column.key)
        return name === undefined || column.open ? column : { ...column, name, key: name.toLowerCase() }
      })
      next.relations.push(relationOf(renamedColumns, ''))
      return next
    }
    case 'as':
      next.relations.push(relationOf(starColumns(r, scope), step.alias))
      return next
    case 'where':
      resolveUses(r, step.uses, scope)
      return scope
    case 'join':
      for (const relation of step.relations) resolveRelation(r, relation, scope)
      resolveUses(r, step.uses, scope)
      return scope
    case 'set-operation': {
      let columns = starColumns(r, scope)
      for (const query of step.queries) {
        const right = r.rules.query(r, query, env, parent)
        if (step.operator === 'except') continue
        columns = step.byName
          ? unitedByName(columns, right, step.keeps)
          : unitedByPosition(r, columns, right, {
              kind: 'set',
              operator: step.operator,
              byName: false,
              left: query,
              right: query,
              with: [],
              uses: [],
              start: query.start,
              end: query.end,
            })
      }
      next.relations.push(relationOf(columns, ''))
      return next
    }
    case 'pivot': {
      const pivoted = applyPivot(r, step.pivot, relationOf(starColumns(r, scope), ''), scope)
      next.relations.push({ ...relationOf(pivoted.columns, step.pivot.alias ?? ''), any: pivoted.any })
      return next
    }
    case 'call': {
      const any = allSources(starColumns(r, scope), KIND.transformed)
      resolveRelation(r, step.call, next)
      next.relations = next.relations.map((relation) => ({
        ...relation,
        columns: [...starColumns(r, scope), ...relation.columns],
        any: union(relation.any ?? NO_SOURCES, any),
      }))
      return next
    }
    default:
      return assertNever(step)
  }
}

function without(column: OutColumn, names: ReadonlySet<string>): OutColumn {
  return openColumn(column.open!.map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...names]) })))
}

function replacedColumns(columns: readonly OutColumn[], values: Map<string, OutColumn>): OutColumn[] {
  const left = new Map(values)
  const result = columns.map((column) => {
    if (column.open) return without(column, new Set(values.keys()))
    const value = left.get(column.key)
    if (!value) return column
    left.delete(column.key)
    return { ...value, name: column.name }
  })
  return [...result, ...left.values()]
}
