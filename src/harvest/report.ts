/** What a harvest has to say: for people and for programs. */
import { formatPlace } from '../model/errors.ts'
import type { JsonObject } from '../model/json.ts'
import { percent } from './page/blocks.ts'
import type { Doubt } from './account.ts'
import { datasetName, type HarvestReport } from './found.ts'

const DOUBTS_SHOWN = 20
const GHOSTS_SHOWN = 10

interface Records {
  readonly read: number
  readonly used: number
  readonly duplicate: number
  readonly noEffect: number
  readonly rejected: number
}

/** For people. */
export function foundLines(found: HarvestReport, records: Records): readonly string[] {
  const doubts = Object.entries(found.doubtsByCode).map(([code, count]) => `${count} × ${code}`)
  return [
    `${records.read} statements: ${records.used} used, ${records.duplicate} duplicate, ${records.noEffect} without lineage, ${records.rejected} not understood`,
    ...(found.recalled === 0 ? [] : [`${found.recalled} texts are as they were, and were not read again`]),
    ...(found.gone === 0 ? [] : [`${found.gone} datasets lose the edges that the source no longer has`]),
    ...(found.spared === 0 ? [] : [`${found.spared} edges that the source no longer has stay for now`]),
    `${found.datasetEdges} edges into ${found.datasets} datasets, ${found.columnEdges} between columns, ${found.schemas} schemas`,
    coverageLine(found),
    ...(found.unknownEdges === 0 ? [] : [`${found.unknownEdges} edges left out: an end of theirs is not known`]),
    ...ghostLines(found),
    ...(doubts.length === 0 ? [] : [`in doubt: ${doubts.join(', ')}`]),
    ...found.doubts.slice(0, DOUBTS_SHOWN).map((doubt) => `  ${doubtLine(doubt)}`),
  ]
}

function coverageLine({ coverage: { statements, tables, columns } }: HarvestReport): string {
  return `understood: ${percent(statements)} of statements, columns of ${percent(tables)} of tables, ${percent(columns)} of columns`
}

function ghostLines({ ghosts, ghostList }: HarvestReport): readonly string[] {
  if (ghosts === 0) return []
  const shown = ghostList.slice(0, GHOSTS_SHOWN).map(({ dataset, near }) => {
    return `  ${datasetName(dataset)}${near.length === 0 ? '' : `  (is there: ${near.join(', ')})`}`
  })
  const more = ghosts > shown.length ? [`  … and ${ghosts - shown.length} more`] : []
  return [`${ghosts} tables that neither the catalog nor any DDL knows`, ...shown, ...more]
}

function doubtLine({ code, message, place }: Doubt): string {
  const where = formatPlace(place)
  return where === '' ? `${code}: ${message}` : `${where}: ${code}: ${message}`
}

/** For programs. */
export function reportOf(source: string, found: HarvestReport): JsonObject {
  const { doubts, ghostList, doubtsByCode, coverage, platforms, unresolved, ...figures } = found
  return {
    source,
    ...figures,
    coverage: { ...coverage },
    platforms: platforms.map((platform) => ({ ...platform })),
    unresolved: unresolved.map((table) => ({ ...table })),
    doubtsByCode: { ...doubtsByCode },
    ghostList: ghostList.map(({ dataset, near }) => ({ dataset, near: [...near] })),
    doubts: doubts.slice(0, DOUBTS_SHOWN).map((doubt) => doubtLine(doubt)),
  }
}
