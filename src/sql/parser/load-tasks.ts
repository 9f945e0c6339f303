/**
 * MultiLoad and TPump: statements stand under a label, and an import that comes later runs them for each record of its
 * file.
 *
 *     .LAYOUT l; .FIELD a * CHAR(5); .FIELD b a || 'x';   .DML LABEL d; INSERT INTO t VALUES (:a, :b);
 *     .IMPORT INFILE f LAYOUT l APPLY d;
 */

import type { Expression } from '../ir/expression.ts'
import type { Relation, TableName } from '../ir/query.ts'
import type { Statement } from '../ir/statement.ts'
import { overRecords } from './load-rows.ts'
import { columnItem, plainSelect, queryRelation, tableRelation } from './plain-query.ts'

const LABEL = /^\.\s*dml\s+label\s+(\w+)/i
const LAYOUT = /^\.\s*layout\s+(\w+)/i
const FIELD = /^\.\s*(?:field|filler)\s+(\w+)\s+([^]*)/i
const IMPORT = /^\.\s*import\s+(?:in)?file\s+(?:(['"])(.*?)\1|([^\s;'",]+))([^]*)/i
const APPLIED = /\bapply\s+(\w+)/gi
/** A field that is put together from others has no place in the record. */
const JOINED = /^\w+\s*\|\|[^;]*/

interface Field {
  readonly name: string
  /** Fields that it is put together from; its own where it stands in the record. */
  readonly parts: readonly string[]
}

export class LoadTasks {
  readonly #labels = new Map<string, number[]>()
  readonly #layouts = new Map<string, Field[]>()
  #label: number[] | undefined
  #layout: Field[] = []

  /** Takes the last statement; an import changes those before it that it applies. */
  follow(text: string, statements: Statement[]): void {
    const index = statements.length - 1
    const { kind, start, end } = statements[index]!
    if (kind !== 'command' || text[start] !== '.') {
      this.#label?.push(index)
      return
    }
    const command = text.slice(start, end)
    const label = LABEL.exec(command)
    const layout = LAYOUT.exec(command)
    const field = FIELD.exec(command)
    if (label) this.#labels.set(label[1]!.toLowerCase(), (this.#label = []))
    else if (layout) this.#layouts.set(layout[1]!.toLowerCase(), (this.#layout = []))
    else if (field) this.#layout.push(fieldOf(field[1]!, field[2]!))
    else {
      this.#label = undefined
      const imported = IMPORT.exec(command)
      if (imported) this.#apply(imported[2] ?? imported[3]!, imported[4]!, { start, end }, text, statements)
    }
  }

  #apply(
    path: string,
    options: string,
    place: { start: number; end: number },
    text: string,
    statements: Statement[],
  ): void {
    const file: TableName = { parts: [path], ...place, sort: 'path', quoted: 1 }
    const layout = /\blayout\s+(\w+)/i.exec(options)?.[1]?.toLowerCase()
    const records = recordsOf(file, this.#layouts.get(layout ?? '') ?? [])
    for (const [, label] of options.matchAll(APPLIED))
      for (const index of this.#labels.get(label!.toLowerCase()) ?? [])
        statements[index] = overRecords(statements[index]!, records, text)
  }
}

function fieldOf(name: string, text: string): Field {
  const joined = JOINED.exec(text)
  if (!joined) return { name, parts: [name] }
  return { name, parts: joined[0].split('||').flatMap((part) => /^\s*(\w+)/.exec(part)?.[1] ?? []) }
}

/** The file itself, or what its joined fields make of it. */
function recordsOf(file: TableName, fields: readonly Field[]): Relation {
  if (fields.every(({ name, parts }) => parts.length === 1 && parts[0] === name)) return tableRelation(file)
  const { start, end } = file
  const items = fields.map(({ name, parts }) => {
    if (parts.length === 1 && parts[0] === name) return columnItem(name, start, end)
    const references = parts.map((part) => ({ parts: [part], quoted: false, start, end, role: 0 }))
    const expression: Expression = { start, end, references, queries: [], stars: [], windows: [], form: 'other' }
    return { expression, alias: name, start, end }
  })
  return queryRelation(plainSelect(items, [tableRelation(file)], start, end), start, end)
}
