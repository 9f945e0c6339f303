/** The columns of UNION and its kin, out of those of both sides: by place or by name, also where one side is a star over unknown columns. */
import { isFieldStar } from './renamed.ts'
import { KIND, type OutColumn, type Resolving } from './model.ts'
import type { SetOperation } from '../ir/query.ts'
import { SourceSet, openColumn, union } from './sources.ts'
import { unitedFields } from './struct-fields.ts'

/** Plain columns of equal number: their sources can be put into sets that grow, instead of a new set each time. */
export function canGather(left: readonly OutColumn[], right: readonly OutColumn[], set: SetOperation): boolean {
  return (
    !set.byName &&
    set.uses.length === 0 &&
    left.length === right.length &&
    ![...left, ...right].some(({ open }) => open)
  )
}

export function gather(
  sets: SourceSet[] | undefined,
  left: readonly OutColumn[],
  right: readonly OutColumn[],
): SourceSet[] {
  const grown = sets ?? left.map((column) => startSet(column))
  for (const [index, column] of right.entries()) grown[index]!.addAll(column.sources, KIND.identity)
  return grown
}

export function withGathered(columns: readonly OutColumn[], sets: readonly SourceSet[]): readonly OutColumn[] {
  return columns.map((column, index) => ({ ...column, sources: sets[index]!.sources(), fields: undefined }))
}

function startSet(column: OutColumn): SourceSet {
  const set = new SourceSet()
  set.addAll(column.sources, KIND.identity)
  return set
}

/** The columns of that name as one; none where no side has it. */
function namedIn(columns: readonly OutColumn[], name: string): OutColumn[] {
  const [first, ...others] = columns.filter(({ key }) => key === name.toLowerCase())
  if (!first) return []
  return [{ ...first, sources: others.reduce((sources, one) => union(sources, one.sources), first.sources) }]
}

/** Columns of one name become one; `keeps` says what becomes of those that only one side has. */
export function unitedByName(
  left: readonly OutColumn[],
  right: readonly OutColumn[],
  keeps: SetOperation['keeps'],
  only?: SetOperation['only'],
): readonly OutColumn[] {
  const isOpen = [...left, ...right].some((column) => column.open)
  if (only && !isOpen) return only.flatMap((name) => namedIn([...left, ...right], name))
  const both = keeps === 'both' && !isOpen
  const result = both ? left.filter(({ key }) => right.some((one) => one.key === key)) : [...left]
  for (const column of right) {
    const at = column.open ? -1 : result.findIndex((one) => one.key === column.key && !one.open)
    if (at < 0) {
      if (isOpen || !(both || keeps === 'left')) result.push(column)
    } else {
      const one = result[at]!
      const fields = one.fields && fieldsOfBoth(one.fields, column)
      result[at] = { ...one, sources: union(one.sources, column.sources), fields }
    }
  }
  return result
}

export function unitedByPosition(
  r: Resolving,
  left: readonly OutColumn[],
  right: readonly OutColumn[],
  set: SetOperation,
): readonly OutColumn[] {
  const result: OutColumn[] = []
  let l = 0
  let q = 0
  while (l < left.length) {
    const a = left[l]!
    const b = right[q]
    if (!b) {
      result.push(a)
      l++
    } else if (a.open && b.open) {
      result.push({ ...a, open: [...a.open, ...b.open] })
      l++
      q++
    } else if (!a.open && !b.open) {
      result.push(
        a.sources === b.sources
          ? a
          : {
              ...a,
              sources: union(a.sources, b.sources),
              fields: a.fields ? fieldsOfBoth(a.fields, b) : a.sources.length === 0 ? b.fields : undefined,
              doubt: a.doubt ?? b.doubt,
            },
      )
      l++
      q++
    } else return [...result, ...unevenlyUnited(r, left.slice(l), right.slice(q))]
  }
  if (q < right.length && left.length > 0 && ![...left, ...right].some(isFieldStar))
    r.gathered.doubts.push({ code: 'SET_OPERATION_WIDTH', text: String(right.length), start: set.right.start })
  return result
}

/** Where one side's are not known, none are. A constant adds nothing. */
function fieldsOfBoth(left: readonly OutColumn[], right: OutColumn): readonly OutColumn[] | undefined {
  if (right.sources.length === 0) return left
  return right.fields && unitedFields(left, right.fields)
}

/** From here on one side is a star over unknown columns: names are all that is left to go by. */
function unevenlyUnited(r: Resolving, left: readonly OutColumn[], right: readonly OutColumn[]): readonly OutColumn[] {
  const open = [...left, ...right].flatMap((column) => column.open ?? [])
  const named = left.some((column) => column.open)
    ? right.filter((column) => !column.open)
    : left.filter((column) => !column.open)
  const leftOpen = left.find((column) => column.open)
  const columns = named.map((column) => {
    let sources = column.sources
    for (const one of open)
      if (!one.except?.has(column.key))
        sources = union(sources, [{ column: r.tables.columnOf(one.table, column.name), kind: one.kind }])
    return { ...column, sources, doubt: 'ASSUMED_COLUMN' as const }
  })
  if (!leftOpen) return columns
  const except = new Set(named.map((column) => column.key))
  return [
    ...columns,
    openColumn((leftOpen.open ?? []).map((one) => ({ ...one, except: new Set([...(one.except ?? []), ...except]) }))),
  ]
}
