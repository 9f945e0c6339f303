/** A SELECT list: each item becomes the columns that it gives, and its alias a name for those behind it. */
import { KIND, type OutColumn, type Resolving, type Scope } from './model.ts'
import { type Item, ROLE } from '../ir/expression.ts'
import type { NamedWindow } from '../ir/query.ts'
import { expandStar } from './star.ts'
import { renamed } from './renamed.ts'
import { allSources, outColumn, raised } from './sources.ts'
import { structFields, structRows } from './struct-fields.ts'
import { type Value, valueOf } from './expression.ts'
import { generatedNames, generatedPart } from './generated-names.ts'
import { clickhouseName } from './clickhouse-name.ts'
import { outputName, toldApart } from './output-name.ts'
import { spreadItem } from './spread-item.ts'

/** Outputs of a SELECT list. */
export function resolveItems(
  r: Resolving,
  items: readonly Item[],
  scope: Scope,
  windows: readonly NamedWindow[],
): readonly OutColumn[] {
  const columns: OutColumn[] = []
  const aliases = new Map<string, OutColumn>()
  scope.windows = windows
  scope.aliases = aliases
  // LOCAL.x means the output x, also where that is a column under its own name.
  const namesOutputs = r.dialect.name === 'exasol'
  if (r.dialect.name === 'clickhouse') scope.laterAlias = laterAliases(r, items, scope, windows)
  let unnamed = 0
  for (const item of items) {
    if (item.star) {
      const [use] = item.expression.stars
      const kind = use && (use.role & ROLE.AGGREGATED) !== 0 ? KIND.aggregated : KIND.transformed
      const starred = expandStar(r, item.star, scope)
      for (const column of item.aliases ? renamed(starred, item.aliases) : starred)
        columns.push(use ? { ...column, sources: raised(column.sources, kind), item } : { ...column, item })
      continue
    }
    const rows = structRows(r, item.expression, scope)
    const value: Value = rows
      ? { sources: allSources(rows, KIND.transformed), doubt: undefined, column: undefined, fields: undefined }
      : valueOf(r, item.expression, scope, r.lateral, windows)
    const fields = rows ?? value.fields ?? structFields(r, item.expression, scope, value.hasFields)
    for (const { name, references } of item.expression.inline ?? []) {
      const part = { ...item.expression, references, queries: [], stars: [], windows: [], form: 'other' as const }
      aliases.set(name.toLowerCase(), outColumn(name, valueOf(r, part, scope, r.lateral, windows).sources))
    }
    const spread = spreadItem(r, item, scope)
    if (spread) {
      columns.push(...spread)
      continue
    }
    const names = item.aliases ?? generatedNames(r, item)
    if (names) {
      for (const [index, name] of names.entries()) {
        const part = generatedPart(r, item, index)
        const sources = part ? valueOf(r, part, scope, r.lateral, windows).sources : value.sources
        const column = { ...outColumn(name, sources, value.doubt), item }
        columns.push(column)
        if (item.aliases && !aliases.has(column.key)) aliases.set(column.key, column)
      }
      continue
    }
    const name = item.alias ?? nameOf(r, item, value, scope, columns.length, unnamed)
    if (item.alias === undefined && item.expression.form !== 'column') unnamed++
    const column: OutColumn = {
      name,
      key: name.toLowerCase(),
      sources: value.sources,
      open: undefined,
      fields,
      item,
      doubt: value.doubt,
    }
    columns.push(value.column?.byType ? { ...column, byType: value.column.byType } : column)
    if ((item.alias !== undefined || namesOutputs) && !aliases.has(column.key)) aliases.set(column.key, column)
  }
  // DataHub's profile says what the database says, also where it names two outputs alike.
  return r.profile === 'datahub' ? columns : toldApart(r, columns)
}

/** ClickHouse: an output may use an alias that the list gives only later. Each is resolved when it is first asked for. */
function laterAliases(
  r: Resolving,
  items: readonly Item[],
  scope: Scope,
  windows: readonly NamedWindow[],
): Scope['laterAlias'] {
  const waiting = new Map<string, Item>()
  for (const item of items) if (item.alias !== undefined) waiting.set(item.alias.toLowerCase(), item)
  if (waiting.size === 0) return undefined
  return (key) => {
    const item = waiting.get(key)
    if (!item) return undefined
    // Not twice, and not by itself: `x + 1 AS x` means the column.
    waiting.delete(key)
    return outColumn(item.alias!, valueOf(r, item.expression, scope, r.lateral, windows).sources)
  }
}

/** The name of an output without an alias. */
function nameOf(r: Resolving, item: Item, value: Value, scope: Scope, position: number, unnamed: number): string {
  const [reference] = item.expression.references
  if (item.expression.form === 'column' && reference) {
    if (r.dialect.name === 'clickhouse' && reference.parts.length > 1) return clickhouseName(reference.parts, scope)
    // DuckDB: #2 has the name of the column that it means.
    if (reference.parts[0]!.startsWith('#') && value.column) return value.column.name
  }
  return outputName(r, item, position, unnamed)
}
