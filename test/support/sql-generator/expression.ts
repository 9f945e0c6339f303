import type { Choices } from './choices.ts'
import type { Abilities } from './dialects.ts'
import { NO_SOURCES, note, through, type OutputColumn, type Sources, type Uses } from './sources.ts'
import { write } from './tables.ts'

/** A relation in reach of an expression. */
export interface Visible {
  readonly alias: string
  readonly columns: readonly OutputColumn[]
  /** Its columns have no qualifier (ARRAY JOIN). */
  readonly unqualified?: boolean
}

export interface Scope {
  readonly relations: readonly [Visible, ...Visible[]]
  /** Columns that USING or NATURAL merged: they stand without a qualifier. */
  readonly merged: readonly OutputColumn[]
  /** Unqualified names are told apart by the schemas. */
  readonly schemasKnown: boolean
  /** What conditions, windows and their kin note. */
  readonly uses: Uses
}

export interface Written {
  readonly sql: string
  readonly sources: Sources
  /** Name of the output without an alias; absent where dialects differ. */
  readonly name?: string
}

/** A reference to a column in reach. */
export function writeColumn(choices: Choices, scope: Scope, abilities: Abilities): Written {
  if (scope.merged.length > 0 && choices.chance(20)) {
    const column = choices.pick(scope.merged as [OutputColumn])
    return { sql: write(column.name, abilities), sources: column.sources, name: column.name }
  }
  const relation = choices.pick(scope.relations)
  const column = choices.pick(relation.columns as [OutputColumn, ...OutputColumn[]])
  const bare = column.sql ?? write(column.name, abilities)
  const mayStandBare = scope.relations.length === 1 || (scope.schemasKnown && isUnique(column.name, scope))
  const sql = relation.unqualified === true || (mayStandBare && choices.chance(40)) ? bare : `${relation.alias}.${bare}`
  return { sql, sources: column.sources, name: column.name }
}

function isUnique(name: string, scope: Scope): boolean {
  if (scope.merged.some((column) => column.name === name)) return false
  return scope.relations.filter((relation) => relation.columns.some((column) => column.name === name)).length === 1
}

/** A value: a column, a literal, or something computed. `subquery` writes a scalar subquery. */
export function writeValue(choices: Choices, scope: Scope, abilities: Abilities, depth: number): Written {
  const column = (): Written => writeColumn(choices, scope, abilities)
  const value = (): Written => (depth > 2 ? column() : writeValue(choices, scope, abilities, depth + 1))
  switch (choices.below(abilities.lambda === undefined ? 10 : 11)) {
    case 10:
      return writeLambda(choices, scope, abilities.lambda ?? 'transform', abilities)
    case 4:
      return { sql: choices.pick(['1', "'a'", 'NULL', '-2.5', "'it''s; -- no'"]), sources: NO_SOURCES }
    case 5: {
      const [a, b] = [value(), value()]
      return computed(`${a.sql} ${choices.pick(['+', '-', '*', '/'])} ${b.sql}`, a, b)
    }
    case 6: {
      const [a, b] = [value(), value()]
      return computed(`COALESCE(${a.sql}, ${b.sql})`, a, b)
    }
    case 7: {
      const [a, b, c] = [column(), value(), value()]
      note(scope.uses, 'CONDITIONAL', a)
      return computed(`CASE WHEN ${a.sql} = 1 THEN ${b.sql} ELSE ${c.sql} END`, a, b, c)
    }
    case 8: {
      const a = value()
      return computed(`CAST(${a.sql} AS INTEGER)`, a)
    }
    case 9: {
      const a = value()
      return { sql: `(${a.sql})`, sources: a.sources }
    }
    default:
      return column()
  }
}

/** `transform(a, e -> e + b)`: the elements of a, and b from outside of the lambda. */
function writeLambda(
  choices: Choices,
  scope: Scope,
  call: NonNullable<Abilities['lambda']>,
  abilities: Abilities,
): Written {
  const [list, other] = [writeColumn(choices, scope, abilities), writeColumn(choices, scope, abilities)]
  const element = choices.fresh('e')
  const lambda = `${element} -> ${element} + ${other.sql}`
  return computed(
    call === 'arrayMap' ? `${call}(${lambda}, ${list.sql})` : `${call}(${list.sql}, ${lambda})`,
    list,
    other,
  )
}

export function writeAggregate(choices: Choices, scope: Scope, abilities: Abilities): Written {
  const a = writeValue(choices, scope, abilities, 2)
  const call = choices.pick(['SUM', 'MAX', 'MIN', 'AVG', 'COUNT(DISTINCT'])
  const sql = call.includes('(') ? `${call} ${a.sql})` : `${call}(${a.sql})`
  return { sql, sources: through('AGGREGATED', a.sources) }
}

/**
 * A window function: the columns of PARTITION BY and ORDER BY decide the value, so they are sources. `windows` takes
 * the definition of a window that goes by a name.
 */
export function writeWindow(choices: Choices, scope: Scope, abilities: Abilities, windows?: string[]): Written {
  const [a, partition, order] = [0, 0, 0].map(() => writeColumn(choices, scope, abilities)) as [
    Written,
    Written,
    Written,
  ]
  const call = choices.pick(['ROW_NUMBER()', `LAG(${a.sql})`, 'RANK()', `FIRST_VALUE(${a.sql})`])
  const used = call.includes(a.sql) ? [a, partition, order] : [partition, order]
  note(scope.uses, 'WINDOW', partition, order)
  const window = `PARTITION BY ${partition.sql} ORDER BY ${order.sql}`
  if (windows === undefined || !choices.chance(40)) return computed(`${call} OVER (${window})`, ...used)
  const name = choices.fresh('w')
  windows.push(`${name} AS (${window})`)
  return computed(`${call} OVER ${name}`, ...used)
}

export function writeCondition(choices: Choices, scope: Scope, abilities: Abilities): string {
  const first = writeColumn(choices, scope, abilities)
  const second = writeColumn(choices, scope, abilities)
  const [a, b] = [first.sql, second.sql]
  const form = choices.below(5)
  note(scope.uses, 'FILTER', first, ...(form > 0 && form < 4 ? [second] : []))
  const forms = [
    `${a} = 1`,
    `${a} > ${b}`,
    `${a} IS NOT NULL AND ${b} <> 'x'`,
    `(${a} IN (1, 2) OR ${b} LIKE 'a%')`,
    `NOT ${a} BETWEEN 1 AND 5`,
  ]
  return forms[form] ?? ''
}

function computed(sql: string, ...parts: readonly Written[]): Written {
  return { sql, sources: through('TRANSFORMED', ...parts.map((part) => part.sources)) }
}
