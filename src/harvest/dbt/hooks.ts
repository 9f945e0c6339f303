/**
 * Statements that a project runs beside its models: before and after a model (`pre-hook`, `post-hook`, in the
 * configuration of folders and of the model, which add up), and around a whole run (`on-run-start`, `on-run-end`).
 */
import { isJsonObject, type JsonValue, textAt } from '../../model/json.ts'
import type { NodeConfig } from './config.ts'

export type HookPlace = 'pre' | 'post'

/** Whether a setting holds hooks: templates that are read when they run, not before. */
export function isHook(key: string): boolean {
  return /^(?:pre|post)[-_]hook$/.test(key)
}

/** One configuration of several, the nearest last: each setting as the nearest says it, and the hooks of all. */
export function mergedConfig(configs: readonly NodeConfig[]): NodeConfig {
  const merged: Record<string, JsonValue> = Object.assign({}, ...configs)
  for (const place of ['pre', 'post'] as const) {
    const all = configs.flatMap((config) => hooksOf(config, place))
    delete merged[`${place}_hook`]
    if (all.length > 0) merged[`${place}-hook`] = all
  }
  return merged
}

/** The statements of a configuration, as templates. */
export function hooksOf(config: NodeConfig, place: HookPlace): readonly string[] {
  return [config[`${place}-hook`], config[`${place}_hook`]].flatMap(statements)
}

/** A statement, or several; each as text or under `sql`. */
export function statements(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(statements)
  return isJsonObject(value) ? statements(textAt(value, 'sql')) : []
}
