/** Attributes, items and slices of values, with the methods of strings, lists and dicts that templates use. */

import type { TemplateExpression } from './expression.ts'
import type { TemplateHost } from './host.ts'
import { relationText, show } from './show.ts'
import {
  argument,
  Callable,
  type CallArguments,
  DictValue,
  keyOf,
  ListValue,
  own,
  RelationValue,
  Unknown,
  type Value,
} from './values.ts'

type Method<T> = (self: T, args: CallArguments, host: TemplateHost) => Value

/** `value.name`. */
export function attributeOf(value: Value, name: string, expression: TemplateExpression, host: TemplateHost): Value {
  if (value instanceof DictValue) return dictAttribute(value, name, expression, host)
  if (value instanceof RelationValue) return relationAttribute(value, name, expression, host)
  if (value instanceof Callable && value.attributes?.has(name)) return value.attributes.get(name)
  const method = methodOf(value, name)
  if (method) return new Callable(name, (args) => method(args, host))
  return missing(value, name, expression, host)
}

/** `value[index]`. */
export function itemOf(value: Value, index: Value, expression: TemplateExpression, host: TemplateHost): Value {
  if (value instanceof ListValue && typeof index === 'number') return value.items.at(index)
  if (typeof value === 'string' && typeof index === 'number') return value.at(index)
  if (value instanceof DictValue && !(index instanceof Unknown)) return value.get(show(index, host.holes))
  return missing(value, show(index, host.holes), expression, host)
}

/** `value[from:to:step]`. */
export function sliceOf(
  value: Value,
  bounds: readonly Value[],
  expression: TemplateExpression,
  host: TemplateHost,
): Value {
  if (bounds.some((bound) => bound !== undefined && bound !== null && typeof bound !== 'number')) {
    return missing(value, 'slice', expression, host)
  }
  const [from, to, step] = bounds as readonly (number | undefined | null)[]
  const cut = <T>(all: readonly T[]): T[] => {
    const forward = step === -1 ? all.toReversed() : all.slice(from ?? undefined, to ?? undefined)
    return step !== undefined && step !== null && step > 1
      ? forward.filter((_item, index) => index % step === 0)
      : forward
  }
  if (typeof value === 'string') return cut(Array.from(value)).join('')
  if (value instanceof ListValue) return new ListValue(cut(value.items), value.tuple)
  return missing(value, 'slice', expression, host)
}

function missing(value: Value, name: string, expression: TemplateExpression, host: TemplateHost): Value {
  if (value instanceof Unknown) {
    return host.unknown(expression, {
      kind: value.hole.kind,
      name: /^\w+$/.test(name) && !/^\d/.test(name) ? name : value.hole.name,
      key: `${value.key}.${name}`,
    })
  }
  return host.unknown(expression, { kind: 'variable', name, key: `${keyOf(value)}.${name}` })
}

function dictAttribute(dict: DictValue, name: string, expression: TemplateExpression, host: TemplateHost): Value {
  if (dict.entries.has(name)) return dict.entries.get(name)
  const method = own(DICT_METHODS, name)
  if (method && !dict.missing) return new Callable(name, (args) => method(dict, args, host))
  return dict.missing ? dict.missing(name) : missing(undefined, name, expression, host)
}

function relationAttribute(
  relation: RelationValue,
  name: string,
  expression: TemplateExpression,
  host: TemplateHost,
): Value {
  switch (name) {
    case 'identifier':
    case 'name':
    case 'table':
    case 'alias':
      return relation.identifier
    case 'schema':
      return relation.schema ?? missing(relation, name, expression, host)
    case 'database':
      return relation.database ?? missing(relation, name, expression, host)
    case 'render':
      return new Callable(name, () => relationText(relation))
    case 'include':
      return new Callable(name, (args) => included(relation, args))
    case 'without_identifier':
      return new Callable(name, () => [relation.database, relation.schema].filter(Boolean).join('.'))
    case 'quote':
    case 'incorporate':
    case 'get':
      return new Callable(name, () => relation)
    default:
      return missing(relation, name, expression, host)
  }
}

function included(relation: RelationValue, args: CallArguments): RelationValue {
  const keeps = (name: string) => args.named.get(name) !== false
  return new RelationValue({
    database: keeps('database') ? relation.database : undefined,
    schema: keeps('schema') ? relation.schema : undefined,
    identifier: relation.identifier,
  })
}

function methodOf(value: Value, name: string): ((args: CallArguments, host: TemplateHost) => Value) | undefined {
  if (typeof value === 'string') {
    const method = own(STRING_METHODS, name)
    return method && ((args, host) => method(value, args, host))
  }
  if (value instanceof ListValue) {
    const method = own(LIST_METHODS, name)
    return method && ((args, host) => method(value, args, host))
  }
  return undefined
}

const list = (items: readonly Value[]): ListValue => new ListValue([...items])

