/**
 * LookML: a view with a derived table makes a table of its name, which is what `${name.SQL_TABLE_NAME}` stands for; and
 * every view gives its dimensions and measures, as columns of `lookml.name`.
 */
import type { RelationName } from '../../../sql/template/options.ts'
import type { CarriedText, Carrier } from '../carrier.ts'
import { LineWriter } from '../line-writer.ts'
import { FieldSql, TABLE_ALIAS } from './fields.ts'
import { inJinja } from './liquid.ts'
import { type LookBlock, type LookText, parseLookml } from './parse.ts'
import { type LookView, viewsOf } from './views.ts'

/** Schema of the names that only LookML knows. */
const SCHEMA = 'lookml'

export const lookml: Carrier = {
  fits: (path) => /\.(?:lkml|lookml)$/i.test(path),
  read: (files) => {
    const roots = files.map(({ path, text }) => ({ path, root: parseLookml(text) }))
    return { texts: new Project(roots).texts(), problems: [] }
  },
}

class Project {
  readonly #views: ReadonlyMap<string, LookView>
  readonly #constants: ReadonlyMap<string, string>
  /** Views that explores call otherwise. */
  readonly #explores: ReadonlyMap<string, string>

  constructor(files: readonly { readonly path: string; readonly root: LookBlock }[]) {
    this.#views = viewsOf(files)
    const blocks = files.flatMap(({ root }) => root.blocks)
    this.#constants = new Map(
      blocks.flatMap(({ key, name, texts }) => (key === 'constant' ? [[name, texts.get('value')?.text ?? '']] : [])),
    )
    this.#explores = new Map(
      blocks.flatMap(({ key, name, texts }) => {
        const of = texts.get('from') ?? texts.get('view_name')
        return key === 'explore' && of ? [[name, of.text]] : []
      }),
    )
  }

  /** Each view after those that its table reads. */
  texts(): readonly CarriedText[] {
    const done = new Set<string>()
    const texts: CarriedText[] = []
    const add = (name: string): void => {
      const view = this.#views.get(name)
      if (!view || view.isBase || done.has(name)) return
      done.add(name)
      for (const read of this.#reads(view)) add(read)
      texts.push(...this.#derived(view), ...this.#fields(view))
    }
    for (const name of this.#views.keys()) add(name)
    return texts
  }

  #reads({ derived }: LookView): readonly string[] {
    if (!derived) return []
    const written = [...derived.texts.values()].map(({ text }) => text).join(' ')
    const tables = [...written.matchAll(/\$\{\s*(\w+)\.SQL_TABLE_NAME\s*\}/g)].map(([, name]) => name!)
    const explore = derived.blocks.find(({ key }) => key === 'explore_source')
    return explore ? [...tables, this.#explored(explore.name), ...fieldsOf(explore).map(([view]) => view)] : tables
  }

  #explored(explore: string): string {
    return this.#explores.get(explore) ?? explore
  }

  #derived(view: LookView): readonly CarriedText[] {
    const { derived, file, name } = view
    if (!derived) return []
    const target: RelationName = { identifier: name }
    const explore = derived.blocks.find(({ key }) => key === 'explore_source')
    if (explore) return [{ file, sql: this.#explore(explore), model: { target, materialized: 'table' } }]
    const query = derived.texts.get('sql')
    if (query) return [{ file, sql: this.#placed(query, name), model: { target, materialized: 'table' } }]
    // Statements that make the table themselves.
    const steps = [derived, ...derived.blocks].flatMap(({ texts }) =>
      [...texts].filter(([key]) => /^sql_(?:create|step)$/.test(key)),
    )
    return steps.map(([, step]) => ({ file, sql: this.#placed(step, name) }))
  }

  /** A table made of an explore's fields. */
  #explore(explore: LookBlock): string {
    const out = new LineWriter()
    out.goTo(explore.line)
    const base = this.#explored(explore.name)
    const columns = fieldsOf(explore)
    const from = new Set([base, ...columns.map(([view]) => (view === '' ? base : this.#explored(view)))])
    const items = columns.map(([view, field, as]) => `${view === '' ? base : this.#explored(view)}.${field} as ${as}`)
    const computed = explore.blocks
      .filter(({ key }) => key === 'derived_column')
      .map(({ name, texts }) => `${texts.get('sql')?.text.trim() ?? 'null'} as ${name}`)
    const inner = `select ${items.join(', ')} from ${[...from].map((view) => `${SCHEMA}.${view} as ${view}`).join(' cross join ')}`
    out.write(computed.length === 0 ? inner : `select *, ${computed.join(', ')} from (${inner}) as explored`)
    return out.text
  }

  #fields(view: LookView): readonly CarriedText[] {
    const fields = new FieldSql(view)
    const columns = fields.columns()
    if (columns.length === 0) return []
    const out = new LineWriter()
    out.goTo(view.line)
    out.write('select ')
    for (const [at, { name, sql, line }] of columns.toSorted((a, b) => a.line - b.line).entries()) {
      out.goTo(line)
      out.write(`${at > 0 ? ', ' : ''}${this.#named(sql, view.name)} as ${name}`)
    }
    const others = [...fields.others].map((other) => ` cross join ${SCHEMA}.${this.#explored(other)} as ${other}`)
    out.write(` from ${this.#tableOf(view.name)} as ${TABLE_ALIAS}${others.join('')}`)
    return [
      {
        file: view.file,
        sql: out.text,
        model: { target: { schema: SCHEMA, identifier: view.name }, materialized: 'view' },
      },
    ]
  }

  #placed({ text, line, column }: LookText, self: string): string {
    const out = new LineWriter()
    out.goTo(line, column)
    out.write(inJinja(this.#named(text, self)))
    return out.text
  }

  /** With the tables that views stand for, and the values of constants. */
  #named(text: string, self: string): string {
    return text
      .replaceAll(/\$\{\s*(?:(\w+)\.)?SQL_TABLE_NAME\s*\}/g, (_, view: string | undefined) =>
        view === undefined ? self : this.#tableOf(view),
      )
      .replaceAll(/@\{\s*(\w+)\s*\}/g, (_, name: string) => this.#constants.get(name) ?? `{{ ${name} }}`)
  }

  #tableOf(name: string): string {
    const table = this.#views.get(name)?.table
    return table ? inJinja(this.#named(table.text, name)).trim() : name
  }
}

/** Columns of an explore's source: view (empty where it is the explore's own), field, and the name that it gets. */
function fieldsOf(explore: LookBlock): readonly (readonly [string, string, string])[] {
  return explore.blocks
    .filter(({ key }) => key === 'column')
    .map(({ name, texts }) => {
      const [view = '', field] = (texts.get('field')?.text ?? `.${name}`).split('.')
      return [field === undefined ? '' : view, field ?? view, name] as const
    })
}
