/**
 * What a project of templates knows beyond one file, as plain data, so that it crosses a worker-thread border: names of
 * tables, macros, values of variables. `projectOf` makes it answer the reader's questions.
 */

import type { MacroNode, TemplateNode } from './nodes.ts'
import type { JsonValue } from '../../model/json.ts'
import type { MacroDefinition, RelationName, TemplateProject } from './options.ts'
import { parseTemplate } from './parser.ts'

export interface ProjectFacts {
  /** Name of the project's own package. */
  readonly name?: string
  /** Tables by what `ref` calls them: `model`, `package.model`; a version is added as `model.v2`. */
  readonly refs: Readonly<Record<string, RelationName>>
  /** Tables by `source.table`. */
  readonly sources: Readonly<Record<string, RelationName>>
  /** Texts that hold macros; later ones win over earlier ones of the same package, the project's own over all. */
  readonly macros: readonly { readonly package: string; readonly text: string }[]
  /** Values of variables, by the package whose files see them. */
  readonly variables?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>
  /** `target.name`, `target.schema` and the like. */
  readonly profile?: Readonly<Record<string, string>>
}

/** What a text of a project is, as plain data. */
export interface TemplateText {
  /** Package that the file belongs to; absent: the project's own. */
  readonly package?: string
  /** The table that the text makes. */
  readonly target: RelationName
  /** How it is made: `table`, `view`, `incremental`, `ephemeral`, `snapshot` …; `operation`: a statement beside it. */
  readonly materialized: string
  readonly config?: Readonly<Record<string, JsonValue>>
}

/**
 * The project that a text belongs to.
 * @param columnsOf answers from what has been learnt so far
 * @param home package of the text, whose macros win
 */
export function projectOf(
  facts: ProjectFacts,
  columnsOf: TemplateProject['columnsOf'],
  home = facts.name ?? '',
): TemplateProject {
  const macros = macrosOf(facts)
  return {
    ref: (name, { package: package_, version }) => {
      const versioned = version === undefined ? name : `${name}.v${version}`
      return (
        (package_ === undefined ? undefined : own(facts.refs, `${package_}.${versioned}`)) ?? own(facts.refs, versioned)
      )
    },
    source: (source, table) => own(facts.sources, `${source}.${table}`),
    columnsOf,
    macro: (name, package_) => {
      if (package_ !== undefined) return macros.byPackage.get(package_)?.get(name)
      const near = macros.byPackage.get(home)?.get(name) ?? macros.byPackage.get(facts.name ?? '')?.get(name)
      return near ?? macros.all.get(name)
    },
    hasPackage: (name) => macros.byPackage.has(name),
  }
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

interface Macros {
  readonly byPackage: ReadonlyMap<string, ReadonlyMap<string, MacroDefinition>>
  readonly all: ReadonlyMap<string, MacroDefinition>
}

const known = new WeakMap<ProjectFacts, Macros>()

function macrosOf(facts: ProjectFacts): Macros {
  const before = known.get(facts)
  if (before) return before
  const byPackage = new Map<string, Map<string, MacroDefinition>>()
  const all = new Map<string, MacroDefinition>()
  if (facts.name !== undefined) byPackage.set(facts.name, new Map())
  for (const { package: package_, text } of facts.macros) {
    const definitions = byPackage.get(package_) ?? new Map<string, MacroDefinition>()
    byPackage.set(package_, definitions)
    for (const node of macroNodes(parseTemplate(text))) {
      definitions.set(node.name, { node, text })
      all.set(node.name, { node, text })
    }
  }
  const macros = { byPackage, all }
  known.set(facts, macros)
  return macros
}

function macroNodes(nodes: readonly TemplateNode[]): readonly MacroNode[] {
  return nodes.filter((node) => node.kind === 'macro')
}
