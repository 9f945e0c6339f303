/** jinja's and dbt's filters. A filter that is not here, or over a value that is not known, gives an unknown value. */

import { truth } from './compare.ts'
import type { TemplateExpression } from './expression.ts'
import type { TemplateHost } from './host.ts'
import { attributeOf, itemOf } from './members.ts'
import { show } from './show.ts'
import { testNamed } from './tests.ts'
import {
  argument,
  type CallArguments,
  DictValue,
  hasHole,
  keyOf,
  ListValue,
  own,
  Unknown,
  type Value,
} from './values.ts'

interface FilterCall {
  readonly args: CallArguments
  readonly expression: TemplateExpression
  readonly host: TemplateHost
}
type Filter = (value: Value, call: FilterCall) => Value

/** `value | name(args)`. */
export function applyFilter(
  name: string,
  value: Value,
  args: CallArguments,
  expression: TemplateExpression,
  host: TemplateHost,
): Value {
  const filter = own(FILTERS, name)
  const result =
    filter && (!(value instanceof Unknown) || TAKES_UNKNOWN.has(name))
      ? filter(value, { args, expression, host })
      : NOTHING
  if (result !== NOTHING) return result
  const about = value instanceof Unknown ? value.hole : undefined
  return host.unknown(expression, {
    kind: about?.kind ?? 'macro',
    name: about?.name ?? name,
    key: `${keyOf(value)}|${name}`,
    args: [value],
  })
}

const NOTHING = Symbol('no result') as unknown as Value

/** Filters whose result over an unknown value says more than "unknown". */
const TAKES_UNKNOWN = new Set([
  'default',
  'd',
  'safe',
  'string',
  'trim',
  'upper',
  'lower',
  'as_native',
  'as_text',
  'as_bool',
  'as_number',
  'indent',
  'e',
  'escape',
  'list',
  'unique',
  'sort',
])

const text = (value: Value, { host }: FilterCall): string => show(value, host.holes)
const items = (value: Value): readonly Value[] => {
  if (value instanceof ListValue) return value.items
  if (value instanceof DictValue) return [...value.entries.keys()]
  return typeof value === 'string' ? Array.from(value) : []
}
const list = (all: Iterable<Value>): ListValue => new ListValue([...all])
const onText =
  (change: (text: string) => string): Filter =>
  (value, call) =>
    change(text(value, call))
const same: Filter = (value) => value

function mapped(value: Value, call: FilterCall): Value {
  const { args, expression, host } = call
  const attribute = args.named.get('attribute')
  if (attribute !== undefined) return list(items(value).map((item) => memberOf(item, attribute, call)))
  const [filter, ...rest] = args.positional
  if (typeof filter !== 'string') return NOTHING
  return list(
    items(value).map((item) => applyFilter(filter, item, { positional: rest, named: new Map() }, expression, host)),
  )
}

/** `a.b` of an item, by attribute or index. */
function memberOf(item: Value, path: Value, { expression, host }: FilterCall): Value {
  if (typeof path === 'number') return itemOf(item, path, expression, host)
  return show(path, host.holes)
    .split('.')
    .reduce<Value>((of, name) => {
      if (of instanceof DictValue) return of.get(name)
      return attributeOf(of, name, expression, host)
    }, item)
}

function selected(keeps: boolean, byAttribute: boolean): Filter {
  return (value, call) => {
    const given = byAttribute ? call.args.positional.slice(1) : call.args.positional
    const passes = testNamed(given[0], given[1], call.host)
    const path = call.args.positional[0]
    return list(items(value).filter((item) => passes(byAttribute ? memberOf(item, path, call) : item) === keeps))
  }
}

function sorted(value: Value, call: FilterCall): Value {
  const attribute = argument(call.args, 2, 'attribute')
  const by = (item: Value) => (attribute === undefined ? item : memberOf(item, attribute, call))
  const ordered = items(value).toSorted((a, b) => {
    const [left, right] = [by(a), by(b)]
    if (typeof left === 'number' && typeof right === 'number') return left - right
    return text(left, call) < text(right, call) ? -1 : text(left, call) > text(right, call) ? 1 : 0
  })
  return list(argument(call.args, 0, 'reverse') === true ? ordered.toReversed() : ordered)
}

