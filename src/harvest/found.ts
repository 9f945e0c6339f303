/** What a harvest found. */
import type { Ghost } from './catalog-names.ts'
import type { Coverage, PlatformCoverage, TableCoverage } from './coverage.ts'
import type { Doubt } from './account.ts'
import { type DatasetUrn, datasetParts } from '../model/urn.ts'

/** What a harvest found, complete once its intents are consumed. */
export interface HarvestReport {
  datasets: number
  datasetEdges: number
  columnEdges: number
  schemas: number
  /** Datasets that lost their edges, since the source no longer has them. */
  gone: number
  /** Edges that the source no longer has and that stay for now. */
  spared: number
  /** Files that are as they were when they were read last. */
  recalled: number
  /** Tables that nobody knows: all, and the first of them with names like theirs. */
  ghosts: number
  ghostList: readonly Ghost[]
  /** Edges that were left out since an end of theirs is not known. */
  unknownEdges: number
  coverage: Coverage
  platforms: readonly PlatformCoverage[]
  /** Tables with columns whose sources are not known, the worst first; the first of them. */
  unresolved: readonly TableCoverage[]
  /** Doubts about statements that were used all the same. */
  doubts: readonly Doubt[]
  doubtsByCode: Readonly<Record<string, number>>
}

/** An empty report to be filled. */
export function emptyReport(): HarvestReport {
  return {
    datasets: 0,
    datasetEdges: 0,
    columnEdges: 0,
    schemas: 0,
    gone: 0,
    spared: 0,
    recalled: 0,
    ghosts: 0,
    ghostList: [],
    unknownEdges: 0,
    coverage: { statements: 1, tables: 1, columns: 1 },
    platforms: [],
    unresolved: [],
    doubts: [],
    doubtsByCode: {},
  }
}

/** `platform:name`, as reports show a dataset. */
export function datasetName(urn: DatasetUrn): string {
  const { platform, name } = datasetParts(urn)
  return `${platform}:${name}`
}
