/** The views of a LookML project: their fields with those that they extend, and the tables that stand behind them. */
import type { LookBlock, LookText } from './parse.ts'

export interface LookView {
  readonly name: string
  readonly file: string
  readonly line: number
  /** Only those that extend it are views. */
  readonly isBase: boolean
  /** What `sql_table_name` says. */
  readonly table: LookText | undefined
  readonly derived: LookBlock | undefined
  /** Dimensions, groups of them, and measures, by name. */
  readonly fields: ReadonlyMap<string, LookBlock>
}

const FIELDS: ReadonlySet<string> = new Set(['dimension', 'dimension_group', 'measure'])
const MAX_EXTENDS = 20

/** Views by name. A refinement adds to its view, wherever it stands. */
export function viewsOf(
  files: readonly { readonly path: string; readonly root: LookBlock }[],
): ReadonlyMap<string, LookView> {
  const written = files.flatMap(({ path, root }) =>
    root.blocks.filter(({ key }) => key === 'view').map((block) => ({ path, block })),
  )
  const views = new Map<string, Draft>()
  for (const { path, block } of written) if (!block.isRefinement) views.set(block.name, draft(path, block))
  for (const { path, block } of written) if (block.isRefinement) refine(views.get(block.name), block, path)
  return new Map([...views.keys()].map((name) => [name, extended(name, views, 0)]))
}

interface Draft extends LookView {
  table: LookText | undefined
  derived: LookBlock | undefined
  readonly fields: Map<string, LookBlock>
  readonly bases: readonly string[]
}

function draft(file: string, block: LookBlock): Draft {
  const { name, line, lists } = block
  const bases = [...(lists.get('extends') ?? []), ...(lists.get('extends__all') ?? [])]
  const isBase = block.texts.get('extension')?.text === 'required'
  const view: Draft = { name, file, line, isBase, table: undefined, derived: undefined, fields: new Map(), bases }
  refine(view, block, file)
  return view
}

function refine(view: Draft | undefined, block: LookBlock, file: string): void {
  if (!view) return
  view.table = block.texts.get('sql_table_name') ?? view.table
  view.derived = block.blocks.find(({ key }) => key === 'derived_table') ?? view.derived
  for (const written of block.blocks) {
    if (!FIELDS.has(written.key)) continue
    const field = file === view.file ? written : at(view.line, written)
    const before = view.fields.get(field.name)
    view.fields.set(field.name, before ? { ...field, texts: new Map([...before.texts, ...field.texts]) } : field)
  }
}

function extended(name: string, views: ReadonlyMap<string, Draft>, depth: number): LookView {
  const view = views.get(name)!
  const bases = depth > MAX_EXTENDS ? [] : view.bases.filter((base) => base !== name && views.has(base))
  const parts = [...bases.map((base) => extended(base, views, depth + 1)), view]
  return {
    name,
    file: view.file,
    line: view.line,
    isBase: view.isBase,
    table: parts.findLast(({ table }) => table !== undefined)?.table,
    derived: parts.findLast(({ derived }) => derived !== undefined)?.derived,
    fields: new Map(parts.flatMap((part) => fieldsIn(part, view))),
  }
}

function fieldsIn(
  { file, fields }: LookView,
  { file: own, line }: LookView,
): readonly (readonly [string, LookBlock])[] {
  return file === own ? [...fields] : [...fields].map(([name, field]) => [name, at(line, field)])
}

/** A field that another file writes stands where its view does. */
function at(line: number, field: LookBlock): LookBlock {
  return { ...field, line, texts: new Map([...field.texts].map(([key, text]) => [key, { ...text, line }])) }
}
