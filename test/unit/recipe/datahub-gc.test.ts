import { expect, test } from 'vitest'
import { readRecipe, type RecipeRun } from '../../../src/recipe/recipe.ts'

const gc = (config: string, rest = ''): RecipeRun =>
  readRecipe(`source: { type: datahub-gc, config: { ${config} } }\n${rest}`, 'gc.yaml', {})

test('dry_run covers the truncation', () => {
  expect(gc('truncate_indices: true, dry_run: true').mode).toBe('plan')
  expect(gc('truncate_indices: true').mode).toBeUndefined()
})

test('nothing is truncated unless that is written down', () => {
  const run = gc('truncate_index_older_than_days: 10')
  expect(run.input).toEqual({ inlinePolicy: { keepDaysFloor: 7, rules: [] } })
  expect(run.notes).toEqual(['nothing is truncated: that asks for truncate_indices: true'])
})

test('the five indexes go by its days, each decided by a person', () => {
  const { input, notes } = gc('truncate_indices: true, truncation_watch_until: 5, truncation_sleep_between_seconds: 1')
  const { rules } = input['inlinePolicy'] as { readonly rules: readonly Record<string, unknown>[] }
  expect(rules).toHaveLength(5)
  for (const rule of rules) expect(rule).toMatchObject({ keepDays: 30, decide: 'ask' })
  expect(notes).toHaveLength(1)
})

test('days of single aspects come before those of all', () => {
  const { input } = gc(
    'truncate_indices: true, truncate_aspect_retentions: [{ entity_type: dataset, aspect: operation, days: 3 }]',
  )
  expect(input['inlinePolicy']).toMatchObject({
    keepDaysFloor: 3,
    rules: [
      { entityType: 'dataset', aspect: 'operation', keepDays: 3 },
      { aspect: 'operation', keepDays: 30 },
      {},
      {},
      {},
      {},
    ],
  })
})

test('what else that source cleans is noted, not done; its catalog stands in datahub_api', () => {
  const run = gc(
    'cleanup_expired_tokens: true, dataprocess_cleanup: { enabled: true }, query_cleanup: { enabled: false }',
    'datahub_api: { server: "http://gms:8080", token: t }',
  )
  expect(run).toMatchObject({ sink: { kind: 'catalog', catalog: { server: 'http://gms:8080', token: 't' } } })
  expect(run.notes).toEqual([
    'nothing is truncated: that asks for truncate_indices: true',
    'cleanup_expired_tokens is not carried out',
    'dataprocess_cleanup is not carried out',
  ])
})

test('an unknown key is refused', () => {
  expect(() => gc('truncate_indexes: true')).toThrow(/did you mean "truncate_indices"/)
})
