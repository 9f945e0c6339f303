/**
 * A SQLMesh file: `MODEL (name …, kind …)` in front of its query. The header says what the query makes, and is no SQL
 * itself; neither are audits and metrics beside it, and the words around jinja and around statements for later.
 */

import type { JsonValue } from '../../../model/json.ts'
import type { RelationName } from '../options.ts'
import type { TemplateText } from '../project-facts.ts'
import { identifierText, relationText } from '../show.ts'
import { RelationValue } from '../values.ts'
import { bare } from './values.ts'
import { closing, inBrackets, parts, type Place, stepOver, trimmed } from './arguments.ts'

export interface SqlmeshModel {
  /** The table, as its header names it: with `@{x}` where a blueprint names it. */
  readonly name: string
  /** How it is made, in dbt's words: `table`, `view`, `ephemeral`, `materialized_view`, `seed`. */
  readonly materialized: string
  readonly dialect: string | undefined
  /** Path of a seed's file, as written. */
  readonly seed: string | undefined
  readonly columns: readonly string[]
  /** Variables of each model that the file makes; one without any where it is no blueprint. */
  readonly blueprints: readonly Readonly<Record<string, string>>[]
}

export interface SqlmeshText {
  /** All but headers, every character at its place. */
  readonly sql: string
  /** Absent in a file of audits or metrics alone. */
  readonly model: SqlmeshModel | undefined
}

const HEADER = /(?:MODEL|AUDIT|METRIC)(?!\w)/iy
const BLOCK = /(MODEL|AUDIT|METRIC)\s*\(/iy
const FENCE = /\b(?:JINJA_(?:QUERY|STATEMENT)_BEGIN|JINJA_END|ON_VIRTUAL_UPDATE_(?:BEGIN|END))\b\s*;?/gi
const NOT_BREAK = /[^\n]/g

/** Reads a file; undefined where it is none of SQLMesh. */
export function readSqlmesh(written: string): SqlmeshText | undefined {
  if (!beginsWithHeader(written)) return undefined
  const text = withoutComments(written)
  let sql = text
  let model: SqlmeshModel | undefined
  let begins = true
  for (let at = 0; at < text.length;) {
    BLOCK.lastIndex = at
    const block = begins ? BLOCK.exec(text) : null
    const end = block ? closing(text, BLOCK.lastIndex - 1) : undefined
    if (block && end !== undefined) {
      const isModel = block[1]!.toUpperCase() === 'MODEL'
      if (isModel) model ??= modelIn(text, { start: BLOCK.lastIndex, end: end - 1 })
      // An audit's query belongs to the audit.
      const isAudit = block[1]!.toUpperCase() === 'AUDIT'
      const stop = isAudit ? statementEnd(text, semicolon(text, end)) : semicolon(text, end)
      sql = blanked(sql, at, stop)
      at = stop
      continue
    }
    const char = text[at]!
    if (char === ';') begins = true
    else if (!/\s/.test(char)) begins = false
    at = stepOver(text, at)
  }
  return { sql: sql.replaceAll(FENCE, (fence) => fence.replaceAll(NOT_BREAK, ' ')), model }
}

function beginsWithHeader(text: string): boolean {
  const at = behindComments(text, 0)
  HEADER.lastIndex = at
  return HEADER.test(text) && text[behindComments(text, HEADER.lastIndex)] === '('
}

/** Where the first word from an offset on stands. */
function behindComments(text: string, from: number): number {
  let at = from
  for (;;) {
    while (at < text.length && text.charCodeAt(at) <= 32) at++
    const two = text.slice(at, at + 2)
    if (two !== '--' && two !== '/*') return at
    at = stepOver(text, at)
  }
}

/** As long, with blanks for comments. */
function withoutComments(text: string): string {
  let sql = ''
  for (let at = 0; at < text.length;) {
    const end = stepOver(text, at)
    const two = text.slice(at, at + 2)
    const cut = text.slice(at, end)
    sql += two === '--' || two === '/*' ? cut.replaceAll(NOT_BREAK, ' ') : cut
    at = end
  }
  return sql
}

function semicolon(text: string, at: number): number {
  const next = trimmed(text, { start: at, end: text.length }).start
  return text[next] === ';' ? next + 1 : at
}

function statementEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at = stepOver(text, at)) if (text[at] === ';') return at + 1
  return text.length
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replaceAll(NOT_BREAK, ' ') + text.slice(end)
}

