/**
 * SQLMesh's macros in a text that jinja has left: `@x` and `@{x}` are values, `@EACH(list, x -> …)` is a loop, `@IF(…)` a
 * choice whose ways are both read where nobody knows, and what a Python macro would give is a hole. What is copied keeps
 * its place.
 */

import { equalityKey } from '../decisions.ts'
import type { MacroContext } from '../macros/meaning.ts'
import type { TemplateOptions } from '../options.ts'
import { relationText } from '../show.ts'
import { MappedText } from '../source-map.ts'
import { hasHole, type Hole, type Holes, RelationValue } from '../values.ts'
import { argumentsIn, type Argument, closing, inBrackets, parts, type Place, stepOver, trimmed } from './arguments.ts'
import { macroSql } from './macros.ts'
import { bare, isLambda, type Lambda, type MeshValue, meshValue, Names, sqlOf } from './values.ts'

/** What the expansion needs from the reading that it belongs to. */
export interface MeshHost {
  readonly holes: Holes
  readonly options: TemplateOptions
  decide(key: string): boolean
  /** Counts a step of work. Throws when the template asks for too much. */
  step(): void
}

/** The text with its macros expanded. */
export function expandSqlmesh(written: MappedText, host: MeshHost): MappedText {
  const text = written.toString()
  return text.includes('@') ? new Expansion(written, text, host).run() : written
}

interface Sink {
  /** Text of the source. */
  copy(from: number, to: number): void
  /** Text that stands for what is between two offsets of the source. */
  make(text: string, from: number, to: number): void
}

/** A macro, or a variable where it has no arguments. */
interface Mark extends Place {
  /** Lower case. */
  readonly name: string
  readonly args: readonly Argument[] | undefined
  /** Part of a name: `@{x}`, `col_@x`, `@x.y`. */
  readonly isPart: boolean
}

const MARK = /@(?:\{(\w+)\}|(\w+))/y
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy
const LAMBDA = /^\s*(?:(\w+)|\(([\w\s,]*)\))\s*->/
const COMPARISON = /^([^=<>!]+?)\s*(==|=|<>|!=|\bin\b)\s*([^=<>!]+)$/i
/** Values that each run fills in. */
const OF_A_RUN =
  /^(?:(?:start|end|execution|latest)_(?:ds|dt|dtntz|date|ts|tstz|hour|epoch|millis)|runtime_stage|gateway|this_env|model_kind_name)$/
/** Macros that stand for a clause's words. */
const CLAUSES = new Set(['with', 'join', 'where', 'group_by', 'having', 'order_by', 'limit'])

class Expansion {
  readonly #out = new MappedText()
  readonly #text: string
  readonly #written: MappedText
  readonly #host: MeshHost
  readonly #names = new Names()

  constructor(written: MappedText, text: string, host: MeshHost) {
    this.#written = written
    this.#text = text
    this.#host = host
  }

