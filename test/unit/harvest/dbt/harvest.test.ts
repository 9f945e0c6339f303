import { expect, test } from 'vitest'
import type { HarvestSettings } from '../../../../src/harvest/settings.ts'
import { harvested as harvestOf } from '../../../support/harvest.ts'
import { dbtProjectFolder } from '../../../support/dbt-projects.ts'
import { truthOf } from '../../../support/dbt-truth.ts'

interface UpstreamLineage {
  readonly upstreams: readonly { readonly dataset: string }[]
  readonly fineGrainedLineages?: readonly {
    readonly upstreams: readonly string[]
    readonly downstreams: readonly string[]
  }[]
}

/** Lineage that a harvest writes, by dataset; names as in `truth.txt`. */
async function harvested(settings: Partial<HarvestSettings> & Pick<HarvestSettings, 'source'>) {
  const { changes, rejects } = await harvestOf({ queries: false, adds: true, ...settings })
  const aspects = changes.map(({ urn, aspectName, intent }) => ({
    aspectName,
    entityUrn: urn as string,
    aspect: { json: intent as unknown as UpstreamLineage },
  }))
  const lineages = aspects.filter(({ aspectName }) => aspectName === 'upstreamLineage')
  return {
    rejects,
    tables: Object.fromEntries(
      lineages.map(({ entityUrn, aspect }) => [
        nameOf(entityUrn),
        aspect.json.upstreams.map(({ dataset }) => nameOf(dataset)).toSorted(),
      ]),
    ),
    columns: lineages
      .flatMap(({ aspect }) => aspect.json.fineGrainedLineages ?? [])
      .map(
        ({ downstreams, upstreams }) =>
          `${fieldOf(downstreams[0]!)} <- ${upstreams.map(fieldOf).toSorted().join(', ')}`,
      )
      .toSorted(),
  }
}

function nameOf(urn: string): string {
  return /dataPlatform:\w+,([^,]+),/.exec(urn)?.[1] ?? urn
}

function fieldOf(urn: string): string {
  return `${nameOf(urn)}.${/,([^,]+)\)$/.exec(urn)?.[1]}`
}

test('a project in a folder gives the lineage of its tables, without a word on platform or names', async () => {
  const truth = truthOf('bakery')
  const { tables, columns, rejects } = await harvested({ source: dbtProjectFolder('bakery') })
  expect(rejects).toEqual([])
  expect(tables).toEqual(Object.fromEntries(Object.entries(truth).map(([table, { inputs }]) => [table, inputs])))
  const known = Object.entries(truth).flatMap(([table, lineage]) =>
    Object.entries(lineage.columns)
      .filter(([column, sources]) => column !== '*' && sources.length > 0)
      .map(([column, sources]) => `${table}.${column} <- ${sources.join(', ')}`),
  )
  expect(columns).toEqual(known.toSorted())
}, 20_000)

test('platform and target may be given; a model that cannot be read is a reject', async () => {
  const source = dbtProjectFolder('clinic')
  const { tables, rejects } = await harvested({ source, platform: 'postgres', database: 'med', schema: 'clinic' })
  expect(tables['med.clinic.visit_results']).toEqual(['med.clinic.stg_lab_results', 'med.clinic.stg_visits'])
  expect(rejects.map(({ code, place }) => [code, place.file])).toEqual([
    ['SOURCE_UNREADABLE', 'models/marts/readmission_score.py'],
  ])
}, 20_000)
