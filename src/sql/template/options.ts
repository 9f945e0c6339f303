/** What a reader of templates may know beyond the text at hand. All of it is optional. */

import type { JsonValue } from '../../model/json.ts'
import type { MacroNode } from './nodes.ts'

/** A macro of another file. */
export interface MacroDefinition {
  readonly node: MacroNode
  /** The text that the node's offsets point into. */
  readonly text: string
}

/** Names of the tables that a template speaks of, each part without quotes. */
export interface RelationName {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly identifier: string
}

/** Answers which tables a project's names stand for, and which columns they have. */
export interface TemplateProject {
  ref(
    name: string,
    about: { readonly package: string | undefined; readonly version: string | undefined },
  ): RelationName | undefined
  source(source: string, table: string): RelationName | undefined
  /** Columns in the table's order; undefined where they are not known. */
  columnsOf(relation: RelationName): readonly string[] | undefined
  /** A macro by name; `package` where the call names one. */
  macro(name: string, package_: string | undefined): MacroDefinition | undefined
  /** Whether a name is that of a package with macros at hand, or of the project itself. */
  hasPackage(name: string): boolean
}

export interface TemplateOptions {
  /** Decides `target.type` and which macro of a dispatch is taken. */
  readonly dialect?: string
  /** Values of `var('x')`, `env_var('X')` and of free variables, by name. */
  readonly variables?: Readonly<Record<string, JsonValue>>
  /** What `{{ this }}` stands for. */
  readonly target?: RelationName
  /** `target.name`, `target.schema` and the like. */
  readonly profile?: Readonly<Record<string, string>>
  /** Configuration that the file inherits: `config.get('x')`, and the materialization. */
  readonly config?: Readonly<Record<string, JsonValue>>
  readonly project?: TemplateProject
  /** The text is a model of SQLMesh; the variables of its blueprint, as they are written. */
  readonly sqlmesh?: { readonly blueprint: Readonly<Record<string, string>> }
}
