/**
 * Columns of tables and views that a text further on defines: files of a folder come by their names, not in the order in
 * which they were run. What a text itself defines is not foreseen while it runs: there the order is known.
 */

import type { Query } from '../ir/query.ts'
import type { CreateStatement, NamedStatement, Statement } from '../ir/statement.ts'

interface Definition {
  /** Lower case. */
  readonly parts: readonly string[]
  readonly names: string[]
  readonly file: string | undefined
}

export class ForeseenTables {
  /** By the last part of the name, lower case. */
  readonly #byName = new Map<string, Definition[]>()

  note(statements: readonly Statement[], file: string | undefined): void {
    for (const statement of statements) {
      switch (statement.kind) {
        case 'block':
          this.note(statement.body, file)
          break
        case 'table':
        case 'ctas':
        case 'view':
        case 'materializedView':
          this.#define(statement, file)
          break
        case 'alter':
          this.#extend(statement)
          break
        default:
      }
    }
  }

  /** The text of a file runs from here on. */
  forget(file: string | undefined): void {
    if (this.#byName.size === 0) return
    for (const [name, definitions] of this.#byName) {
      const kept = definitions.filter((one) => one.file !== file)
      if (kept.length === 0) this.#byName.delete(name)
      else if (kept.length < definitions.length) this.#byName.set(name, kept)
    }
  }

  /** Names of the columns, where all definitions that the name may mean agree on them. */
  columnsOf(parts: readonly string[]): readonly string[] | undefined {
    const [first, ...others] = this.#meant(parts)
    if (!first || others.some((one) => one.names.join('\n').toLowerCase() !== first.names.join('\n').toLowerCase()))
      return undefined
    return first.names
  }

  #meant(parts: readonly string[]): readonly Definition[] {
    const definitions = this.#byName.get(parts.at(-1)?.toLowerCase() ?? '')
    if (!definitions) return []
    const lower = parts.map((part) => part.toLowerCase())
    return definitions.filter((one) => one.parts.every((_, at) => agrees(one.parts, lower, at + 1)))
  }

  #define(statement: CreateStatement, file: string | undefined): void {
    if (statement.temporary || statement.target.sort !== 'table' || statement.like.length > 0) return
    const names = statement.columns?.length
      ? statement.columns.filter(({ hidden }) => !hidden).map((column) => column.name)
      : statement.query && outputNames(statement.query)
    if (!names) return
    const parts = statement.target.parts.map((part) => part.toLowerCase())
    const key = parts.at(-1)!
    this.#byName.set(key, [...(this.#byName.get(key) ?? []), { parts, names: [...names], file }])
  }

  #extend({ names, added }: NamedStatement): void {
    if (added.length === 0) return
    for (const { parts } of names)
      for (const one of this.#meant(parts)) one.names.push(...added.map((column) => column.name))
  }
}

/** Whether the `at`-th part from the end is the same in both names, or one of them has none. */
function agrees(left: readonly string[], right: readonly string[], at: number): boolean {
  return at > left.length || at > right.length || left.at(-at) === right.at(-at)
}

/** What a query calls its columns, where its text alone says so. */
function outputNames(query: Query): readonly string[] | undefined {
  let first = query
  while (first.kind === 'set' && !first.byName) first = first.left
  if (first.kind !== 'select') return undefined
  const names: string[] = []
  for (const { alias, aliases, star, expression } of first.items) {
    const name = alias ?? (expression.form === 'column' ? expression.name : undefined)
    if (star || aliases || name === undefined) return undefined
    names.push(name)
  }
  return names
}
