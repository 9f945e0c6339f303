/** How a column comes about: its expression, its sources, and what those were made from before, each with its place. */
import { HeadwaterError } from '../../model/errors.ts'
import { nearest } from '../../model/near.ts'
import type { ColumnLineage, ScriptLineage, StatementLineage } from '../types.ts'
import { columnName } from './columns.ts'
import { position } from './tree.ts'

/** A name that nothing in the script has. */
export class UnknownNameError extends HeadwaterError {
  readonly code = 'UNKNOWN_NAME_IN_LINEAGE'
  override readonly badInput = true

  constructor(name: string, known: Iterable<string>) {
    const near = nearest(name, known, 3)
    const remedy =
      near.length === 0 ? 'look at the names in the plain output first' : `did you mean ${near.join(' or ')}?`
    super(`the script has nothing called ${JSON.stringify(name)}`, { remedy })
  }
}

interface Writing {
  readonly column: ColumnLineage
  readonly statement: StatementLineage
}

/**
 * The derivation of a column as text. The name may leave out leading parts of the table.
 * @throws UnknownNameError where no statement writes the column
 */
export function explainColumn(lineage: ScriptLineage, name: string): string {
  const writings = writingsByName(lineage)
  const wanted = name.toLowerCase()
  const found = [...writings.keys()].filter((key) => key === wanted || key.endsWith(`.${wanted}`))
  if (found.length === 0) throw new UnknownNameError(name, writings.keys())
  return `${found.flatMap((key) => derivation(key, writings, 0, new Set())).join('\n')}\n`
}

function writingsByName(lineage: ScriptLineage): Map<string, Writing[]> {
  const byName = new Map<string, Writing[]>()
  for (const statement of lineage.statements) {
    for (const column of statement.columns) {
      const key = columnName(column.downstream).toLowerCase()
      byName.set(key, [...(byName.get(key) ?? []), { column, statement }])
    }
  }
  return byName
}

function derivation(
  key: string,
  writings: ReadonlyMap<string, readonly Writing[]>,
  depth: number,
  path: ReadonlySet<string>,
): string[] {
  const indent = '  '.repeat(depth)
  const ways = writings.get(key) ?? []
  if (path.has(key)) return [`${indent}${key}  (see above)`]
  const inner = new Set(path).add(key)
  return ways.flatMap(({ column, statement }) => [
    `${indent}${columnName(column.downstream)}  ${statement.kind} at ${placeOf(column, statement)}`,
    ...details(column, statement).map((line) => `${indent}    ${line}`),
    ...column.upstreams.flatMap((up) => {
      const name = columnName(up)
      const line = `${indent}  <- ${name}  ${up.kind}`
      return [line, ...derivation(name.toLowerCase(), writings, depth + 2, inner)]
    }),
  ])
}

function details(column: ColumnLineage, statement: StatementLineage): string[] {
  const shaping = statement.indirect.map((use) => `${use.kind} ${columnName(use)}`)
  return [
    ...(column.transformation === undefined ? [] : [`= ${column.transformation.replaceAll(/\s+/g, ' ')}`]),
    ...(column.branch === undefined ? [] : [`in the branch ${column.branch}`]),
    ...(column.upstreams.length === 0 ? ['no source: a constant, or made by the database'] : []),
    ...(shaping.length === 0 ? [] : [`rows shaped by ${[...new Set(shaping)].join(', ')}`]),
    `confidence ${column.confidence.toFixed(2)}${column.reasons.length === 0 ? '' : `: ${column.reasons.join('; ')}`}`,
  ]
}

function placeOf(column: ColumnLineage, statement: StatementLineage): string {
  return position(statement.file, column.span ?? statement.span)
}
