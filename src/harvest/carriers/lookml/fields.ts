/** Fields of a view as SQL: what they read of their table (`${TABLE}`), of one another and of other views. */
import type { LookBlock } from './parse.ts'
import { inJinja } from './liquid.ts'
import type { LookView } from './views.ts'

/** A column that a view gives. */
export interface LookColumn {
  readonly name: string
  readonly sql: string
  readonly line: number
}

/** By which a view's own table goes in its fields. */
export const TABLE_ALIAS = 'TABLE_'
const REFERENCE = /\$\{\s*([\w.]+)\s*\}/g
const AGGREGATES: Readonly<Record<string, string>> = {
  average: 'avg(',
  average_distinct: 'avg(',
  count: 'count(',
  count_distinct: 'count(distinct ',
  list: 'listagg(',
  max: 'max(',
  median: 'median(',
  median_distinct: 'median(',
  min: 'min(',
  percentile: 'median(',
  percentile_distinct: 'median(',
  sum: 'sum(',
  sum_distinct: 'sum(',
}
const MAX_DEPTH = 20

export class FieldSql {
  readonly #view: LookView
  /** Other views that the fields read. */
  readonly others = new Set<string>()

  constructor(view: LookView) {
    this.#view = view
  }

  /** All columns of the view; a group of dimensions has one for each of its timeframes. */
  columns(): readonly LookColumn[] {
    return [...this.#view.fields.values()].flatMap((field) => {
      const sql = this.#sqlOf(field, 0)
      return namesOf(field).map((name) => ({ name, sql, line: lineOf(field) }))
    })
  }

  #sqlOf(field: LookBlock, depth: number): string {
    if (depth > MAX_DEPTH) return 'null'
    const own = this.#expression(field, depth)
    return field.key === 'measure' ? this.#measure(field, own, depth) : (own ?? `${TABLE_ALIAS}.${field.name}`)
  }

  /** What the field says of itself; undefined where it says nothing. */
  #expression(field: LookBlock, depth: number): string | undefined {
    const keys = ['sql', 'sql_start', 'sql_end', 'sql_latitude', 'sql_longitude']
    const texts = keys.flatMap((key) => field.texts.get(key)?.text ?? [])
    if (texts.length > 0) return oneLine(texts.map((text) => this.#resolved(text, depth)).join(' || '))
    const choice = field.blocks.find(({ key }) => key === 'case')
    if (!choice) return undefined
    const tests = choice.blocks.flatMap(({ texts: of }) => of.get('sql')?.text ?? [])
    return `case ${tests.map((test) => `when ${oneLine(this.#resolved(test, depth))} then ''`).join(' ')} end`
  }

  #measure({ texts, lists, blocks }: LookBlock, sql: string | undefined, depth: number): string {
    const aggregate = AGGREGATES[texts.get('type')?.text ?? 'string']
    if (aggregate === undefined) return sql ?? 'null'
    const filters = [
      ...(lists.get('filters') ?? []).map((filter) => filter.split(':')[0]!.trim()),
      ...blocks.filter(({ key }) => key === 'filters').flatMap(({ texts: of }) => of.get('field')?.text ?? []),
    ]
    const tests = filters.map((name) => `${this.#referred(name, depth)} is not null`)
    const value = sql ?? (tests.length > 0 ? '1' : '*')
    return `${aggregate}${tests.length > 0 ? `case when ${tests.join(' and ')} then ${value} end` : value})`
  }

  #resolved(text: string, depth: number): string {
    return inJinja(text.replaceAll(REFERENCE, (_, name: string) => this.#referred(name, depth)))
  }

  /** `TABLE`, a field of the view, or one of another view. */
  #referred(name: string, depth: number): string {
    if (name === 'TABLE') return TABLE_ALIAS
    const [first = '', second] = name.split('.')
    const own = second === undefined ? first : first === this.#view.name ? second : undefined
    if (own === undefined) {
      this.others.add(first)
      return `${first}.${second}`
    }
    const field = this.#view.fields.get(own) ?? this.#group(own)
    return field ? `(${this.#sqlOf(field, depth + 1)})` : `${TABLE_ALIAS}.${own}`
  }

  /** `created_date`: a timeframe of the group `created`. */
  #group(name: string): LookBlock | undefined {
    return [...this.#view.fields.values()].find(
      (field) => field.key === 'dimension_group' && namesOf(field).includes(name),
    )
  }
}

function namesOf(field: LookBlock): readonly string[] {
  if (field.key !== 'dimension_group') return [field.name]
  const isDuration = field.texts.get('type')?.text === 'duration'
  if (isDuration) return (field.lists.get('intervals') ?? ['day']).map((interval) => `${interval}s_${field.name}`)
  const frames = field.lists.get('timeframes') ?? ['raw', 'time', 'date', 'week', 'month', 'quarter', 'year']
  return frames.map((frame) => `${field.name}_${frame}`)
}

function lineOf({ texts, line }: LookBlock): number {
  return texts.get('sql')?.line ?? line
}

/** An expression may be written where another one stands. */
function oneLine(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
