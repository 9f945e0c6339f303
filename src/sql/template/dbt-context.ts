/**
 * The names that dbt gives a template, as far as they mean something without a warehouse. `execute` is true: the other
 * way is only taken while dbt collects dependencies, and its SQL never runs.
 */

import { Type } from 'typebox'
import type { JsonValue } from '../../model/json.ts'
import { decodeYaml } from '../../model/yaml.ts'
import { type Facts, valueOf } from './facts.ts'
import { DBT_MACROS } from './macros/dbt.ts'
import { DBT_UTILS_MACROS } from './macros/dbt-utils.ts'
import { MacroCall, type MacroContext, type Meaning, type Meanings } from './macros/meaning.ts'
import { OTHER_PACKAGES } from './macros/others.ts'
import type { RelationName, TemplateOptions } from './options.ts'
import { OWN_TABLE_MARK } from './marks.ts'
import { identifierText, show } from './show.ts'
import {
  argument,
  own,
  Callable,
  type CallArguments,
  DictValue,
  hasHole,
  type Hole,
  type Holes,
  keyOf,
  ListValue,
  RelationValue,
  Unknown,
  UNKNOWN_RESULT,
  type Value,
} from './values.ts'

export interface DbtContext {
  readonly options: TemplateOptions
  readonly facts: Facts
  readonly holes: Holes
  /** An unknown value at the tag at hand. */
  readonly hole: (kind: Hole['kind'], name: string, args: readonly Value[]) => Unknown
  /** A macro of the project or of a package at hand. */
  readonly macro: (name: string, package_: string | undefined) => Value
  /** A template that a variable holds, rendered. */
  readonly render: (template: string) => string
  /** Leaves the macro at hand with a value. */
  readonly give: (value: Value) => never
}

type Call = (args: CallArguments) => Value

/** What dbt's names mean; undefined for a name that is not dbt's. Made when it is first asked for. */
export function dbtGlobals(context: DbtContext): (name: string) => Value {
  const eager: Readonly<Record<string, Value>> = {
    ...relations(context),
    ...pure(context),
    ...runTime(context),
    config: configObject(context),
    target: targetObject(context),
    adapter: adapterObject(context),
    api: apiObject(context),
    execute: true,
  }
  const made = new Map(Object.entries(eager))
  const get = (name: string): Value => {
    if (!made.has(name)) made.set(name, late(name))
    return made.get(name)
  }
  const late = (name: string): Value => {
    if (name === 'builtins') return new DictValue([], (of) => get(of) ?? context.hole('variable', of, []))
    const meanings = own(PACKAGES, name)
    if (meanings) return packageObject(context, name, meanings)
    const meaning = own(DBT_MACROS, name)
    return meaning && new Callable(name, (args) => projectOr(context, name, args, meaning))
  }
  return get
}

function callable(name: string, call: Call): Callable {
  return new Callable(name, call)
}

function functions(table: Readonly<Record<string, Call>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(table).map(([name, call]) => [name, callable(name, call)]))
}

function relations({ options, facts, holes, hole, render }: DbtContext): Record<string, Value> {
  const { project } = options
  const target = options.target
  const text = (value: Value) => show(value, holes)
  return {
    ...functions({
      ref: (args) => {
        const [first, second] = args.positional
        if (first === undefined || first instanceof Unknown) return UNKNOWN_RESULT
        const name = text(second ?? first)
        const given = argument(args, 9, 'v') ?? argument(args, 9, 'version')
        const version = given === undefined || given === null ? undefined : text(given)
        const about = { package: second === undefined ? undefined : text(first), version }
        if (!hasHole(name)) facts.ref({ name, ...about })
        const known = project?.ref(name, about)
        return relation(known ?? { identifier: version === undefined ? name : `${name}_v${version}` })
      },
      source: (args) => {
        const [source, table] = args.positional
        if (table === undefined || table instanceof Unknown) return UNKNOWN_RESULT
        const use = { source: text(source), table: text(table) }
        if (!hasHole(use.source + use.table)) facts.source(use)
        return relation(project?.source(use.source, use.table) ?? { schema: use.source, identifier: use.table })
      },
      env_var: (args) => variable(args, false),
    }),
    var: new Callable(
      'var',
      (args) => variable(args, true),
      new Map([['get', callable('get', (args) => variable(args, true))]]),
    ),
    this: target ? relation(target) : new RelationValue({ identifier: `${OWN_TABLE_MARK}this` }),
  }

  /** A known value, else the default, else a hole of the variable's name. */
  function variable(args: CallArguments, isTemplate: boolean): Value {
    const [given] = args.positional
    if (given === undefined || given instanceof Unknown) return UNKNOWN_RESULT
    const name = text(given)
    const { variables } = options
    if (variables && Object.hasOwn(variables, name)) {
      const value = valueOf(variables[name]!)
      return typeof value === 'string' && isTemplate ? render(value) : value
    }
    const byDefault = argument(args, 1, 'default')
    return byDefault === undefined ? hole('variable', name, []) : byDefault
  }
}

