/** All rows of one entity to one set of edits; says of each row what became of it. */
import { simpleFieldPath } from '../model/field-path.ts'
import { didYouMean } from '../model/near.ts'
import { entityTypeOf, type Urn } from '../model/urn.ts'
import { descriptionAspect, type EntityEdits } from './aspects.ts'
import { joinEdits, type EditRow, type Edits } from './edits.ts'
import { RowError, type RowProblem } from './errors.ts'
import type { EntityRows } from './group.ts'

/** What is known of the entity before its rows are folded. */
export interface EntityFacts {
  /** Simple field paths; undefined where the catalog has no schema of it. */
  readonly columns: ReadonlySet<string> | undefined
  readonly isSingle: (property: string) => boolean
}

export interface FoldedEntity {
  readonly edits: EntityEdits
  readonly used: number
  readonly duplicate: number
  /** Rows that name the entity and ask for nothing. */
  readonly noEffect: number
  readonly rejected: readonly { readonly row: EditRow; readonly problem: RowProblem }[]
}

export function foldEntity({ urn, rows }: EntityRows, facts: EntityFacts): FoldedEntity {
  const seen = new Set<string>()
  const columns = new Map<string, Edits>()
  const rejected: { row: EditRow; problem: RowProblem }[] = []
  const said = new Said()
  let own: Edits = {}
  let used = 0
  let duplicate = 0
  let noEffect = 0
  for (const row of rows) {
    const identity = JSON.stringify([row.fieldPath, row.edits])
    if (Object.keys(row.edits).length === 0) noEffect++
    else if (seen.has(identity)) duplicate++
    else {
      try {
        const path = checkRow(urn, row, facts)
        const joined = join(path === undefined ? own : (columns.get(path) ?? {}), row, facts, said)
        if (path === undefined) own = joined
        else columns.set(path, joined)
        said.add(row)
        seen.add(identity)
        used++
      } catch (error) {
        if (!(error instanceof RowError)) throw error
        rejected.push({ row, problem: error.problem })
      }
    }
  }
  return { edits: { urn, own, columns }, used, duplicate, noEffect, rejected }
}

/** @returns the column's path; undefined for the entity itself */
function checkRow(urn: Urn, row: EditRow, facts: EntityFacts): string | undefined {
  const { fieldPath } = row
  if (fieldPath === undefined) {
    if (row.edits.description !== undefined && descriptionAspect(entityTypeOf(urn)) === undefined) {
      throw new RowError('NOT_APPLICABLE', `the description of a ${entityTypeOf(urn)} cannot be edited`, 'description')
    }
    return undefined
  }
  const simple = simpleFieldPath(fieldPath)
  if (facts.columns !== undefined && !facts.columns.has(simple)) {
    const hint = didYouMean(simple, facts.columns)
    throw new RowError('UNKNOWN_COLUMN', `${urn} has no column ${JSON.stringify(simple)}${hint}`, 'subresource')
  }
  return fieldPath
}

function join(before: Edits, row: EditRow, facts: EntityFacts, said: Said): Edits {
  const joined = joinEdits(before, row.edits, facts.isSingle)
  if (!('contradiction' in joined)) return joined
  const { contradiction } = joined
  const column = CSV_COLUMN[contradiction] ?? contradiction
  throw new RowError('CONTRADICTING_ROWS', `${said.where(row, contradiction)} says something else`, column)
}

/** What the CSV calls it. */
const CSV_COLUMN: Readonly<Record<string, string>> = { terms: 'glossary_terms' }

/** Where each thing was said last, for the message that a later row contradicts it. */
class Said {
  readonly #places = new Map<string, string>()

  add(row: EditRow): void {
    const { properties = {}, ...others } = row.edits
    for (const name of [...Object.keys(others), ...Object.keys(properties)]) {
      this.#places.set(keyOf(row, name), `line ${row.line}`)
    }
  }

  where(row: EditRow, name: string): string {
    return this.#places.get(keyOf(row, name)) ?? 'an earlier row'
  }
}

function keyOf({ fieldPath = '' }: EditRow, name: string): string {
  return `${fieldPath} ${name}`
}
