/**
 * Meanings of macros whose bodies are not at hand, because packages are installed elsewhere. A meaning is SQL that reads
 * the same columns and gives the same outputs as the macro; it need not be the SQL that a database would run.
 */

import { relationText, show } from '../show.ts'
import {
  argument,
  type CallArguments,
  type Holes,
  ListValue,
  RelationValue,
  Unknown,
  UNKNOWN_RESULT,
  type Value,
} from '../values.ts'

export type Meaning = (call: MacroCall) => Value
export type Meanings = Readonly<Record<string, Meaning>>

/** What a macro may ask its project. */
export interface MacroContext {
  readonly holes: Holes
  /** `ref(name)`. */
  ref(name: string): Value
  /** A variable as text; undefined where it has no value. */
  variable(name: string): string | undefined
  columnsOf(relation: RelationValue): readonly string[] | undefined
}

/** A call of a macro, with its arguments as SQL text. */
export class MacroCall {
  readonly args: CallArguments
  readonly context: MacroContext

  constructor(args: CallArguments, context: MacroContext) {
    this.args = args
    this.context = context
  }

  value(index: number, name: string): Value {
    return argument(this.args, index, name)
  }

  /** The argument as text; `absent` where it is not given. */
  text(index: number, name: string, absent = 'null'): string {
    const value = this.value(index, name)
    return value === undefined || value === null || value === false ? absent : this.show(value)
  }

  /** Items of a list argument as texts; one text is a list of one. */
  texts(index: number, name: string): readonly string[] {
    return this.textsOf(this.value(index, name))
  }

  textsOf(value: Value): readonly string[] {
    if (value === undefined || value === null) return []
    return (value instanceof ListValue ? value.items : [value]).map((item) => this.show(item))
  }

  show(value: Value): string {
    return value instanceof RelationValue ? relationText(value) : show(value, this.context.holes)
  }

  /** Known columns of a relation that was given. */
  columns(value: Value): readonly string[] | undefined {
    return value instanceof RelationValue ? this.context.columnsOf(value) : undefined
  }
}

/** A function over its arguments: `f(a, b)`. */
export function functionOf(name: string, ...parameters: readonly string[]): Meaning {
  return (call) => `${name}(${parameters.map((parameter, index) => call.text(index, parameter)).join(', ')})`
}

/** Text that no argument changes. */
export function constant(text: string): Meaning {
  return () => text
}

/** The first argument, whatever is done to it: `upper(x)`. */
export function over(name: string, parameter: string): Meaning {
  return (call) => `${name}(${call.text(0, parameter)})`
}

export const unknown: Meaning = () => UNKNOWN_RESULT

/** A string literal; SQL text that already is one stays as it is. */
export function literal(text: string): string {
  return /^'.*'$/s.test(text.trim()) ? text : `'${text.replaceAll("'", "''")}'`
}

export function isUnknown(value: Value): boolean {
  return value instanceof Unknown
}