const STRING_METHODS: Readonly<Record<string, Method<string>>> = {
  upper: (self) => self.toUpperCase(),
  lower: (self) => self.toLowerCase(),
  title: (self) => self.replaceAll(/\p{L}+/gu, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
  capitalize: (self) => self.slice(0, 1).toUpperCase() + self.slice(1).toLowerCase(),
  strip: (self, args) => stripped(self, args, true, true),
  lstrip: (self, args) => stripped(self, args, true, false),
  rstrip: (self, args) => stripped(self, args, false, true),
  split: (self, args, host) => {
    const separator = args.positional[0]
    if (separator === undefined || separator === null) return list(self.trim().split(/\s+/))
    return list(self.split(show(separator, host.holes)))
  },
  splitlines: (self) => list(self.split(/\r?\n/)),
  replace: (self, args, host) => {
    const [from, to] = args.positional
    return self.replaceAll(show(from, host.holes), show(to, host.holes))
  },
  startswith: (self, args, host) => prefixes(args, host).some((prefix) => self.startsWith(prefix)),
  endswith: (self, args, host) => prefixes(args, host).some((suffix) => self.endsWith(suffix)),
  find: (self, args, host) => self.indexOf(show(args.positional[0], host.holes)),
  count: (self, args, host) => self.split(show(args.positional[0], host.holes)).length - 1,
  isdigit: (self) => /^\d+$/.test(self),
  join: (self, args, host) => {
    const [items] = args.positional
    return items instanceof ListValue ? items.items.map((item) => show(item, host.holes)).join(self) : self
  },
  zfill: (self, args) => self.padStart(Number(args.positional[0]) || 0, '0'),
  format: (self, args, host) => formatted(self, args, host),
}

function prefixes(args: CallArguments, host: TemplateHost): readonly string[] {
  const [given] = args.positional
  return given instanceof ListValue ? given.items.map((item) => show(item, host.holes)) : [show(given, host.holes)]
}

function stripped(self: string, args: CallArguments, atStart: boolean, atEnd: boolean): string {
  const [characters] = args.positional
  const drops = (character: string | undefined) =>
    character !== undefined && (typeof characters === 'string' ? characters.includes(character) : /\s/.test(character))
  let from = 0
  let to = self.length
  if (atStart) while (from < to && drops(self[from])) from++
  if (atEnd) while (to > from && drops(self[to - 1])) to--
  return self.slice(from, to)
}

function formatted(self: string, args: CallArguments, host: TemplateHost): string {
  let next = 0
  return self.replaceAll(/\{\{|\}\}|\{(\w*)[^{}]*\}/g, (match, name: string | undefined) => {
    if (name === undefined) return match[0]!
    const value = name === '' ? args.positional[next++] : (args.named.get(name) ?? args.positional[Number(name)])
    return show(value, host.holes)
  })
}

const LIST_METHODS: Readonly<Record<string, Method<ListValue>>> = {
  append: (self, args) => void self.items.push(args.positional[0]),
  extend: (self, args) => {
    const [more] = args.positional
    self.items.push(...(more instanceof ListValue ? more.items : [more]))
    return undefined
  },
  add: (self, args) => void self.items.push(args.positional[0]),
  insert: (self, args) => void self.items.splice(Number(args.positional[0]) || 0, 0, args.positional[1]),
  remove: (self, args) => {
    const key = keyOf(args.positional[0])
    const at = self.items.findIndex((item) => keyOf(item) === key)
    if (at >= 0) self.items.splice(at, 1)
    return undefined
  },
  pop: (self, args) => self.items.splice(typeof args.positional[0] === 'number' ? args.positional[0] : -1, 1)[0],
  reverse: (self) => void self.items.splice(0, self.items.length, ...self.items.toReversed()),
  copy: (self) => list(self.items),
  index: (self, args) => {
    const key = keyOf(args.positional[0])
    return self.items.findIndex((item) => keyOf(item) === key)
  },
  count: (self, args) => {
    const key = keyOf(args.positional[0])
    return self.items.filter((item) => keyOf(item) === key).length
  },
}

const DICT_METHODS: Readonly<Record<string, Method<DictValue>>> = {
  items: (self) => list([...self.entries].map(([key, value]) => new ListValue([key, value], true))),
  keys: (self) => list([...self.entries.keys()]),
  values: (self) => list([...self.entries.values()]),
  get: (self, args, host) => {
    const key = show(args.positional[0], host.holes)
    return self.entries.has(key) ? self.entries.get(key) : (argument(args, 1, 'default') ?? null)
  },
  pop: (self, args, host) => {
    const key = show(args.positional[0], host.holes)
    const value = self.entries.has(key) ? self.entries.get(key) : args.positional[1]
    self.entries.delete(key)
    return value
  },
  update: (self, args) => {
    const [more] = args.positional
    if (more instanceof DictValue) for (const [key, value] of more.entries) self.entries.set(key, value)
    for (const [key, value] of args.named) self.entries.set(key, value)
    return undefined
  },
  setdefault: (self, args, host) => {
    const key = show(args.positional[0], host.holes)
    if (!self.entries.has(key)) self.entries.set(key, args.positional[1])
    return self.entries.get(key)
  },
  copy: (self) => new DictValue(self.entries),
}