  run(): MappedText {
    const [out, written, text] = [this.#out, this.#written, this.#text]
    this.#write({ start: 0, end: text.length }, this.#names, {
      copy: (from, to) => out.take(written, text, from, to),
      make: (made, from, to) => out.make(made, written.startOf(from), written.endOf(to)),
    })
    return out
  }

  #write(place: Place, names: Names, sink: Sink): void {
    const text = this.#text
    let done = place.start
    for (let at = place.start; at < place.end;) {
      const mark = text[at] === '@' ? this.#markAt(at) : this.#parameterAt(at, names)
      if (!mark) {
        at = this.#next(at, place, names)
        continue
      }
      this.#host.step()
      const nothing = mark.name === 'if' && mark.args ? !this.#arm(mark.args, names) : false
      // What is not there takes its comma along.
      const comma = nothing ? /\s*,\s*$/.exec(text.slice(done, at)) : null
      const follows = nothing ? /^\s*,/.exec(text.slice(mark.end, place.end)) : null
      sink.copy(done, comma && !follows ? at - comma[0].length : at)
      if (!nothing) this.#mark(mark, names, sink)
      at = done = mark.end + (follows?.[0].length ?? 0)
    }
    sink.copy(done, place.end)
  }

  /** Behind what needs no look: a comment, a text without marks, one character. */
  #next(at: number, place: Place, names: Names): number {
    const end = Math.min(stepOver(this.#text, at), place.end)
    if (end > at + 1) {
      const isComment = this.#text[at] === '-' || this.#text[at] === '/'
      return isComment || !this.#text.slice(at, end).includes('@') ? end : at + 1
    }
    WORD.lastIndex = at
    return names.parent && WORD.test(this.#text) ? WORD.lastIndex : end
  }

  #markAt(at: number): Mark | undefined {
    MARK.lastIndex = at
    const found = MARK.exec(this.#text)
    if (!found) return undefined
    const end = MARK.lastIndex
    const name = (found[1] ?? found[2]!).toLowerCase()
    // `@this_model(id)`: columns of a table.
    let open = end
    while (this.#text.charCodeAt(open) <= 32) open++
    const mayCall = found[2] !== undefined && this.#text[open] === '(' && name !== 'this_model'
    const close = mayCall ? closing(this.#text, open) : undefined
    if (close !== undefined) {
      const args = argumentsIn(this.#text, { start: open + 1, end: close - 1 })
      return { start: at, end: close, name, args, isPart: false }
    }
    const beside = (this.#text[at - 1] ?? '') + (this.#text[end] ?? '')
    return { start: at, end, name, args: undefined, isPart: found[1] !== undefined || /[\w.'"`]/.test(beside) }
  }

  /** A parameter of a lambda may stand in its body without a mark. */
  #parameterAt(at: number, names: Names): Mark | undefined {
    if (!names.parent || /[\w.@$]/.test(this.#text[at - 1] ?? '')) return undefined
    WORD.lastIndex = at
    const word = WORD.exec(this.#text)?.[0]
    if (word === undefined || !names.binds(word.toLowerCase())) return undefined
    const end = at + word.length
    return { start: at, end, name: word.toLowerCase(), args: undefined, isPart: this.#text[end] === '.' }
  }

  #mark(mark: Mark, names: Names, sink: Sink): void {
    const { name, args, start, end } = mark
    const make = (made: string): void => sink.make(made, start, end)
    if (!args) {
      const value = this.#variable(mark, names)
      return make(mark.isPart ? bare(value) : sqlOf(value))
    }
    const own = names.get(name)
    if (isLambda(own)) return this.#write(own.body, this.#bound(own, args, names), sink)
    if (CLAUSES.has(name)) return make(name.replace('_', ' '))
    switch (name) {
      case 'def':
        return this.#define(args)
      case 'if': {
        const arm = this.#arm(args, names)
        return arm && this.#write(arm, names, sink)
      }
      case 'each':
        return this.#each(mark, args, names, sink)
      case 'and':
      case 'or':
        return make(this.#joined(args, name, names))
      case 'not':
        return make(`not (${this.#joined(args, 'and', names)})`)
      case 'eval':
        return args[0] && this.#write(args[0], names, sink)
      case 'sql':
        return make(args[0] ? bare(this.#value(args[0], names)) : '')
      default:
        return make(this.#called(mark, args, names))
    }
  }

  #called(mark: Mark, args: readonly Argument[], names: Names): string {
    const value = this.#macroValue(mark, args, names)
    if (value !== undefined) return sqlOf(value)
    const given = {
      positional: args.filter(({ name }) => name === undefined).map((arg) => this.#value(arg, names)),
      named: new Map(args.flatMap((arg) => (arg.name === undefined ? [] : [[arg.name, this.#value(arg, names)]]))),
    }
    return macroSql(mark.name, given, this.#context) ?? this.#hole(mark, 'macro')
  }

  /** Macros that give values. */
  #macroValue(mark: Mark, args: readonly Argument[], names: Names): MeshValue | undefined {
    const [first, second] = args
    if (!first) return undefined
    switch (mark.name) {
      case 'var':
      case 'blueprint_var': {
        const name = bare(this.#value(first, names)).toLowerCase()
        return this.#known(name, names) ?? (second ? this.#value(second, names) : this.#hole(mark, 'variable', name))
      }
      case 'filter': {
        const lambda = second && this.#lambda(second, names)
        const items = this.#items(first, names)
        return lambda && items?.filter((item) => this.#holds(lambda.body, bind(lambda, [item])))
      }
      case 'each': {
        const lambda = second && this.#lambda(second, names)
        return lambda && this.#items(first, names)?.map((item) => this.#string(lambda.body, bind(lambda, [item])))
      }
      case 'reduce': {
        const lambda = second && this.#lambda(second, names)
        const items = this.#items(first, names)
        if (!lambda || !items || items.length === 0) return undefined
        return items.reduce((sum, item) => this.#string(lambda.body, bind(lambda, [sum, item])))
      }
      default:
        return undefined
    }
  }

  #define(args: readonly Argument[]): void {
    const [name, value] = args
    if (!name || !value) return
    const key = this.#text.slice(name.start, name.end).replace('@', '').toLowerCase()
    const lambda = this.#lambda(value, this.#names)
    this.#names.values.set(key, lambda ?? this.#value(value, this.#names))
  }

  #each({ start, end }: Mark, args: readonly Argument[], names: Names, sink: Sink): void {
    const [list, how] = args
    const lambda = how && this.#lambda(how, names)
    if (!list || !lambda) return
    for (const [at, item] of (this.#items(list, names) ?? []).entries()) {
      if (at > 0) sink.make(', ', start, end)
      this.#write(lambda.body, bind(lambda, [item]), sink)
    }
  }

  #joined(args: readonly Argument[], word: 'and' | 'or', names: Names): string {
    const conditions = args.flatMap((arg) => this.#items(arg, names) ?? []).map(sqlOf)
    const all = conditions.filter((one) => one.trim() !== '')
    return all.length === 0 ? 'true' : `(${all.map((one) => `(${one})`).join(` ${word} `)})`
  }

  /** The argument that an `@IF` stands for. */
  #arm([condition, then, otherwise]: readonly Argument[], names: Names): Place | undefined {
    return condition && (this.#holds(condition, names) ? then : otherwise)
  }

  #holds(place: Place, names: Names): boolean {
    const inside = inBrackets(this.#text, trimmed(this.#text, place))
    if (inside) return this.#holds(inside, names)
    const written = this.#text.slice(place.start, place.end)
    if (/\b(?:and|or|not)\b/i.test(written)) return this.#host.decide(written)
    const comparison = COMPARISON.exec(written)
    if (!comparison) return this.#isTrue(sqlOf(this.#value(place, names)), written)
    const [, left = '', operator = '', right = ''] = comparison
    const a = { start: place.start, end: place.start + left.length }
    const b = trimmed(this.#text, { start: place.end - right.length, end: place.end })
    const [one, other] = [this.#value(trimmed(this.#text, a), names), this.#value(b, names)]
    if (!isTold(one) || !isTold(other)) return this.#decideEquality(left, right, operator)
    if (operator.toLowerCase() === 'in')
      return typeof other === 'object' && listOf(other).some((item) => same(item, one))
    return same(one, other) !== isUnequal(operator)
  }

  #decideEquality(left: string, right: string, operator: string): boolean {
    return this.#host.decide(equalityKey(left.trim(), right.trim())) !== isUnequal(operator)
  }

  #isTrue(value: string, written: string): boolean {
    if (/^(?:false|null|0)$/i.test(value)) return false
    if (/^(?:true|\d+|'[^']*')$/i.test(value)) return value !== "''"
    return this.#host.decide(written)
  }

  /** Items of a list that an argument is; one that is no list is a list of one. */
  #items(place: Place, names: Names): readonly MeshValue[] {
    return listOf(this.#value(place, names))
  }

  #value(place: Place, names: Names): MeshValue {
    const text = this.#text
    const mark = text[place.start] === '@' ? this.#markAt(place.start) : undefined
    if (mark && mark.end === place.end) {
      if (!mark.args) return this.#variable(mark, names)
      const value = this.#macroValue(mark, mark.args, names)
      if (value !== undefined) return value
    }
    const inside = inBrackets(text, place)
    if (inside) return parts(text, inside).map((part) => this.#value(part, names))
    return this.#string(place, names)
  }

  #string(place: Place, names: Names): string {
    let made = ''
    const sink: Sink = {
      copy: (from, to) => void (made += this.#text.slice(from, to)),
      make: (text) => void (made += text),
    }
    this.#write(place, names, sink)
    return made.trim()
  }

  #variable(mark: Mark, names: Names): MeshValue {
    return this.#known(mark.name, names) ?? this.#hole(mark, OF_A_RUN.test(mark.name) ? 'value' : 'variable')
  }

  #known(name: string, names: Names): MeshValue | undefined {
    const { variables, sqlmesh, target } = this.#host.options
    const blueprint = sqlmesh?.blueprint
    const bound = names.get(name)
    if (bound !== undefined) return bound
    if (blueprint && Object.hasOwn(blueprint, name)) return blueprintValue(blueprint[name]!)
    if (name === 'this_model' && target) return relationText(new RelationValue(target))
    const key = Object.keys(variables ?? {}).find((one) => one.toLowerCase() === name)
    return key === undefined ? undefined : meshValue(variables![key])
  }

  #hole({ start, end, name }: Mark, kind: Hole['kind'], as = name): string {
    const [from, to] = [this.#written.startOf(start), this.#written.endOf(end)]
    return this.#host.holes.mark({
      kind,
      text: this.#text.slice(start, end),
      start: from,
      end: to,
      name: as,
      relations: [],
    })
  }

  #lambda(place: Place, names: Names): Lambda | undefined {
    const found = LAMBDA.exec(this.#text.slice(place.start, place.end))
    if (!found) return undefined
    const parameters = (found[1] ?? found[2] ?? '')
      .toLowerCase()
      .split(',')
      .map((one) => one.trim())
    return { parameters, body: trimmed(this.#text, { start: place.start + found[0].length, end: place.end }), names }
  }

  #bound(lambda: Lambda, args: readonly Argument[], names: Names): Names {
    return bind(
      lambda,
      args.map((arg) => this.#value(arg, names)),
    )
  }

  get #context(): MacroContext {
    const { holes, options } = this.#host
    return {
      holes,
      ref: (name) => name,
      variable: () => undefined,
      columnsOf: (relation) => options.project?.columnsOf(relation),
    }
  }
}

/** The names of a lambda's body. One value for several parameters is a tuple. */
function bind({ parameters, names }: Lambda, values: readonly MeshValue[]): Names {
  const inner = new Names(names)
  const [only] = values
  const given = parameters.length > 1 && values.length === 1 && only !== undefined ? listOf(only) : values
  for (const [at, name] of parameters.entries()) if (given[at] !== undefined) inner.values.set(name, given[at])
  return inner
}

function listOf(value: MeshValue): readonly MeshValue[] {
  return typeof value === 'string' || isLambda(value) ? [value] : value
}

function isUnequal(operator: string): boolean {
  return operator === '<>' || operator === '!='
}

function isTold(value: MeshValue): boolean {
  return !hasHole(sqlOf(value))
}

function same(one: MeshValue, other: MeshValue): boolean {
  return bare(one).toLowerCase() === bare(other).toLowerCase()
}

/** A blueprint's value as written: a list where it stands in brackets. */
function blueprintValue(written: string): MeshValue {
  const place = trimmed(written, { start: 0, end: written.length })
  const inside = inBrackets(written, place)
  return inside ? parts(written, inside).map(({ start, end }) => written.slice(start, end)) : written.trim()
}
