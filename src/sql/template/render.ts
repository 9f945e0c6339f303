/**
 * Writes a template out, once, the way that the reading's decisions say. Text is copied with its place; macros are
 * expanded where their bodies are at hand; what nobody can tell leaves a hole.
 */

import { truth } from './compare.ts'
import { dbtGlobals } from './dbt-context.ts'
import type { Decisions } from './decisions.ts'
import { argumentsOf, evaluate, relationsIn } from './evaluate.ts'
import type { TemplateExpression } from './expression.ts'
import { applyFilter } from './filters.ts'
import { Scope, type TemplateHost } from './host.ts'
import type { DefinitionNode, FilterCall, MacroNode, Parameter, TemplateNode } from './nodes.ts'
import type { MacroDefinition, TemplateOptions } from './options.ts'
import { parseTemplate } from './parser.ts'
import { Facts } from './facts.ts'
import { hasTemplateMarks } from './scanner.ts'
import { show } from './show.ts'
import { MappedText } from './source-map.ts'
import {
  Callable,
  type CallArguments,
  DictValue,
  type Hole,
  Holes,
  keyOf,
  ListValue,
  Unknown,
  type Value,
} from './values.ts'

/** Where nodes write to. */
interface Sink {
  copy(text: string, start: number): void
  make(text: string, start: number, end: number): void
}

/** Text without places: bodies of macros and of block assignments. */
class PlainSink implements Sink {
  text = ''

  copy(text: string): void {
    this.text += text
  }

  make(text: string): void {
    this.text += text
  }
}

/** Thrown by `return`, caught by the macro that it leaves. */
class Returned {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/** Thrown by `break` and `continue`, caught by their loop. */
class LoopJump {
  readonly kind: 'break' | 'continue'

  constructor(kind: 'break' | 'continue') {
    this.kind = kind
  }
}

/** The template asks for more work than it may. */
export class TemplateTooLarge extends Error {}

const MAX_CALLS = 60

/** How much work the renderings of one template may be together. */
export class Budget {
  #steps = 150_000
  #length = 4_000_000

  step(): void {
    if (--this.#steps < 0) throw new TemplateTooLarge('the template does not come to an end')
  }

  write(length: number): void {
    this.#length -= length
    if (this.#length < 0) throw new TemplateTooLarge('the template writes too much')
  }
}

/** One way to write out a template. */
export class Rendering implements TemplateHost {
  readonly holes = new Holes()
  readonly facts = new Facts()
  readonly options: TemplateOptions
  readonly output = new MappedText()
  readonly #decisions: Decisions
  readonly #globals: (name: string) => Value
  readonly #top = new Scope()
  /** The text that expressions point into, and where its outcome stands in the template. */
  #frame: { readonly text: string; readonly site: { readonly start: number; readonly end: number } | undefined }
  readonly #budget: Budget
  #calls = 0
  /** Place of the tag at hand. */
  #tag = { start: 0, end: 0 }

  constructor(text: string, options: TemplateOptions, decisions: Decisions, budget: Budget) {
    this.#budget = budget
    this.options = options
    this.#decisions = decisions
    this.#frame = { text, site: undefined }
    this.#globals = dbtGlobals({
      options,
      facts: this.facts,
      holes: this.holes,
      hole: (kind, name, args) => this.#hole({ kind, name, args }),
      macro: (name, package_) => this.#projectMacro(name, package_) ?? this.#ownMacro(name),
      render: (template) => this.#renderedValue(template),
      give: (value) => {
        throw new Returned(value)
      },
    })
  }

  /** Writes the nodes to the output. */
  run(nodes: readonly TemplateNode[]): void {
    for (const node of nodes) if (node.kind === 'macro') this.#define(node, this.#top)
    try {
      this.#nodes(nodes, this.#top, this.output)
    } catch (error) {
      // A return outside of a macro ends the template.
      if (!(error instanceof Returned)) throw error
    }
  }

  step(): void {
    this.#budget.step()
  }

  decide(key: string): boolean {
    return this.#decisions.decide(key)
  }

  global(name: string): Value {
    if (name === 'this') this.facts.usesThis = true
    return this.#globals(name) ?? this.#variable(name) ?? this.#projectMacro(name, undefined) ?? this.#package(name)
  }