function relation(name: RelationName): RelationValue {
  return new RelationValue(name)
}

function itemsOf(value: Value): readonly Value[] {
  if (value instanceof ListValue) return value.items
  return value instanceof DictValue ? [...value.entries.keys()] : []
}

function uniqueItems(value: Value): ListValue {
  return new ListValue([...new Map(itemsOf(value).map((item) => [keyOf(item), item])).values()])
}

function zipped({ positional }: CallArguments): Value {
  if (positional.some((value) => value instanceof Unknown)) return UNKNOWN_RESULT
  const lists = positional.map(itemsOf)
  const length = lists.length === 0 ? 0 : Math.min(...lists.map((list) => list.length))
  return new ListValue(
    Array.from(
      { length },
      (_row, at) =>
        new ListValue(
          lists.map((list) => list[at]),
          true,
        ),
    ),
  )
}

/** Functions of their arguments alone. */
function pure({ holes, give }: DbtContext): Record<string, Value> {
  return functions({
    return: ({ positional }) => give(positional[0]),
    range: ({ positional }) => range(positional),
    dict: ({ positional, named }) => {
      const [first] = positional
      return new DictValue([...(first instanceof DictValue ? first.entries : []), ...named])
    },
    namespace: ({ named }) => new DictValue(named),
    set: ({ positional }) => (positional[0] instanceof Unknown ? UNKNOWN_RESULT : uniqueItems(positional[0])),
    set_strict: ({ positional }) => uniqueItems(positional[0]),
    zip: zipped,
    zip_strict: zipped,
    fromyaml: ({ positional }) => parsedText(positional[0], holes, parseYaml),
    fromjson: ({ positional }) => parsedText(positional[0], holes, JSON.parse),
    tojson: ({ positional }) => show(positional[0], holes),
    log: () => '',
    print: () => '',
    debug: () => '',
  })
}

/** A text as the data that it writes out; unknown where it is none. */
function parsedText(text: Value, holes: Holes, parse: (text: string) => unknown): Value {
  if (text instanceof Unknown) return UNKNOWN_RESULT
  try {
    return valueOf(parse(show(text, holes)) as JsonValue)
  } catch {
    return UNKNOWN_RESULT
  }
}

function parseYaml(text: string): unknown {
  return decodeYaml(Type.Unknown(), text, 'template')
}

function range(bounds: readonly Value[]): Value {
  if (!bounds.every((bound) => typeof bound === 'number')) return UNKNOWN_RESULT
  const [first = 0, second, step = 1] = bounds
  const [from, to] = second === undefined ? [0, first] : [first, second]
  const length = step === 0 ? 0 : Math.min(10_000, Math.max(0, Math.ceil((to - from) / step)))
  return new ListValue(Array.from({ length }, (_item, index) => from + index * step))
}

/** What only a run of dbt tells. */
function runTime({ hole }: DbtContext): Record<string, Value> {
  const silent = new DictValue([], (name) => callable(name, () => ''))
  return {
    ...functions({
      run_query: ({ positional }) => hole('query', 'run_query', positional),
      load_result: () => hole('query', 'load_result', []),
      statement: () => '',
      store_result: () => '',
      load_relation: ({ positional }) => {
        const [of] = positional
        return of instanceof RelationValue ? of.orNot() : UNKNOWN_RESULT
      },
      is_incremental: () => UNKNOWN_RESULT,
      should_full_refresh: () => UNKNOWN_RESULT,
    }),
    exceptions: silent,
  }
}

function configObject({ options, facts, holes, hole }: DbtContext): Value {
  const inherited = options.config ?? {}
  const read: Call = (args) => {
    const name = show(args.positional[0], holes)
    const value = facts.config.get(name) ?? (Object.hasOwn(inherited, name) ? valueOf(inherited[name]!) : undefined)
    if (value !== undefined) return value
    return argument(args, 1, 'default') ?? hole('variable', name, [])
  }
  const write: Call = ({ positional, named }) => {
    const [given] = positional
    if (given instanceof DictValue) for (const [key, value] of given.entries) facts.config.set(key, value)
    for (const [key, value] of named) facts.config.set(key, value)
    return ''
  }
  const attributes = new Map(
    Object.entries(functions({ get: read, require: read, persist_relation_docs: () => '', set: write })),
  )
  return new Callable('config', write, attributes)
}

/** Dialects that dbt's adapters call otherwise. */
function adapterType(dialect: string | undefined): string | undefined {
  if (dialect === undefined || dialect === 'ansi') return undefined
  return dialect === 'tsql' ? 'sqlserver' : dialect
}

