/** Fields of a struct that an expression makes: STRUCT(a AS x), ARRAY_AGG(STRUCT(…))[OFFSET(0)]. */

import type { Node } from 'sql-parser-cst'
import type { Expression, Reference, StructField } from '../ir/expression.ts'
import { NotCarriedError, childrenOf, namePartsOf } from './nodes.ts'

const KEEPS_FIELDS: ReadonlySet<string> = new Set(['array_agg', 'any_value'])
const DOCUMENTS: ReadonlySet<string> = new Set([
  'json_object',
  'jsonb_object',
  'json_build_object',
  'jsonb_build_object',
])

/** `read` reads the expression of one field. Undefined where the node makes no struct. */
export function structFieldsOf(node: Node, read: (node: Node) => Expression): readonly StructField[] | undefined {
  switch (node.type) {
    case 'paren_expr':
      return structFieldsOf(node.expr, read)
    case 'typed_expr':
      if (node.expr.type === 'struct_expr') throw new NotCarriedError('fields that a type names')
      return structFieldsOf(node.expr, read)
    case 'member_expr':
      return node.property.type === 'array_subscript' ? structFieldsOf(node.object, read) : undefined
    case 'struct_expr':
      return fieldsOf(node.expr.items, read)
    case 'array_expr':
      return elementFields(node.expr.items, read)
    case 'func_call': {
      const [first]: readonly Node[] = node.args?.expr.args.items ?? []
      const name = namePartsOf(node.name)?.at(-1)?.toLowerCase() ?? ''
      if (first !== undefined && KEEPS_FIELDS.has(name)) return structFieldsOf(first, read)
      if (holdsStruct(node)) throw new NotCarriedError('fields of a struct that a function gives')
      return undefined
    }
    case 'binary_expr':
      if (isArrow(node.operator) && holdsStruct(node.left))
        throw new NotCarriedError('keys of a document that the text builds')
      return undefined
    case 'case_expr':
      if (childrenOf(node).some(holdsStruct)) throw new NotCarriedError('fields of a struct that a condition chooses')
      return undefined
    default:
      return undefined
  }
}

/** Fields of the structs in an array; behind the first, a value's place may be all that tells its field. */
function elementFields(items: readonly Node[], read: (node: Node) => Expression): readonly StructField[] | undefined {
  const [first, ...others] = items.filter((item) => item.type !== 'empty')
  const fields = first && structFieldsOf(first, read)
  return fields?.map((field, index) => {
    const values = others.flatMap((other) => valueAt(other, index) ?? []).map((value) => read(value))
    return {
      ...field,
      references: [...field.references, ...values.flatMap(({ references }) => references)],
      queries: [...field.queries, ...values.flatMap(({ queries }) => queries)],
    }
  })
}

function valueAt(node: Node, index: number): Node | undefined {
  switch (node.type) {
    case 'paren_expr':
    case 'typed_expr':
      return valueAt(node.expr, index)
    case 'list_expr':
      return node.items[index]
    case 'struct_expr': {
      const items: readonly Node[] = node.expr.items
      const item = items[index]
      return item?.type === 'alias' ? item.expr : item
    }
    default:
      return undefined
  }
}

function holdsStruct(node: Node): boolean {
  return node.type === 'struct_expr' || isDocument(node) || childrenOf(node).some(holdsStruct)
}

function isArrow(operator: unknown): boolean {
  return operator === '->' || operator === '->>'
}

function isDocument(node: Node): boolean {
  return node.type === 'func_call' && DOCUMENTS.has(namePartsOf(node.name)?.at(-1)?.toLowerCase() ?? '')
}

/** The columns that an element is of: ARRAY_AGG(t)[OFFSET(0)]; undefined where it is no element of a column. */
export function elementsOf(node: Node, read: (node: Node) => Expression): readonly Reference[] | undefined {
  switch (node.type) {
    case 'paren_expr':
      return elementsOf(node.expr, read)
    case 'member_expr':
      return node.property.type === 'array_subscript' ? elementsOf(node.object, read) : undefined
    case 'func_call': {
      const [first]: readonly Node[] = node.args?.expr.args.items ?? []
      const name = namePartsOf(node.name)?.at(-1)?.toLowerCase() ?? ''
      const column = first !== undefined && KEEPS_FIELDS.has(name) ? read(first) : undefined
      return column?.form === 'column' ? column.references : column?.elements
    }
    default:
      return undefined
  }
}

function fieldsOf(items: readonly Node[], read: (node: Node) => Expression): StructField[] {
  return items.flatMap((item) => {
    const named = item.type === 'alias' ? namePartsOf(item.alias)?.[0] : namePartsOf(item)?.at(-1)
    if (named === undefined) return []
    const { references, queries, form } = read(item.type === 'alias' ? item.expr : item)
    return [{ name: named, references, queries, form }]
  })
}