  unknown(
    expression: TemplateExpression,
    about: { kind: Hole['kind']; name: string; key?: string; args?: readonly Value[] },
  ): Unknown {
    const { text, site } = this.#frame
    const written = text.slice(expression.start, expression.end).replaceAll(/\s+/g, ' ')
    const place = site ?? expression
    const relations = relationsIn(about.args ?? [])
    const given = (about.args ?? []).filter((value) => typeof value === 'string' && /^\w+$/.test(value)) as string[]
    const { kind, name } = about
    const hole = { kind, name, text: written, start: place.start, end: place.end, relations, given }
    return new Unknown(hole, about.key ?? written)
  }

  /** A value that the text does not tell, made by the tag at hand. */
  #hole(about: { kind: Hole['kind']; name: string; args: readonly Value[] }): Unknown {
    const { text, site } = this.#frame
    const place = site ?? this.#tag
    const written = text
      .slice(place.start, place.end)
      .replaceAll(/^\{[{%][-+]?\s*|\s*[-+]?[}%]\}$/g, '')
      .replaceAll(/\s+/g, ' ')
    const key = `${about.name}(${about.args.map((value) => keyOf(value)).join(',')})`
    return new Unknown({ ...about, text: written, ...place, relations: relationsIn(about.args) }, key)
  }

