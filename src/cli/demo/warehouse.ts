/** The example warehouse as files: what the demo's jobs read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { asDatasetUrn, datasetUrn, type DatasetUrn } from '../../model/urn.ts'
import { packageFolder } from '../package-info.ts'

export interface Warehouse {
  readonly folder: string
  readonly queryLog: string
  readonly tagsCsv: string
  readonly propertiesCsv: string
  readonly tags: string
  readonly definitions: string
  readonly retentionPolicy: string
  /** Every table, from its row in the property CSV. */
  readonly tables: readonly DatasetUrn[]
}

/** Layers of its tables, the rawest first; the second part of a table's name says which. */
export const LAYERS = ['raw', 'staging', 'mart'] as const

/** The figure that the company looks at, and that the demo follows back. */
export const FOCUS = {
  dataset: datasetUrn({ platform: 'snowflake', name: 'commerce.mart.customer_profitability_monthly' }),
  column: 'margin_gbp',
} as const

export function exampleWarehouse(): Warehouse {
  const folder = join(packageFolder(), 'examples', 'warehouse')
  const propertiesCsv = join(folder, 'properties.csv')
  const rows: Record<string, string>[] = parse(readFileSync(propertiesCsv), { columns: true })
  return {
    folder,
    queryLog: join(folder, 'query-log.ndjson'),
    tagsCsv: join(folder, 'tags.csv'),
    propertiesCsv,
    tags: join(folder, 'tags.yaml'),
    definitions: join(folder, 'property-definitions.yaml'),
    retentionPolicy: join(folder, 'retention.yaml'),
    tables: rows.map((row) => asDatasetUrn(row['resource'] ?? '')),
  }
}