function modelIn(text: string, place: Place): SqlmeshModel | undefined {
  const properties = new Map(parts(text, place).map((part) => property(text, part)))
  const value = (key: string): string | undefined => {
    const at = properties.get(key)
    return at && text.slice(at.start, at.end)
  }
  const name = value('name')
  if (name === undefined) return undefined
  const kind = value('kind') ?? 'VIEW'
  const columns = properties.get('columns')
  return {
    name,
    materialized: materialized(kind),
    dialect: value('dialect')?.replaceAll(/['"]/g, '').split(',')[0]!.toLowerCase(),
    seed: /\bpath\s+(['"])(.+?)\1/i.exec(kind)?.[2],
    columns: columns ? names(text, columns) : [],
    blueprints: blueprintsIn(text, properties.get('blueprints')),
  }
}

/** `key value`: the key in lower case, and where its value stands. */
function property(text: string, { start, end }: Place): [string, Place] {
  const key = /^\w+/.exec(text.slice(start, end))?.[0] ?? ''
  return [key.toLowerCase(), trimmed(text, { start: start + key.length, end })]
}

function materialized(kind: string): string {
  const word = /^\w+/.exec(kind)?.[0].toUpperCase()
  if (word === 'VIEW') return /\bmaterialized\s+true\b/i.test(kind) ? 'materialized_view' : 'view'
  if (word === 'EMBEDDED') return 'ephemeral'
  return word === 'SEED' ? 'seed' : 'table'
}

function names(text: string, place: Place): readonly string[] {
  const inside = inBrackets(text, place)
  if (!inside) return []
  return parts(text, inside).flatMap(({ start, end }) => {
    const [, quoted, plain] = /^(?:["`]([^"`]+)["`]|([\w$]+))/.exec(text.slice(start, end)) ?? []
    return quoted ?? plain ?? []
  })
}

/** `((customer := a, fields := (x, y)), (…))`: variables of each model that the file makes. */
function blueprintsIn(text: string, place: Place | undefined): SqlmeshModel['blueprints'] {
  const inside = place && inBrackets(text, place)
  if (!inside) return [{}]
  const all = parts(text, inside)
  // One blueprint may stand without brackets around it.
  const sets = all.some((one) => inBrackets(text, one)) ? all.flatMap((one) => inBrackets(text, one) ?? []) : [inside]
  return sets.map((set) =>
    Object.fromEntries(
      parts(text, set).flatMap(({ start, end }) => {
        const [, name, value] = /^@?(\w+)\s*:=\s*([^]*)$/.exec(text.slice(start, end)) ?? []
        return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
      }),
    ),
  )
}

/** What the model makes, with the variables of its blueprint and of the project in its name. */
export function modelText(model: SqlmeshModel, variables: Readonly<Record<string, JsonValue>>): TemplateText {
  const { name, materialized: made } = model
  const filled = name.replaceAll(/@(?:\{(\w+)\}|(\w+))/g, (mark, braced: string | undefined, plain: string) => {
    const value = variables[(braced ?? plain).toLowerCase()]
    return typeof value === 'string' ? bare(value) : mark
  })
  return { target: relationNamed(filled), materialized: made }
}

/** The table of a seed, whose rows lie in a file. */
export function seedDefinition(target: RelationName, columns: readonly string[]): string {
  const items = columns.map((column) => `${identifierText(column)} text`)
  return `create table ${relationText(new RelationValue(target))}${items.length > 0 ? ` (${items.join(', ')})` : ''}`
}

/** A dotted name as the parts that it says; quotes go. */
export function relationNamed(name: string): RelationName {
  const [identifier = '', schema, database] = [...name.matchAll(/"([^"]+)"|`([^`]+)`|([^.\s"`]+)/g)]
    .map(([, double, back, plain]) => double ?? back ?? plain ?? '')
    .toReversed()
  return { database, schema, identifier }
}
