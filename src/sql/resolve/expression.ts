/** Sources of an expression: those of everything it refers to. */

import { ROLE, type Expression, type Reference } from '../ir/expression.ts'
import type { NamedWindow, Use } from '../ir/query.ts'
import type { IndirectKind } from '../types.ts'
import { calledSources } from './called.ts'
import { findCteExpression } from './cte.ts'
import {
  INDIRECT_KINDS,
  KIND,
  NO_SOURCES,
  type Kind,
  type OutColumn,
  type Resolving,
  type Scope,
  type Sources,
} from './model.ts'
import { withPath } from './qualified.ts'
import { type AliasRule, findReference } from './scope.ts'
import { keyedColumn } from './struct-fields.ts'
import { SourceSet } from './sources.ts'
import { variableNamed } from './variable.ts'
import { starSources } from './star.ts'

const WINDOW_BIT = 1 << INDIRECT_KINDS.indexOf('WINDOW')
const CONDITIONAL_BIT = 1 << INDIRECT_KINDS.indexOf('CONDITIONAL')

/** Sources of a value. */
export function expressionSources(r: Resolving, expression: Expression, scope: Scope): Sources {
  return valueOf(r, expression, scope, r.lateral, undefined).sources
}

export interface Value {
  readonly sources: Sources
  readonly doubt: OutColumn['doubt']
  /** The column that a plain copy copies. */
  readonly column?: OutColumn | undefined
  /** Fields of the struct that a copied column is. */
  readonly fields?: OutColumn['fields']
  /** A column that it refers to has fields. */
  readonly hasFields?: boolean
}

/** Sources of a value, with the named windows of its SELECT. */
export function valueOf(
  r: Resolving,
  expression: Expression,
  scope: Scope,
  aliases: AliasRule,
  windows: readonly NamedWindow[] | undefined,
): Value {
  const references = expression.references
  if (expression.form === 'column' && references.length === 1 && expression.windows.length === 0) {
    const column = lookUp(r, references[0]!, scope, aliases)
    return column ? { sources: column.sources, doubt: column.doubt, column, fields: column.fields } : UNRESOLVED
  }
  const called = r.functionValue && expression.form === 'other' ? calledSources(r, expression) : NO_SOURCES
  if (
    called.length === 0 &&
    references.length === 0 &&
    expression.queries.length === 0 &&
    expression.stars.length === 0 &&
    expression.windows.length === 0
  )
    return NOTHING
  const set = new SourceSet()
  set.addAll(called, KIND.transformed)
  let doubt: OutColumn['doubt']
  let fields: OutColumn['fields']
  let hasFields = false
  for (const reference of references) {
    if ((reference.role & ROLE.VARIABLE) !== 0) {
      const held = variableNamed(r, reference.parts)
      if (held) {
        const copied = references.length === 1 && spans(expression, reference)
        set.addAll(held.sources, copied ? KIND.identity : kindOf(reference.role))
        noteRole(r, held.sources, reference.role)
      }
      continue
    }
    if ((reference.role & ROLE.OPTIONAL) !== 0 && !mayBeColumn(r, reference, scope, aliases)) continue
    const column = lookUp(r, reference, scope, aliases)
    if (!column) {
      doubt = 'UNRESOLVED_COLUMN'
      continue
    }
    doubt ??= column.doubt
    if (column.fields) hasFields = true
    set.addAll(column.sources, kindOf(reference.role))
    if ((reference.role & (ROLE.CONDITIONAL | ROLE.WINDOW)) !== 0) noteRole(r, column.sources, reference.role)
  }
  for (const use of expression.queries) {
    const columns = r.rules.query(r, use.query, scope.env, scope)
    // A subquery that is the whole value hands on the fields of its one column.
    if (columns.length === 1 && expression.queries.length === 1 && references.length === 0) fields = columns[0]!.fields
    if (!use.valueless) for (const column of columns) set.addAll(column.sources, kindOf(use.role))
  }
  for (const { star, role } of expression.stars) set.addAll(starSources(r, star, scope), kindOf(role))
  const named = windows ?? scope.windows
  if (named) for (const name of expression.windows) addWindow(r, name, named, scope, aliases, set)
  return { sources: set.sources(), doubt, fields, hasFields }
}

