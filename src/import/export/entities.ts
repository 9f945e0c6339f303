/** Entities of a catalog with the aspects that an export needs: from its export stream, or page by page. */
import type { CatalogClient } from '../../client/catalog-client.ts'
import { RefusedError } from '../../client/errors.ts'
import { decodeMcpLine } from '../../client/export/mcp-line.ts'
import { HeadwaterError } from '../../model/errors.ts'
import { textAt, type JsonObject } from '../../model/json.ts'
import { linesOf } from '../../model/lines.ts'
import { aspectNamed, carries, entityTypeNamed } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import { decodeUtf8 } from '../../model/utf8.ts'
import { descriptionAspect } from '../aspects.ts'
import { EXPORTED_ASPECTS, type ExportEntity } from './rows.ts'

/** Types that people put tags, owners and properties on; a catalog that does not know one is passed over. */
const TYPES = [
  'structuredProperty', // definitions first: values are written by them
  'dataset',
  'schemaField',
  'chart',
  'dashboard',
  'dataFlow',
  'dataJob',
  'container',
  'mlModel',
  'mlFeature',
  'mlFeatureTable',
  'mlModelGroup',
  'glossaryTerm',
  'domain',
  'dataProduct',
] as const

/** How the entities are got at, for the report. */
export type EntitySource = 'export stream' | 'scroll'

/** Our own catalog streams everything; any other is scrolled through, type by type. */
export async function entitiesOf(
  client: CatalogClient,
  signal?: AbortSignal,
): Promise<{ readonly source: EntitySource; readonly entities: AsyncIterable<ExportEntity> }> {
  const { abilities } = await client.config(signal)
  return abilities.has('export')
    ? { source: 'export stream', entities: streamed(client, signal) }
    : { source: 'scroll', entities: scrolled(client, signal) }
}

/** A stream that breaks is taken up after the last entity that was whole. */
async function* streamed(client: CatalogClient, signal: AbortSignal | undefined): AsyncGenerator<ExportEntity> {
  let after = ''
  for (;;) {
    const begun = after
    try {
      for await (const { entity, position } of wholeEntities(client.streamExport({ after, history: false }, signal))) {
        if (entity !== undefined) yield entity
        after = position ?? after
      }
      return
    } catch (error) {
      const goesOn = error instanceof HeadwaterError && error.retryable && after !== begun
      if (!goesOn) throw error
    }
  }
}

/** The lines of an entity stand together, positions come between entities; events are no matter of ours. */
async function* wholeEntities(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly entity?: ExportEntity; readonly position?: string }> {
  let open: { readonly urn: Urn; readonly aspects: Record<string, JsonObject> } | undefined
  let number = 0
  for await (const line of linesOf(decodeUtf8(bytes, STREAM))) {
    number++
    const position = line.startsWith('{"position":') ? positionOf(line) : undefined
    if (position !== undefined) {
      yield { ...(open === undefined ? {} : { entity: open }), position }
      open = undefined
      continue
    }
    const { entityUrn, aspectName, aspect } = decodeMcpLine(line, { file: STREAM, line: number })
    if (open !== undefined && open.urn !== entityUrn) yield { entity: open }
    if (open?.urn !== entityUrn) open = { urn: entityUrn, aspects: {} }
    if (aspect !== undefined && aspectNamed(aspectName)?.kind !== 'timeseries') open.aspects[aspectName] = aspect
  }
  if (open !== undefined) yield { entity: open }
}

const STREAM = "the catalog's export"

function positionOf(line: string): string | undefined {
  return textAt(JSON.parse(line), 'position')
}

async function* scrolled(client: CatalogClient, signal: AbortSignal | undefined): AsyncGenerator<ExportEntity> {
  for (const type of TYPES) {
    const entityType = entityTypeNamed(type)
    if (entityType === undefined) continue
    const aspects = [...EXPORTED_ASPECTS, descriptionAspect(type) ?? ''].filter((name) => carries(entityType, name))
    try {
      for await (const page of client.scrollEntities(type, aspects, signal)) yield* page
    } catch (error) {
      // A type, or an aspect of it, that this catalog does not know.
      if (!(error instanceof RefusedError)) throw error
    }
  }
}
