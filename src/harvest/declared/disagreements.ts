/** Declared lineage beside what the engine reads of the SQL: where the two differ, people should look. */
import { datasetEdges } from '../../sql/encode/dataset-edges.ts'
import type { ScriptLineage } from '../../sql/types.ts'
import { datasetParts, type DatasetUrn } from '../../model/urn.ts'
import type { Doubt } from '../account.ts'
import type { DatasetLineage } from '../fold.ts'
import type { Namer } from '../naming.ts'
import type { DeclaredLineage } from '../sql-unit.ts'

/** A log's entry states its tables, and its SQL says other ones. What the engine cannot read contradicts nothing. */
export function parsedDisagrees(
  { text, rules, upstreams, downstreams }: DeclaredLineage,
  parsed: ScriptLineage | undefined,
  namer: Namer,
): Doubt | undefined {
  const edges = parsed === undefined ? [] : datasetEdges(parsed).filter((edge) => edge.upstreams.length > 0)
  if (edges.length === 0) return undefined
  const named = (names: Iterable<string>): Set<DatasetUrn> =>
    new Set([...names].map((name) => namer.namedDataset(name, rules)))
  const stated = { from: named(upstreams), into: named(downstreams) }
  const read = {
    from: named(edges.flatMap((edge) => edge.upstreams)),
    into: named(edges.map((edge) => edge.downstream)),
  }
  const differences = [
    ...differenceLines('reads', stated.from, read.from),
    ...differenceLines('writes', stated.into, read.into),
  ]
  if (differences.length === 0) return undefined
  return {
    code: 'DECLARED_DIFFERS',
    message: `what the log states is not what the statement says: ${differences.join('; ')}; the log's word counts`,
    place: { file: text.file, line: text.line },
  }
}

function differenceLines(
  verb: 'reads' | 'writes',
  stated: ReadonlySet<DatasetUrn>,
  read: ReadonlySet<DatasetUrn>,
): readonly string[] {
  const [onlyStated, onlyRead] = [stated.difference(read), read.difference(stated)]
  return [
    ...(onlyStated.size === 0 ? [] : [`only the log says that it ${verb} ${namesOf(onlyStated)}`]),
    ...(onlyRead.size === 0 ? [] : [`only the SQL says that it ${verb} ${namesOf(onlyRead)}`]),
  ]
}

/** A lineage file says of a table what the SQL that fills it does not, or leaves out what it says. */
export function disagreements(
  parsed: ReadonlyMap<DatasetUrn, DatasetLineage>,
  declared: readonly DeclaredLineage[],
  namer: Namer,
): readonly Doubt[] {
  return declared.flatMap(({ text, rules, upstreams, downstreams }): readonly Doubt[] =>
    downstreams.flatMap((downstream) => {
      const read = parsed.get(namer.namedDataset(downstream, rules))?.upstreams
      if (read === undefined) return []
      const stated = new Set(upstreams.map((name) => namer.namedDataset(name, rules)))
      const differences = differenceLines('reads', stated, new Set(read.keys()))
      if (differences.length === 0) return []
      const of = datasetParts(namer.namedDataset(downstream, rules)).name
      const message = `${of}: ${differences.join('; ')}; both are kept`.replaceAll(
        'only the log',
        'only the lineage file',
      )
      return [{ code: 'DECLARED_DIFFERS', message, place: { file: text.file, line: text.line } }]
    }),
  )
}

function namesOf(urns: ReadonlySet<DatasetUrn>): string {
  const names = [...urns].map((urn) => datasetParts(urn).name).toSorted()
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