const SCHEMAS: ReadonlySet<string> = new Set(['main', 'system', 'temp', 'pg_catalog', 'information_schema'])

/** Whether a name that may be a schema's is a column's; asking leaves no doubt behind. */
function mayBeColumn(r: Resolving, reference: Reference, scope: Scope, aliases: AliasRule): boolean {
  if (SCHEMAS.has(reference.parts[0]!.toLowerCase())) return false
  const before = r.gathered.doubts.length
  const column = lookUp(r, reference, scope, aliases)
  r.gathered.doubts.length = before
  return column !== undefined
}

const NOTHING: Value = { sources: NO_SOURCES, doubt: undefined }
const UNRESOLVED: Value = { sources: NO_SOURCES, doubt: 'UNRESOLVED_COLUMN' }

/** Whether the expression is nothing but the reference; a colon may stand before it. */
function spans(expression: Expression, reference: Reference): boolean {
  return expression.end === reference.end && reference.start - expression.start < 2
}

function kindOf(role: number): Kind {
  return (role & ROLE.AGGREGATED) !== 0 ? KIND.aggregated : KIND.transformed
}

function lookUp(r: Resolving, reference: Reference, scope: Scope, aliases: AliasRule): OutColumn | undefined {
  if (scope.env) {
    const { parts } = reference
    const named = isQualified(parts, scope)
      ? undefined
      : findCteExpression(r, scope.env, parts[0]!.toLowerCase(), scope)
    if (named) return parts.length === 1 ? named : withPath(r, named, parts.slice(1))
  }
  const column = findReference(r, reference, scope, aliases)
  // What else the text put into the document is no part of what lies at the keys.
  return column?.fields && reference.path ? keyedColumn(column, reference.path) : column
}

/** Whether a relation stands in front of the column's name. */
function isQualified(parts: readonly string[], { relations }: Scope): boolean {
  return parts.length > 1 && relations.some((one) => one.alias === parts[0]!.toLowerCase())
}

function addWindow(
  r: Resolving,
  name: string,
  windows: readonly NamedWindow[],
  scope: Scope,
  aliases: AliasRule,
  set: SourceSet,
): void {
  const window = windows.find((one) => one.name === name)
  if (!window) return
  const others = windows.filter((one) => one !== window)
  set.addAll(valueOf(r, window.expression, scope, aliases, others).sources, KIND.transformed)
}

function noteRole(r: Resolving, sources: Sources, role: number): void {
  if ((role & (ROLE.WINDOW | ROLE.CONDITIONAL)) === 0) return
  const bits = ((role & ROLE.WINDOW) !== 0 ? WINDOW_BIT : 0) | ((role & ROLE.CONDITIONAL) !== 0 ? CONDITIONAL_BIT : 0)
  noteBits(r, sources, bits)
}

/** Notes that columns shape the rows of the statement. */
export function noteIndirect(r: Resolving, sources: Sources, kind: IndirectKind): void {
  noteBits(r, sources, 1 << INDIRECT_KINDS.indexOf(kind))
}

function noteBits(r: Resolving, sources: Sources, bits: number): void {
  const { indirect } = r.gathered
  for (const source of sources) indirect.set(source.column, (indirect.get(source.column) ?? 0) | bits)
}

/** Columns that shape the rows: noted, no value. Outputs' names may be used here in every dialect. */
export function resolveUses(r: Resolving, uses: readonly Use[], scope: Scope): void {
  for (const use of uses) {
    const rule: AliasRule = use.kind === 'SORT' ? 'before' : 'after'
    const bits = 1 << INDIRECT_KINDS.indexOf(use.kind)
    for (const reference of use.expression.references) {
      if ((reference.role & ROLE.OPTIONAL) !== 0 && !mayBeColumn(r, reference, scope, rule)) continue
      const column =
        (reference.role & ROLE.VARIABLE) !== 0 ? variableNamed(r, reference.parts) : lookUp(r, reference, scope, rule)
      if (column) noteBits(r, column.sources, bits)
    }
    for (const { query } of use.expression.queries) {
      const columns = r.rules.query(r, query, scope.env, scope)
      for (const column of columns) noteBits(r, column.sources, bits)
    }
  }
}
