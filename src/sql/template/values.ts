/**
 * What a template expression can be: plain values where the text tells them, `Unknown` where it does not. An unknown
 * value keeps the hole it comes from, so that text built with it still says where.
 */

/** Something the text of a template does not tell. */
export interface Hole {
  /**
   * `macro`: a call whose body is not at hand. `variable`: a name without value. `query`: what a query would answer.
   * `value`: what each run fills in, which is no loss.
   */
  readonly kind: 'macro' | 'variable' | 'query' | 'syntax' | 'value'
  /** As written, without the marks. */
  readonly text: string
  /** Offsets in the template. */
  readonly start: number
  readonly end: number
  /** A name that reads well in its place: the last part of the variable or macro. */
  readonly name: string
  /** Relations that a call was given: they are read by whatever it stands for. */
  readonly relations: readonly RelationValue[]
  /** Plain names that a call was given. */
  readonly given?: readonly string[]
}

export type Value =
  undefined | null | boolean | number | string | ListValue | DictValue | Unknown | RelationValue | Callable

export class ListValue {
  readonly items: Value[]
  readonly tuple: boolean

  constructor(items: Value[], tuple = false) {
    this.items = items
    this.tuple = tuple
  }
}

/** A dict, a namespace, or an object with attributes such as `target`. */
export class DictValue {
  readonly entries: Map<string, Value>
  /** What a missing entry is; absent: undefined, as in a dict. */
  readonly missing: ((name: string) => Value) | undefined

  constructor(entries: Iterable<readonly [string, Value]>, missing?: (name: string) => Value) {
    this.entries = new Map(entries)
    this.missing = missing
  }

  get(name: string): Value {
    return this.entries.has(name) ? this.entries.get(name) : this.missing?.(name)
  }
}

export class Unknown {
  readonly hole: Hole
  /** Equal for what must be equal in one reading: the same condition is decided the same way everywhere. */
  readonly key: string

  constructor(hole: Hole, key: string) {
    this.hole = hole
    this.key = key
  }
}

/** A table of the warehouse: `ref('a')`, `source('s', 't')`, `this`. */
export class RelationValue {
  readonly database: string | undefined
  readonly schema: string | undefined
  readonly identifier: string
  /** It may not be there: conditions on it go both ways. */
  readonly uncertain: boolean

  constructor(parts: {
    database?: string | undefined
    schema?: string | undefined
    identifier: string
    uncertain?: boolean
  }) {
    this.uncertain = parts.uncertain ?? false
    this.database = parts.database
    this.schema = parts.schema
    this.identifier = parts.identifier
  }

  /** The same relation, where only the warehouse tells whether it is there. */
  orNot(): RelationValue {
    const { database, schema, identifier } = this
    return new RelationValue({ database, schema, identifier, uncertain: true })
  }

  get parts(): readonly string[] {
    return [this.database, this.schema, this.identifier].filter((part) => part !== undefined && part !== '') as string[]
  }
}

export interface CallArguments {
  readonly positional: readonly Value[]
  readonly named: ReadonlyMap<string, Value>
}

export class Callable {
  readonly name: string
  readonly call: (args: CallArguments) => Value
  /** Attributes of a callable object: `builtins.ref`, `config.get`. */
  readonly attributes: ReadonlyMap<string, Value> | undefined

  constructor(name: string, call: (args: CallArguments) => Value, attributes?: ReadonlyMap<string, Value>) {
    this.name = name
    this.call = call
    this.attributes = attributes
  }
}

/** What a callable gives back when it cannot tell its result: the call becomes a hole of its own. */
export const UNKNOWN_RESULT = new Unknown({ kind: 'macro', text: '', start: 0, end: 0, name: '', relations: [] }, '')

/** The argument at a position or of a name. */
export function argument(args: CallArguments, index: number, name: string): Value {
  return args.named.has(name) ? args.named.get(name) : args.positional[index]
}

/** First of the characters that stand for holes in text being built; the hole's number is added to it. */
const HOLE_MARK = '\ue000'
const FIRST_HOLE = 0xe100
const MAX_HOLES = 0xf8ff - FIRST_HOLE

/** The holes of a reading. In text they are two characters of the private use area. */
export class Holes {
  readonly #holes: Hole[] = []
  readonly #marks = new Map<string, string>()

  get all(): readonly Hole[] {
    return this.#holes
  }

  mark(hole: Hole): string {
    const key = `${hole.start}:${hole.text}`
    const known = this.#marks.get(key)
    if (known) return known
    const index = Math.min(this.#holes.length, MAX_HOLES)
    this.#holes[index] = hole
    const mark = HOLE_MARK + String.fromCharCode(FIRST_HOLE + index)
    this.#marks.set(key, mark)
    return mark
  }

  /** The hole whose mark begins at `at`. */
  at(text: string, at: number): Hole | undefined {
    return text[at] === HOLE_MARK ? this.#holes[text.charCodeAt(at + 1) - FIRST_HOLE] : undefined
  }
}

/** Whether a text was built with an unknown value. */
export function hasHole(text: string): boolean {
  return text.includes(HOLE_MARK)
}

/** An entry of a table by a name that a template wrote: never what every object inherits. */
export function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Text length of a hole's mark. */
export const HOLE_MARK_LENGTH = 2

/** Whether a value is known through and through. */
export function isKnown(value: Value, depth = 0): boolean {
  if (value instanceof Unknown) return false
  if (typeof value === 'string') return !hasHole(value)
  if (depth > 8) return true
  if (value instanceof ListValue) return value.items.every((item) => isKnown(item, depth + 1))
  if (value instanceof DictValue) return [...value.entries.values()].every((item) => isKnown(item, depth + 1))
  return true
}

/** A text by which two values can be told apart, unknown ones by where they come from. */
export function keyOf(value: Value, depth = 0): string {
  if (value instanceof Unknown) return `?${value.key}`
  if (value instanceof RelationValue) return `r:${value.parts.join('.')}`
  if (value instanceof Callable) return `f:${value.name}`
  if (depth > 8) return '…'
  if (value instanceof ListValue) return `[${value.items.map((item) => keyOf(item, depth + 1)).join(',')}]`
  if (value instanceof DictValue) {
    return `{${[...value.entries].map(([name, item]) => `${name}:${keyOf(item, depth + 1)}`).join(',')}}`
  }
  return value === undefined ? 'undefined' : JSON.stringify(value)
}
