/**
 * A text with template marks as a session runs it: its plain variants, each with lines that lead back to the template,
 * and the table that a model's query makes.
 */

import type { Dialect } from '../dialects/dialect.ts'
import type { TableName } from '../ir/query.ts'
import type { CreateStatement, Script, Statement } from '../ir/statement.ts'
import { creation } from '../parser/creation.ts'
import { parseText } from '../parser/script.ts'
import { shown } from '../template/marks.ts'
import type { RelationName, TemplateOptions } from '../template/options.ts'
import type { TemplateText } from '../template/project-facts.ts'
import { readTemplate, type TemplateReading } from '../template/read-template.ts'
import { snapshotOf } from '../template/snapshot.ts'
import { MappedText } from '../template/source-map.ts'
import { Lines } from './lines.ts'
import { MappedLines } from './mapped-lines.ts'

export interface ReadText {
  /** Statements of each variant. Their offsets are those of `text`, so that all share its lines. */
  readonly scripts: readonly Script[]
  /** All variants, one after the other, as a person may see them. */
  readonly text: string
  /** From offsets of `text` to lines of the template. */
  readonly lines: Lines
  readonly reading: TemplateReading
}

/**
 * Reads a text.
 * @param model what the text makes, when it is a model's; its bare query then becomes the table
 */
export function readText(
  text: string,
  dialect: Dialect,
  options: TemplateOptions,
  model: TemplateText | undefined,
): ReadText {
  const reading = readTemplate(text, options)
  const all = new MappedText()
  const scripts = reading.variants.map((variant) => {
    const { sql, map } = isSnapshot(model) ? snapshotOf(variant, { ...model.config, ...reading.config }) : variant
    const script = parseText(' '.repeat(all.length) + sql, dialect)
    all.takeMapped(sql, map)
    return model && model.materialized !== 'operation' ? asModel(script, model) : script
  })
  return { scripts, text: shown(all.toString()), lines: new MappedLines(new Lines(text), all), reading }
}

function isSnapshot(model: TemplateText | undefined): model is TemplateText {
  return model?.materialized === 'snapshot'
}

/** The script with its last bare query as the statement that makes the model's table. */
function asModel(script: Script, model: TemplateText): Script {
  const at = script.statements.findLastIndex(({ kind }) => kind === 'query')
  const statements = script.statements.map((statement, index) =>
    index === at ? creationOf(statement, model) : statement,
  )
  return { ...script, statements }
}

function creationOf(statement: Statement, { target, materialized }: TemplateText): Statement {
  if (statement.kind !== 'query') return statement
  const { query, start, end, skipped, notes, fingerprint } = statement
  const name: TableName = { parts: partsOf(target), start, end: start, sort: 'table', quoted: 0 }
  const made = creation(KINDS[materialized] ?? 'ctas', name, { temporary: materialized === 'ephemeral', query })
  return { ...made, start, end, skipped, notes, fingerprint }
}

const KINDS: Readonly<Record<string, CreateStatement['kind']>> = {
  view: 'view',
  materialized_view: 'materializedView',
  'materialized view': 'materializedView',
  dynamic_table: 'materializedView',
  streaming_table: 'materializedView',
}

/** A relation's name as the session looks names up. */
export function partsOf({ database, schema, identifier }: RelationName): readonly string[] {
  return [database, schema, identifier].filter((part) => part !== undefined && part !== '') as string[]
}

/** The model of a dotted name. */
export function modelNamed(name: string | undefined): TemplateText | undefined {
  if (name === undefined) return undefined
  const [identifier = '', schema, database] = name.split('.').toReversed()
  return { target: { database, schema, identifier }, materialized: 'table' }
}