function unique(value: Value): Value {
  if (value instanceof Unknown) return value
  const seen = new Map(items(value).map((item) => [keyOf(item), item]))
  return list(seen.values())
}

function length(value: Value): Value {
  if (typeof value === 'string' && hasHole(value)) return NOTHING
  return typeof value === 'string' ? value.length : items(value).length
}

function byDefault(value: Value, { args, host }: FilterCall): Value {
  const [other, evenFalse] = args.positional
  const absent = value === undefined || (value instanceof Unknown && value.hole.kind === 'variable')
  return absent || (evenFalse === true && !truth(value, host)) ? (other ?? '') : value
}

function edge(at: 0 | -1): Filter {
  return (value) => items(value).at(at)
}

function extreme(sign: 1 | -1): Filter {
  return (value) =>
    items(value).reduce((best, item) => {
      if (best === undefined) return item
      return (Number(item) - Number(best)) * sign > 0 ? item : best
    }, undefined)
}

function json(value: Value): unknown {
  if (value instanceof ListValue) return value.items.map(json)
  if (value instanceof DictValue) return Object.fromEntries([...value.entries].map(([key, item]) => [key, json(item)]))
  return typeof value === 'object' ? null : value
}

const FILTERS: Readonly<Record<string, Filter>> = {
  abs: (value) => Math.abs(Number(value)),
  as_bool: same,
  as_native: same,
  as_number: same,
  as_text: same,
  attr: (value, call) => memberOf(value, call.args.positional[0], call),
  batch: (value, { args }) => {
    const size = Math.max(1, Number(args.positional[0]) || 1)
    const all = items(value)
    const rows = Array.from({ length: Math.ceil(all.length / size) }, (_row, index) =>
      all.slice(index * size, (index + 1) * size),
    )
    return list(rows.map(list))
  },
  capitalize: onText((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
  center: same,
  count: length,
  d: byDefault,
  default: byDefault,
  dictsort: (value) =>
    value instanceof DictValue
      ? list(
          [...value.entries].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((entry) => new ListValue([...entry], true)),
        )
      : NOTHING,
  e: same,
  escape: same,
  first: edge(0),
  float: (value) => Number(value) || 0,
  format: (value, call) => {
    let next = 0
    return text(value, call).replaceAll(/%[\d.]*[sdf]/g, () => text(call.args.positional[next++], call))
  },
  indent: same,
  int: (value) => Math.trunc(Number(value)) || 0,
  items: (value) =>
    value instanceof DictValue ? list([...value.entries].map((entry) => new ListValue([...entry], true))) : NOTHING,
  join: (value, call) => {
    const attribute = argument(call.args, 1, 'attribute')
    const parts = items(value).map((item) =>
      text(attribute === undefined ? item : memberOf(item, attribute, call), call),
    )
    return parts.join(text(argument(call.args, 0, 'd') ?? '', call))
  },
  last: edge(-1),
  length,
  list: (value) => (value instanceof Unknown ? value : list(items(value))),
  lower: onText((word) => word.toLowerCase()),
  map: mapped,
  max: extreme(1),
  min: extreme(-1),
  reject: selected(false, false),
  rejectattr: selected(false, true),
  replace: (value, call) =>
    text(value, call).replaceAll(text(call.args.positional[0], call), text(call.args.positional[1], call)),
  reverse: (value) =>
    typeof value === 'string' ? Array.from(value).toReversed().join('') : list(items(value).toReversed()),
  round: (value, { args }) => {
    const factor = 10 ** (Number(args.positional[0]) || 0)
    return Math.round(Number(value) * factor) / factor
  },
  safe: same,
  select: selected(true, false),
  selectattr: selected(true, true),
  sort: (value, call) => (value instanceof Unknown ? value : sorted(value, call)),
  string: text,
  sum: (value) => items(value).reduce<number>((sum, item) => sum + (Number(item) || 0), 0),
  title: onText((words) =>
    words.replaceAll(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  ),
  tojson: (value) => JSON.stringify(json(value)),
  trim: onText((words) => words.trim()),
  truncate: same,
  unique,
  upper: onText((word) => word.toUpperCase()),
}
