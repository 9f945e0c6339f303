/** Routines, packages and triggers that are defined further on than where they are called. */

import type { TableName } from '../ir/query.ts'
import type { RoutineStatement, Statement, UseStatement } from '../ir/statement.ts'
import type { Source } from './record.ts'
import { triggerName } from './trigger.ts'
import type { Variables } from './variables.ts'

/** What stands in front of names that lack it. */
export interface Defaults {
  readonly database: string | undefined
  readonly schema: string | undefined
}

/** A routine as it is written. */
export interface WrittenRoutine {
  readonly statement: RoutineStatement
  readonly source: Source
}

/** A routine that is defined further on. */
interface Foreseen extends WrittenRoutine {
  /** Where it is defined. */
  readonly names: Defaults
}

export class ForeseenRoutines {
  /** By the last part of the name, lower case; so are the others. */
  readonly #routines = new Map<string, Foreseen>()
  /** Specifications of packages. */
  readonly #specifications = new Map<string, WrittenRoutine>()
  /** Triggers by the function that they run. */
  readonly #triggersOf = new Map<string, RoutineStatement[]>()
  /** Whether any text defines a function, so that a call may have a value. */
  definesFunctions = false

  /**
   * @param from what stands in front of names where the text begins
   * @param variables where types that it declares are kept
   */
  note(statements: readonly Statement[], source: Source, from: Defaults, variables: Variables): void {
    let names: Defaults = { database: from.database, schema: from.schema }
    for (const statement of statements) {
      if (statement.kind === 'use') names = used(statement, names)
      else if (statement.kind === 'routine') this.#noteRoutine(statement, source, names, variables)
      else if (statement.kind === 'block') this.note(statement.body, source, names, variables)
      else if (statement.kind === 'declare' && statement.type) variables.declareType(statement.type)
    }
  }

  #noteRoutine(statement: RoutineStatement, source: Source, names: Defaults, variables: Variables): void {
    if (isFunction(statement)) this.definesFunctions = true
    if (statement.executes) this.#noteTrigger(statement, statement.executes)
    if (statement.sort === 'package') {
      this.note(statement.body, source, names, variables)
      this.#notePackage(statement, source)
    } else this.#routines.set(routineKey(statement), { statement, source, names })
  }

  /** What a package's specification declares its body sees. */
  #notePackage(statement: RoutineStatement, source: Source): void {
    const declared = statement.body.every(({ kind }) => kind === 'declare')
    if (declared) this.#specifications.set(routineKey(statement), { statement, source })
  }

  #noteTrigger(trigger: RoutineStatement, executes: TableName): void {
    const key = executes.parts.at(-1)!.toLowerCase()
    const known = this.#triggersOf.get(key) ?? []
    if (!known.some((one) => triggerName(one) === triggerName(trigger))) this.#triggersOf.set(key, [...known, trigger])
  }

  has(key: string): boolean {
    return this.#routines.has(key)
  }

  /** The routine of that name, which from here on is no longer to come. */
  take(key: string): Foreseen | undefined {
    const found = this.#routines.get(key)
    this.#routines.delete(key)
    return found
  }

  triggersOf(key: string): readonly RoutineStatement[] | undefined {
    return this.#triggersOf.get(key)
  }

  /** The specification of a package's body; none of itself. */
  specificationOf(body: RoutineStatement): WrittenRoutine | undefined {
    const found = this.#specifications.get(routineKey(body))
    return found?.statement.body === body.body ? undefined : found
  }
}

/** What a routine is found by: the last part of its name, lower case. */
export function routineKey({ name }: RoutineStatement): string {
  return name.parts.at(-1)!.toLowerCase()
}

/** What an expression may call. */
export function isFunction({ sort }: RoutineStatement): boolean {
  return sort === 'function' || sort === 'macro'
}

/** The defaults after a USE. */
function used({ database, schema }: UseStatement, before: Defaults): Defaults {
  return database === undefined ? { ...before, schema: schema ?? before.schema } : { database, schema }
}
