/** What DataHub's own sources were recorded to write (test/conformance/recordings/recipes.ndjson), to compare with ours. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, objectsAt, textAt, type JsonObject, type JsonValue } from '../../src/model/json.ts'
import type { TestCatalog } from './catalog.ts'

export interface WrittenAspect {
  readonly urn: string
  readonly name: string
  readonly value: JsonObject
}

interface Exchange {
  readonly scenario: string
  readonly request: { readonly path: string; readonly body: JsonValue }
  readonly response_needed: { readonly body: JsonValue }
}

const RECORDINGS = join(import.meta.dirname, '../conformance/recordings/recipes.ndjson')

function exchangesOf(scenario: string): readonly Exchange[] {
  return readFileSync(RECORDINGS, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange)
    .filter((exchange) => exchange.scenario === scenario)
}

/** Aspects that the source wrote, without those about the ingestion itself; of a PATCH the patch. */
export function recordedAspects(scenario: string): readonly WrittenAspect[] {
  return proposalsOf(scenario)
    .filter((proposal) => !(textAt(proposal, 'entityType') ?? '').startsWith('dataHub'))
    .map(writtenBy)
}

/** The recipe, as the source told it of itself. @param replace texts in it, by what stands in their place */
export function recordedRecipe(scenario: string, replace: Readonly<Record<string, string>>): string {
  const input = proposalsOf(scenario).find((one) => one['aspectName'] === 'dataHubExecutionRequestInput')
  if (input === undefined) throw new Error(`${scenario} tells no recipe`)
  const recipe = textAt(writtenBy(input).value['args'], 'recipe') ?? ''
  return Object.entries(replace).reduce((text, [from, to]) => text.replaceAll(from, to), recipe)
}

/** A columns' aspect that the stand-in answered with. */
export function answeredSchema(scenario: string): JsonObject {
  for (const { response_needed: answer } of exchangesOf(scenario)) {
    const [entity] = Array.isArray(answer.body) ? (answer.body as readonly JsonValue[]) : []
    const held = isJsonObject(entity) && isJsonObject(entity['schemaMetadata']) ? entity['schemaMetadata'] : undefined
    if (held !== undefined && isJsonObject(held['value'])) return held['value']
  }
  throw new Error(`${scenario} was answered no columns`)
}

function proposalsOf(scenario: string): readonly JsonObject[] {
  return exchangesOf(scenario).flatMap(({ request: { body } }) => {
    if (!isJsonObject(body)) return []
    return [...objectsAt(body, 'proposals'), ...(isJsonObject(body['proposal']) ? [body['proposal']] : [])]
  })
}

function writtenBy(proposal: JsonObject): WrittenAspect {
  const value = JSON.parse(textAt(proposal['aspect'], 'value') ?? '{}') as JsonObject
  return { urn: textAt(proposal, 'entityUrn') ?? '', name: textAt(proposal, 'aspectName') ?? '', value }
}

/** All that our catalog has of datasets and queries, events included. */
export async function storedAspects(catalog: TestCatalog): Promise<readonly WrittenAspect[]> {
  const found: WrittenAspect[] = []
  for (const type of ['dataset', 'query']) {
    const { json } = await catalog.call('GET', `/openapi/v3/entity/${type}?count=100&systemMetadata=false`)
    for (const entity of objectsAt(json, 'entities')) {
      const urn = textAt(entity, 'urn') ?? ''
      const aspects = Object.entries(entity).filter(([name]) => name !== 'urn' && !name.endsWith('Key'))
      found.push(...aspects.map(([name, held]) => ({ urn, name, value: (held as { value: JsonObject }).value })))
      for (const name of type === 'query' ? ['queryUsageStatistics'] : ['datasetUsageStatistics', 'operation']) {
        found.push(...(await eventsOf(catalog, { urn, entity: type, aspect: name })))
      }
    }
  }
  return found
}

async function eventsOf(
  catalog: TestCatalog,
  of: { readonly urn: string; readonly entity: string; readonly aspect: string },
): Promise<readonly WrittenAspect[]> {
  const { json } = await catalog.call('POST', '/aspects?action=getTimeseriesAspectValues', { ...of, limit: 100 })
  return objectsAt((json as JsonObject)['value'], 'values').map((row) => {
    const value = JSON.parse(textAt(row['aspect'], 'value') ?? '{}') as JsonObject
    return { urn: of.urn, name: of.aspect, value }
  })
}

/**
 * By entity and aspect, each as its leaves by path: queries are called by the first words of their statements, lists stand
 * in an order of their own, and times at which somebody happened to write are left out.
 */
export function comparable(aspects: readonly WrittenAspect[]): Readonly<Record<string, Leaves>> {
  const statements = aspects.flatMap(({ urn, name, value }) => {
    const sql = name === 'queryProperties' ? textAt(value['statement'], 'value') : undefined
    return sql === undefined ? [] : [[urn, `<${sql.split(' ', 2).join(' ')}>`] as const]
  })
  const named = (text: string): string =>
    statements
      .reduce((all, [urn, name]) => all.replaceAll(urn, name), text)
      .replaceAll(/\b(apply-plan|run)-\d{8}T\d{6}-\w+/g, '<run>')
  const counted = new Map<string, number>()
  const inOrder = aspects.toSorted(
    (a, b) => Number(a.value['lastUpdatedTimestamp'] ?? 0) - Number(b.value['lastUpdatedTimestamp'] ?? 0),
  )
  const entries = inOrder.map(({ urn, name, value }) => {
    const key = `${named(urn).replace(/^.*,(.*),PROD\)$/, '$1')} ${name}`
    const nth = (counted.get(key) ?? 0) + 1
    counted.set(key, nth)
    return [nth === 1 ? key : `${key} ${nth}`, leavesOf(JSON.parse(named(JSON.stringify(value))) as JsonValue)] as const
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

type Leaves = Readonly<Record<string, JsonValue>>

function leavesOf(value: JsonValue, path = ''): Leaves {
  if (path.endsWith('auditStamp.time')) return {}
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    return Object.assign({}, ...items.map((item, at) => leavesOf(item, `${path}[${at}]`))) as Leaves
  }
  if (!isJsonObject(value)) return { [path]: value }
  const inner = Object.entries(value).map(([key, child]) => leavesOf(child, path === '' ? key : `${path}.${key}`))
  return Object.assign({}, ...inner) as Leaves
}

/** Edges by what they come from, all else by all that it says. */
function orderOf(item: JsonValue): string {
  const key = isJsonObject(item) ? (item['upstreams'] ?? item['dataset']) : undefined
  return JSON.stringify(key ?? item)
}

/** `aspect path: theirs | ours` for each leaf that differs, of aspects that both have. */
export function differencesOf(theirs: readonly WrittenAspect[], ours: readonly WrittenAspect[]) {
  const [recorded, stored] = [comparable(theirs), comparable(ours)]
  return {
    onlyTheirs: Object.keys(recorded).filter((key) => !(key in stored)),
    onlyOurs: Object.keys(stored).filter((key) => !(key in recorded)),
    fields: Object.entries(recorded).flatMap(([key, leaves]) => {
      const mine = stored[key]
      if (mine === undefined) return []
      const paths = [...new Set([...Object.keys(leaves), ...Object.keys(mine)])]
      return paths
        .filter((path) => leaves[path] !== mine[path])
        .map((path) => `${key} ${path}: ${shown(leaves[path])} | ${shown(mine[path])}`)
    }),
  }
}

function shown(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return value === undefined ? '-' : text.replaceAll('urn:li:dataset:(urn:li:dataPlatform:hive,', '(')
}
