/**
 * A snapshot's table: the query's columns, and those that dbt adds to tell the versions of a row apart. Their sources
 * follow the strategy: by timestamp, or by comparing columns.
 */

import type { JsonValue } from '../../model/json.ts'
import { identifierText } from './show.ts'
import { MappedText } from './source-map.ts'
import type { TemplateVariant } from './read-template.ts'

type Config = Readonly<Record<string, JsonValue>>

/** The variant with dbt's columns around its query. */
export function snapshotOf({ sql, map }: TemplateVariant, config: Config): TemplateVariant {
  const end = sql.search(/[\s;]*$/)
  const wrapped = new MappedText()
  wrapped.make(`select snapshot_rows.*, ${addedColumns(config)} from (`, map.startOf(0), map.startOf(0))
  wrapped.takeMapped(sql.slice(0, end), map)
  wrapped.make('\n) as snapshot_rows', map.endOf(end), map.endOf(end))
  return { sql: wrapped.toString(), map: wrapped }
}

function addedColumns(config: Config): string {
  const names = config['snapshot_meta_column_names']
  const named = (name: string) => {
    const other =
      typeof names === 'object' && names !== null && !Array.isArray(names) ? (names as Config)[name] : undefined
    return identifierText(typeof other === 'string' ? other : name)
  }
  const changed =
    config['strategy'] === 'timestamp' && typeof config['updated_at'] === 'string' ? config['updated_at'] : 'null'
  const keys = uniqueKeys(config['unique_key'])
  const identity = [...keys, ...(changed === 'null' ? [] : [changed])]
  return [
    `md5(concat(${identity.length > 0 ? identity.join(', ') : 'null'})) as ${named('dbt_scd_id')}`,
    `cast(${changed} as timestamp) as ${named('dbt_updated_at')}`,
    `cast(${changed} as timestamp) as ${named('dbt_valid_from')}`,
    `cast(null as timestamp) as ${named('dbt_valid_to')}`,
  ].join(', ')
}

function uniqueKeys(key: JsonValue | undefined): readonly string[] {
  const keys = Array.isArray(key) ? (key as readonly JsonValue[]) : [key]
  return keys.filter((one): one is string => typeof one === 'string')
}
