/**
 * Templated SQL to plain SQL, without running the template's tool:
 *
 *   text ─ scanner ─ parser ─ tree ─ render, once for each way that undecidable conditions can go
 *                                    └ placeHoles: SQL that parses, and the way back to every offset
 *
 * What comes out is one or several variants of the text. Each branch of each `if` is in at least one of them.
 */

import { Decisions } from './decisions.ts'
import { plainValue, type RefUse, type SourceUse, type TemplateDefinition, type TemplateNote } from './facts.ts'
import type { TemplateNode } from './nodes.ts'
import type { JsonValue } from '../../model/json.ts'
import type { TemplateOptions } from './options.ts'
import { parseTemplate } from './parser.ts'
import { placeHoles } from './place-holes.ts'
import { Budget, Rendering, TemplateTooLarge } from './render.ts'
import { hasTemplateMarks } from './scanner.ts'
import type { SourceMap } from './source-map.ts'
import { expandSqlmesh } from './sqlmesh/expand.ts'
import type { Hole } from './values.ts'

/** Plain SQL that the template may become. */
export interface TemplateVariant {
  readonly sql: string
  /** From offsets in `sql` to offsets in the template. */
  readonly map: SourceMap
}

export interface TemplateReading {
  /** At least one. */
  readonly variants: readonly TemplateVariant[]
  readonly refs: readonly RefUse[]
  readonly sources: readonly SourceUse[]
  /** Whether the text reads `{{ this }}`. */
  readonly usesThis: boolean
  /** What `config(…)` says, as far as it is known. */
  readonly config: Readonly<Record<string, JsonValue>>
  /** Blocks that are no statements, and the snapshots. */
  readonly definitions: readonly TemplateDefinition[]
  /** What could not be known. */
  readonly holes: readonly Hole[]
  /** What was not understood. */
  readonly notes: readonly TemplateNote[]
}

const MAX_VARIANTS = 12
const BACKSLASH_DIALECTS = new Set([
  'bigquery',
  'mysql',
  'mariadb',
  'spark',
  'databricks',
  'hive',
  'impala',
  'snowflake',
  'clickhouse',
])

/** Reads a template. A text without `{{`, `{%` and `{#` is its own and only variant. Never throws. */
export function readTemplate(text: string, options: TemplateOptions = {}): TemplateReading {
  if (!hasTemplateMarks(text) && !options.sqlmesh) return plainReading(text)
  return new TemplateReader(text, options).read()
}

const QUOTED_OR_COMMENT = /'(?:[^']|'')*'|"[^"\n]*"|\{#[^]*?#\}|--[^\n]*|\/\*[^]*?\*\//g

/** Whether an offset of the text stands in a comment of the SQL. */
function commentsOf(text: string): (offset: number) => boolean {
  const comments = [...text.matchAll(QUOTED_OR_COMMENT)]
    .filter(([found]) => found.startsWith('--') || found.startsWith('/*'))
    .map(({ index, 0: found }) => [index, index + found.length] as const)
  return (offset) => comments.some(([start, end]) => start <= offset && offset < end)
}

const IDENTITY: SourceMap = { startOf: (offset) => offset, endOf: (offset) => offset }

function plainReading(text: string): TemplateReading {
  const variants = [{ sql: text, map: IDENTITY }]
  return { variants, refs: [], sources: [], usesThis: false, config: {}, definitions: [], holes: [], notes: [] }
}

class TemplateReader {
  readonly #text: string
  readonly #options: TemplateOptions
  readonly #nodes: readonly TemplateNode[]
  readonly #variants = new Map<string, TemplateVariant>()
  readonly #refs = new Map<string, RefUse>()
  readonly #sources = new Map<string, SourceUse>()
  readonly #holes = new Map<string, Hole>()
  readonly #notes = new Map<string, TemplateNote>()
  readonly #definitions = new Map<string, TemplateDefinition>()
  readonly #config: Record<string, JsonValue> = {}
  #usesThis = false

  constructor(text: string, options: TemplateOptions) {
    this.#text = text
    this.#options = options
    this.#nodes = parseTemplate(text)
    for (const node of this.#nodes) {
      if (node.kind === 'macro') this.#define({ sort: 'macro', name: node.name, start: node.start, end: node.end })
    }
  }

  read(): TemplateReading {
    const decisions = new Decisions()
    const budget = new Budget()
    for (let count = 0; count < MAX_VARIANTS && decisions.next(); count++) {
      if (!this.#render(decisions, budget)) break
    }
    return {
      variants: [...this.#variants.values()],
      refs: [...this.#refs.values()],
      sources: [...this.#sources.values()],
      usesThis: this.#usesThis,
      config: this.#config,
      definitions: [...this.#definitions.values()],
      ...this.#told(),
    }
  }

  /** What is worth telling: nothing that stands in a comment of the SQL. */
  #told(): Pick<TemplateReading, 'holes' | 'notes'> {
    const holes = [...this.#holes.values()]
    const notes = [...this.#notes.values()]
    if (holes.length + notes.length === 0) return { holes, notes }
    const isCommented = commentsOf(this.#text)
    return {
      holes: holes.filter(({ start }) => !isCommented(start)),
      notes: notes.filter(({ start }) => !isCommented(start)),
    }
  }

  /** One rendering; false when the template asked for too much. */
  #render(decisions: Decisions, budget: Budget): boolean {
    const rendering = new Rendering(this.#text, this.#options, decisions, budget)
    let ended = true
    let written = rendering.output
    try {
      rendering.run(this.#nodes)
      if (this.#options.sqlmesh) written = expandSqlmesh(written, rendering)
    } catch (error) {
      if (!(error instanceof TemplateTooLarge)) throw error
      ended = false
      this.#note({ message: error.message, start: 0, end: this.#text.length })
    }
    const shape = { backslashEscapes: BACKSLASH_DIALECTS.has(this.#options.dialect ?? '') }
    const map = placeHoles(written, rendering.holes, shape)
    const sql = map.toString()
    if (!this.#variants.has(sql)) this.#variants.set(sql, { sql, map })
    this.#collect(rendering)
    return ended
  }

  #collect({ facts, holes }: Rendering): void {
    for (const [key, use] of facts.refs) this.#refs.set(key, use)
    for (const [key, use] of facts.sources) this.#sources.set(key, use)
    for (const [name, value] of facts.config) {
      const plain = plainValue(value)
      if (plain !== undefined && !Object.hasOwn(this.#config, name)) this.#config[name] = plain
    }
    for (const hole of holes.all) this.#holes.set(`${hole.start}:${hole.text}`, hole)
    for (const note of facts.notes) this.#note(note)
    for (const definition of facts.definitions) this.#define(definition)
    this.#usesThis ||= facts.usesThis
  }

  #note(note: TemplateNote): void {
    this.#notes.set(`${note.start}:${note.message}`, note)
  }

  #define(definition: TemplateDefinition): void {
    this.#definitions.set(`${definition.start}`, definition)
  }
}