function targetObject({ options, hole }: DbtContext): Value {
  const type = adapterType(options.dialect)
  const known = Object.entries(options.profile ?? {})
  const entries: (readonly [string, Value])[] = type === undefined ? known : [['type', type], ...known]
  return new DictValue(entries, (name) => hole('variable', `target_${name}`, []))
}

function adapterObject(context: DbtContext): Value {
  const { options, hole, holes, macro } = context
  const type = adapterType(options.dialect)
  const dispatch: Call = (args) => {
    const name = show(args.positional[0], holes)
    const package_ = argument(args, 1, 'macro_namespace')
    const within = typeof package_ === 'string' ? package_ : undefined
    for (const prefix of [type, 'default']) {
      const found = prefix && (macro(`${prefix}__${name}`, undefined) ?? macro(`${prefix}__${name}`, within))
      if (found) return found
    }
    return meaningOf(context, name, within) ?? hole('macro', name, [])
  }
  const columns: Call = ({ positional }) => {
    const [of] = positional
    const known = of instanceof RelationValue ? options.project?.columnsOf(of) : undefined
    return known ? new ListValue(known.map(columnValue)) : hole('query', 'columns', [])
  }
  const entries = functions({
    dispatch,
    get_columns_in_relation: columns,
    get_relation: namedRelation,
    quote: ({ positional }) => identifierText(show(positional[0], holes)),
    type: () => type ?? hole('variable', 'target_type', []),
  })
  return new DictValue(Object.entries(entries), (name) => hole('query', name, []))
}

/** adapter.get_relation(database, schema, identifier): only the warehouse tells whether it is there. */
function namedRelation(args: CallArguments): Value {
  const [database, schema, identifier] = ['database', 'schema', 'identifier'].map((name, index) =>
    argument(args, index, name),
  )
  if (typeof identifier !== 'string') return UNKNOWN_RESULT
  return new RelationValue({
    uncertain: true,
    database: typeof database === 'string' ? database : undefined,
    schema: typeof schema === 'string' ? schema : undefined,
    identifier,
  })
}

/** A column as dbt's adapters describe it. */
function columnValue(name: string): DictValue {
  return new DictValue([
    ['name', name],
    ['column', name],
    ['quoted', identifierText(name)],
  ])
}

function apiObject({ holes, hole }: DbtContext): Value {
  const create: Call = ({ named }) => {
    const part = (name: string) =>
      named.has(name) && named.get(name) !== null ? show(named.get(name), holes) : undefined
    return relation({ database: part('database'), schema: part('schema'), identifier: part('identifier') ?? '' })
  }
  const relationClass = new DictValue(Object.entries(functions({ create })), (name) => hole('macro', name, []))
  return new DictValue([['Relation', relationClass]], (name) => hole('macro', name, []))
}

const PACKAGES: Readonly<Record<string, Meanings>> = { dbt: DBT_MACROS, dbt_utils: DBT_UTILS_MACROS, ...OTHER_PACKAGES }

/** A package whose macros have a meaning here; others of its macros come from the project where it has them. */
function packageObject(context: DbtContext, name: string, meanings: Meanings): DictValue {
  return new DictValue([], (macro) => {
    // `postgres__hub`: an adapter's own form of a macro means the same.
    const meaning =
      own(meanings, macro) ?? (macro.includes('__') ? own(meanings, macro.slice(macro.indexOf('__') + 2)) : undefined)
    if (meaning) return meant(context, macro, meaning)
    return context.macro(macro, name) ?? context.hole('macro', macro, [])
  })
}

function meaningOf(context: DbtContext, name: string, package_: string | undefined): Value {
  const tables = package_ !== undefined && Object.hasOwn(PACKAGES, package_) ? [PACKAGES[package_]!] : [DBT_MACROS]
  const meaning = tables.find((table) => Object.hasOwn(table, name))?.[name]
  return meaning && meant(context, name, meaning)
}

function meant(context: DbtContext, name: string, meaning: Meaning): Callable {
  return new Callable(name, (args) => meaning(new MacroCall(args, macroContext(context))))
}

function macroContext(context: DbtContext): MacroContext {
  const { options, holes } = context
  return {
    holes,
    ref: (of) => (relations(context)['ref'] as Callable).call({ positional: [of], named: new Map() }),
    columnsOf: (of) => options.project?.columnsOf(of),
    variable: (of) => {
      if (!options.variables || !Object.hasOwn(options.variables, of)) return undefined
      const value = valueOf(options.variables[of]!)
      return typeof value === 'string' ? context.render(value) : show(value, holes)
    },
  }
}

/** A project may write a macro of dbt's own anew. */
function projectOr(context: DbtContext, name: string, args: CallArguments, meaning: Meaning): Value {
  const found = context.macro(name, undefined)
  return found instanceof Callable ? found.call(args) : meant(context, name, meaning).call(args)
}
