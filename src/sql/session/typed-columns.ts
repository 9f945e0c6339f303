/**
 * A table's columns, each coming from itself, with the fields that its type names, or that the schema lists as columns
 * of their own (`addr`, `addr.city`).
 */

import { shapeOf, type TypeShape } from '../ir/shape.ts'
import { KIND, type OutColumn, type TableColumn } from '../resolve/model.ts'
import { outColumn } from '../resolve/sources.ts'

/** Type of a column, by its name in lower case; undefined where it is not known. */
export type TypeOf = (key: string) => string | undefined

export interface ColumnOwner {
  readonly columnOf: (name: string) => TableColumn
  /** A field is a column of its own, `addr.city`; else it is its column. */
  readonly paths: boolean
  /** Fields of a composite type by its name. */
  readonly composite: (type: string) => TypeShape | undefined
}

export function typedColumns(names: readonly string[], typeOf: TypeOf | undefined, owner: ColumnOwner): OutColumn[] {
  const nested = nestedNames(names)
  const top = nested ? names.filter((name) => parentOf(name, nested.known) === undefined) : names
  return top.flatMap((name) => {
    const column = outColumn(name, [{ column: owner.columnOf(name), kind: KIND.identity }])
    const type = typeOf?.(column.key)
    if (type !== undefined && NESTED.test(type)) return nestedColumns(name, type, owner)
    const shape = type === undefined ? undefined : shapeNamed(type, owner)
    const listed = nested?.below.get(column.key)
    if (shape) return withShape(column, name, shape, owner, name)
    return listed ? withListed(column, name, listed, nested!.below, owner) : column
  })
}

const NESTED = /^\s*nested\s*\(/i

/** ClickHouse: a Nested(a …, b …) called n is two columns, n.a and n.b. */
function nestedColumns(name: string, type: string, owner: ColumnOwner): OutColumn[] {
  return (shapeOf(type)?.fields ?? []).map((field) =>
    fieldOf(`${name}.${field.name}`, `${name}.${field.name}`, name, owner),
  )
}

const LIST = /\s*(?:\[\d*\]\s*|\barray\s*)+$/i

function shapeNamed(type: string, owner: ColumnOwner): TypeShape | undefined {
  const shape = shapeOf(type)
  if (shape) return shape
  const isList = LIST.test(type)
  const composite = owner.composite(isList ? type.replace(LIST, '') : type)
  return composite && { ...composite, isList }
}

function withShape(column: OutColumn, path: string, shape: TypeShape, owner: ColumnOwner, root: string): OutColumn {
  if (shape.fields.some(({ name }) => name === '')) return column
  const fields = shape.fields.map(({ name, type }) => {
    const own = `${path}.${name}`
    const field = fieldOf(name, own, root, owner)
    const inner = shapeNamed(type, owner)
    return inner && own.length < MAX_PATH ? withShape(field, own, inner, owner, root) : field
  })
  return { ...column, fields, byType: shape.isMap ? 'map' : shape.isList ? 'list' : 'struct' }
}

/** A composite type may hold itself in an array. */
const MAX_PATH = 500

function fieldOf(name: string, path: string, root: string, owner: ColumnOwner): OutColumn {
  return outColumn(name, [{ column: owner.columnOf(owner.paths ? path : root), kind: KIND.identity }])
}

interface Nested {
  readonly known: ReadonlySet<string>
  /** Full names of fields, by the lower-case name of what they are fields of. */
  readonly below: ReadonlyMap<string, readonly string[]>
}

function nestedNames(names: readonly string[]): Nested | undefined {
  if (!names.some((name) => name.includes('.'))) return undefined
  const known = new Set(names.map((name) => name.toLowerCase()))
  const below = new Map<string, string[]>()
  for (const name of names) {
    const parent = parentOf(name, known)
    if (parent === undefined) continue
    const fields = below.get(parent)
    if (fields) fields.push(name)
    else below.set(parent, [name])
  }
  return below.size === 0 ? undefined : { known, below }
}

/** The longest column that the name is a field of, in lower case. */
function parentOf(name: string, known: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase()
  for (let at = lower.lastIndexOf('.'); at > 0; at = lower.lastIndexOf('.', at - 1)) {
    const parent = lower.slice(0, at)
    if (known.has(parent)) return parent
  }
  return undefined
}

function withListed(
  column: OutColumn,
  root: string,
  listed: readonly string[],
  below: Nested['below'],
  owner: ColumnOwner,
  path = root,
): OutColumn {
  const fields = listed.map((full) => {
    const field = fieldOf(full.slice(path.length + 1), full, root, owner)
    const inner = below.get(full.toLowerCase())
    return inner ? withListed(field, root, inner, below, owner, full) : field
  })
  return { ...column, fields, byType: 'listed' }
}

/** Names of a column's fields as a schema may list them: `addr.city`, for a type's text. */
export function listedNames(name: string, type: string | undefined): string[] {
  const shape = type === undefined ? undefined : shapeOf(type)
  if (!shape || shape.isMap || shape.fields.some((field) => field.name === '')) return []
  return shape.fields.flatMap((field) => {
    const full = `${name}.${field.name}`
    return [full, ...listedNames(full, field.type)]
  })
}