  #variable(name: string): Value {
    const { variables } = this.options
    if (!variables || !Object.hasOwn(variables, name)) return undefined
    const value = variables[name]
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined
  }

  #package(name: string): Value {
    const { project } = this.options
    if (!project?.hasPackage(name)) return undefined
    return new DictValue(
      [],
      (macro) => this.#projectMacro(macro, name) ?? this.#hole({ kind: 'macro', name: macro, args: [] }),
    )
  }

  #nodes(nodes: readonly TemplateNode[], scope: Scope, sink: Sink): void {
    for (const node of nodes) this.#node(node, scope, sink)
  }

  #node(node: TemplateNode, scope: Scope, sink: Sink): void {
    this.step()
    switch (node.kind) {
      case 'text':
        return this.#grow(node.text, () => sink.copy(node.text, node.start))
      case 'output':
        this.#tag = node
        return this.#make(show(evaluate(node.expression, scope, this), this.holes), node, sink)
      case 'unknown':
        return this.#notUnderstood(node, sink)
      case 'set': {
        const value = evaluate(node.value, scope, this)
        const [only, ...others] = node.targets
        if (only && others.length === 0) return this.#assign(only, value, scope)
        return node.targets.forEach((target, index) => this.#assign(target, itemAt(value, index), scope))
      }
      case 'set-block': {
        const text = this.#filtered(this.#text(node.body, new Scope(scope)), node.filters, scope)
        return this.#assign(node.target, text, scope)
      }
      case 'if':
        return this.#if(node, scope, sink)
      case 'for':
        return this.#for(node, scope, sink)
      case 'macro':
        return this.#define(node, scope)
      case 'call':
        return this.#call(node, scope, sink)
      case 'filter-block': {
        const text = this.#filtered(this.#text(node.body, new Scope(scope)), node.filters, scope)
        return this.#make(show(text, this.holes), node, sink)
      }
      case 'do':
        evaluate(node.expression, scope, this)
        return
      case 'break':
      case 'continue':
        throw new LoopJump(node.kind)
      case 'definition':
        return this.#definition(node, scope, sink)
    }
  }

  #grow(text: string, write: () => void): void {
    this.#budget.write(text.length)
    write()
  }

  #make(text: string, place: { readonly start: number; readonly end: number }, sink: Sink): void {
    this.#grow(text, () => sink.make(text, place.start, place.end))
  }

  #notUnderstood(node: TemplateNode & { kind: 'unknown' }, sink: Sink): void {
    const { text, site } = this.#frame
    const written = text.slice(node.start, node.end)
    const place = site ?? node
    this.facts.notes.push({ message: `${node.message}: ${written.slice(0, 80)}`, start: place.start, end: place.end })
    if (!written.startsWith('{{')) return
    const hole = {
      kind: 'syntax' as const,
      text: written,
      start: place.start,
      end: place.end,
      name: 'value',
      relations: [],
    }
    this.#make(this.holes.mark(hole), node, sink)
  }

  #text(nodes: readonly TemplateNode[], scope: Scope): string {
    const sink = new PlainSink()
    this.#nodes(nodes, scope, sink)
    return sink.text
  }

  #filtered(text: string, filters: readonly FilterCall[], scope: Scope): Value {
    return filters.reduce<Value>((value, { name, args }) => {
      const place: TemplateExpression = { kind: 'literal', value: null, start: this.#tag.start, end: this.#tag.end }
      return applyFilter(name, value, argumentsOf(args, scope, this), place, this)
    }, text)
  }

  #assign(target: { readonly name: string; readonly attribute?: string }, value: Value, scope: Scope): void {
    if (target.attribute === undefined) {
      scope.values.set(target.name, value)
      return
    }
    const of = scope.get(target.name)
    if (of instanceof DictValue) of.entries.set(target.attribute, value)
  }

  #if(node: TemplateNode & { kind: 'if' }, scope: Scope, sink: Sink): void {
    for (const { condition, body } of node.branches) {
      if (truth(evaluate(condition, scope, this), this)) return this.#nodes(body, scope, sink)
    }
    this.#nodes(node.otherwise, scope, sink)
  }

  #for(node: TemplateNode & { kind: 'for' }, scope: Scope, sink: Sink): void {
    const all = this.#items(evaluate(node.list, scope, this), node)
    const inner = (item: Value): Scope => {
      const here = new Scope(scope)
      if (node.targets.length === 1) here.values.set(node.targets[0]!, item)
      else node.targets.forEach((name, index) => here.values.set(name, this.#unpacked(item, index, name, node)))
      return here
    }
    const { only } = node
    const items = only ? all.filter((item) => truth(evaluate(only, inner(item), this), this)) : all
    if (items.length === 0) return this.#nodes(node.otherwise, scope, sink)
    for (const [index, item] of items.entries()) {
      const here = inner(item)
      here.values.set('loop', loopVariable(items, index))
      try {
        this.#nodes(node.body, here, sink)
      } catch (error) {
        if (!(error instanceof LoopJump)) throw error
        if (error.kind === 'break') return
      }
    }
  }

  /** Items of a loop. An unknown list is taken to have one item, which is unknown. */
  #items(list: Value, node: TemplateNode & { kind: 'for' }): readonly Value[] {
    if (list instanceof ListValue) return list.items
    if (list instanceof DictValue) return [...list.entries.keys()]
    if (typeof list === 'string') return Array.from(list)
    if (!(list instanceof Unknown)) return []
    const name = node.targets.at(-1)!
    return [this.unknown(node.list, { kind: list.hole.kind, name, key: `${list.key}[]` })]
  }

  #unpacked(item: Value, index: number, name: string, node: TemplateNode & { kind: 'for' }): Value {
    if (item instanceof ListValue) return item.items[index]
    if (!(item instanceof Unknown)) return undefined
    return this.unknown(node.list, { kind: item.hole.kind, name, key: `${item.key}[${index}]` })
  }

  #define(node: MacroNode, scope: Scope): void {
    const { text } = this.#frame
    scope.values.set(node.name, this.#macro({ node, text }, scope, false))
  }

  #projectMacro(name: string, package_: string | undefined): Value {
    const definition = this.options.project?.macro(name, package_)
    return definition && this.#macro(definition, this.#top, true)
  }

  /** A macro that the file itself defines. */
  #ownMacro(name: string): Value {
    const value = this.#top.values.get(name)
    return value instanceof Callable ? value : undefined
  }

  #macro(definition: MacroDefinition, scope: Scope, elsewhere: boolean): Callable {
    return new Callable(definition.node.name, (args) => this.#expand(definition, args, scope, elsewhere))
  }

  /** The text of a macro's body, or what it returns. */
  #expand({ node, text }: MacroDefinition, args: CallArguments, scope: Scope, elsewhere: boolean): Value {
    if (++this.#calls > MAX_CALLS) throw new TemplateTooLarge(`macros call each other without end: ${node.name}`)
    const frame = this.#frame
    const tag = this.#tag
    if (elsewhere) this.#frame = { text, site: frame.site ?? { start: tag.start, end: tag.end } }
    try {
      return this.#text(node.body, this.#bound(node.parameters, args, scope))
    } catch (error) {
      if (error instanceof Returned) return error.value
      throw error
    } finally {
      this.#frame = frame
      this.#tag = tag
      this.#calls--
    }
  }

  #bound(parameters: readonly Parameter[], args: CallArguments, scope: Scope): Scope {
    const inner = new Scope(scope)
    for (const [index, { name, default: byDefault }] of parameters.entries()) {
      const given = args.named.has(name) || index < args.positional.length
      const value = args.named.has(name) ? args.named.get(name) : args.positional[index]
      inner.values.set(name, given ? value : byDefault && evaluate(byDefault, inner, this))
    }
    const names = new Set(parameters.map(({ name }) => name))
    inner.values.set('varargs', new ListValue(args.positional.slice(parameters.length)))
    inner.values.set('kwargs', new DictValue([...args.named].filter(([name]) => !names.has(name))))
    const caller = args.named.get('caller')
    if (caller) inner.values.set('caller', caller)
    return inner
  }

  /** `{% call m() %}body{% endcall %}`. The text of a `statement` runs while dbt compiles and is no part of the model. */
  #call(node: TemplateNode & { kind: 'call' }, scope: Scope, sink: Sink): void {
    const { call } = node
    this.#tag = node
    if (call.kind === 'call' && call.callee.kind === 'name' && HEADERS.has(call.callee.name)) {
      this.facts.definitions.push({ sort: call.callee.name, name: '', start: node.start, end: node.end })
      return
    }
    const caller = new Callable('caller', (args) => this.#text(node.body, this.#bound(node.parameters, args, scope)))
    const callee = call.kind === 'call' ? evaluate(call.callee, scope, this) : undefined
    if (!(callee instanceof Callable) || call.kind !== 'call') {
      this.#make(this.#text(node.body, new Scope(scope)), node, sink)
      return
    }
    const args = argumentsOf(call.args, scope, this)
    const named = new Map([...args.named, ['caller', caller] as const])
    this.#make(show(callee.call({ positional: args.positional, named }), this.holes), node, sink)
  }

  /** A snapshot is its query. Tests, docs and materializations are no statements of this file. */
  #definition(node: DefinitionNode, scope: Scope, sink: Sink): void {
    const { sort, name, start, end } = node
    this.facts.definitions.push({ sort, name, start, end })
    if (sort !== 'snapshot' && sort !== 'analysis' && sort !== 'block') return
    this.#nodes(node.body, new Scope(scope), sink)
    if (sort === 'snapshot') sink.make('\n;\n', end, end)
  }

  /** A value that is a template itself, as dbt's variables may be. */
  #renderedValue(template: string): string {
    if (!hasTemplateMarks(template) || this.#calls >= MAX_CALLS) return template
    const frame = this.#frame
    const tag = this.#tag
    this.#calls++
    this.#frame = { text: template, site: frame.site ?? { start: tag.start, end: tag.end } }
    try {
      return this.#text(parseTemplate(template), new Scope())
    } finally {
      this.#frame = frame
      this.#tag = tag
      this.#calls--
    }
  }
}

/** Calls whose bodies run beside the model: queries while dbt compiles, headers in front of the statement. */
const HEADERS = new Set(['statement', 'noop_statement', 'set_sql_header'])

function itemAt(value: Value, index: number): Value {
  return value instanceof ListValue ? value.items[index] : value
}

function loopVariable(items: readonly Value[], index: number): DictValue {
  const cycle = new Callable('cycle', ({ positional }) => positional[index % Math.max(1, positional.length)])
  return new DictValue([
    ['index', index + 1],
    ['index0', index],
    ['first', index === 0],
    ['last', index === items.length - 1],
    ['length', items.length],
    ['revindex', items.length - index],
    ['revindex0', items.length - index - 1],
    ['previtem', items[index - 1]],
    ['nextitem', items[index + 1]],
    ['cycle', cycle],
  ])
}
