/**
 * A node's configuration as dbt adds it up: folders of `dbt_project.yml` from the outermost in, then the node's YAML, then
 * its own `config(…)`. The nearer one wins.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts'
import { isHook, statements } from './hooks.ts'
import { objectAt } from './project-file.ts'

export type NodeConfig = Readonly<Record<string, JsonValue>>

/**
 * Configuration of the folders that a node lies in.
 * @param tree `models:` of dbt_project.yml
 * @param path package, folders and name: `['shop', 'staging', 'stg_orders']`
 */
export function folderConfig(tree: JsonObject, path: readonly string[]): NodeConfig {
  const config: Record<string, JsonValue> = {}
  let level: JsonObject | undefined = tree
  for (const step of ['', ...path]) {
    if (step !== '') {
      const next: JsonValue | undefined = level[step] ?? level[`+${step}`]
      level = isJsonObject(next) ? next : undefined
    }
    if (!level) break
    for (const [written, value] of Object.entries(level)) {
      const key = written.replace(/^\+/, '')
      if (isHook(key)) config[key] = [...statements(config[key]), ...statements(value)]
      else if (key !== written) config[key] = value
      else if (!isJsonObject(value) && !path.includes(key)) config[key] = value
    }
  }
  return config
}

/** Configuration in a node's YAML: under `config`, and the keys that older projects write beside it. */
export function yamlConfig(properties: JsonObject): NodeConfig {
  const beside = Object.fromEntries(
    ['materialized', 'schema', 'database', 'alias', 'enabled', 'identifier']
      .filter((key) => properties[key] !== undefined)
      .map((key) => [key, properties[key]!]),
  )
  return { ...beside, ...objectAt(properties, 'config') }
}

/** The text of a setting; undefined where it is not set to one. */
export function setting(config: NodeConfig, key: string): string | undefined {
  const value = config[key]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
