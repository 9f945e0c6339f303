/**
 * CSV files to changes of a catalog:
 *
 *     file ─► rows ─► edits ─► rows of one entity together ─► checked against the catalog ─► changes
 *               │       │                                        │
 *               └───────┴──────── rejected, each with place and reason ┘
 *
 * Every row ends in exactly one of used, duplicate, no effect, rejected.
 */
import type { AspectChange } from '../client/change.ts'
import { type AspectKey, type StoredAspect, aspectId } from '../client/sink.ts'
import { simpleFieldPath } from '../model/field-path.ts'
import { objectsAt, textAt } from '../model/json.ts'
import { entityTypeNamed } from '../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../model/urn.ts'
import { type Merges, changesOf } from './aspects.ts'
import type { RowProblem } from './errors.ts'
import { foldEntity } from './fold.ts'
import { groupByEntity, type EntityRows } from './group.ts'
import type { Header } from './header.ts'
import { NearEntities } from './near-entities.ts'
import { readRows, type Learnt } from './read-rows.ts'
import { rejectAll, rejectOf } from './reject.ts'
import { mergesOf } from './planned.ts'
import { foldStrictly, strictChangesOf } from './strict.ts'
import type { ImportContext, ImportSettings } from './import-context.ts'

/** Entities that are checked against the catalog in one call. */
const ENTITIES_A_CHECK = 100

/** @throws HeaderError, UnknownPropertyError, SourceUnreadableError, WrongEncodingError; what reading the catalog throws */
export async function* importChanges(settings: ImportSettings, context: ImportContext): AsyncGenerator<AspectChange> {
  const learnt: Learnt = {
    definitions: new Map(settings.definitions.map((definition) => [definition.urn, definition])),
    headers: new Map<string, Header>(),
  }
  const { sink } = context
  const known: Known = {
    ...learnt,
    near: new NearEntities(sink.scrollDatasets?.bind(sink)),
    merges: mergesOf({ ...settings, stamp: context.stamp }),
    named: new Set(),
  }
  for await (const entities of groupByEntity(readRows(settings, context, learnt), { folder: context.folder })) {
    for (let from = 0; from < entities.length; from += ENTITIES_A_CHECK) {
      yield* await foldEntities(entities.slice(from, from + ENTITIES_A_CHECK), settings, context, known)
    }
  }
}

/** What folding goes by. */
interface Known extends Learnt {
  readonly near: NearEntities
  readonly merges: Merges
  /** Tags and terms that a strict import has made. */
  readonly named: Set<string>
}

async function foldEntities(
  entities: readonly EntityRows[],
  settings: ImportSettings,
  context: ImportContext,
  { definitions, headers, near, merges, named }: Known,
): Promise<readonly AspectChange[]> {
  const strict = settings.compat === 'strict'
  const keys = entities.flatMap((entity) => factsNeeded(entity, settings))
  const stored = keys.length === 0 ? new Map<string, StoredAspect>() : await context.sink.read(keys, context.signal)
  const isSingle = (property: string): boolean => definitions.get(property as Urn)?.single === true
  const changes: AspectChange[] = []
  const sum = { used: 0, duplicate: 0, noEffect: 0 }
  for (const entity of entities) {
    if (settings.missing !== 'create' && !exists(entity.urn, stored)) {
      await dropMissing(entity, settings, context, { headers, near })
    } else if (strict) {
      sum.used += entity.rows.length
      changes.push(...strictChangesOf(foldStrictly(entity, settings.mode), merges, named))
    } else {
      const folded = foldEntity(entity, { columns: columnsOf(entity.urn, stored), isSingle })
      sum.used += folded.used
      sum.duplicate += folded.duplicate
      sum.noEffect += folded.noEffect
      const rejected = folded.rejected.map(({ row, problem }) => rejectOf(row, problem, headers.get(row.file)))
      await rejectAll(context, rejected)
      changes.push(...changesOf(folded.edits, merges))
    }
  }
  context.records(sum)
  return changes
}

function factsNeeded({ urn, rows }: EntityRows, { missing, compat }: ImportSettings): readonly AspectKey[] {
  const needsColumns = compat !== 'strict' && rows.some((row) => row.fieldPath !== undefined)
  return [
    ...(missing === 'create' ? [] : [{ urn, aspectName: keyAspectOf(urn) }]),
    ...(needsColumns ? [{ urn, aspectName: 'schemaMetadata' }] : []),
  ]
}

/** Every entity has its key aspect, so that one says whether the entity exists (contract §2.1). */
function keyAspectOf(urn: Urn): string {
  const entityType = entityTypeOf(urn)
  return entityTypeNamed(entityType)?.keyAspect ?? `${entityType}Key`
}

function exists(urn: Urn, stored: ReadonlyMap<string, StoredAspect>): boolean {
  return stored.has(aspectId({ urn, aspectName: keyAspectOf(urn) }))
}

async function dropMissing(
  { urn, rows }: EntityRows,
  settings: ImportSettings,
  context: ImportContext,
  { headers, near }: { readonly headers: ReadonlyMap<string, Header>; readonly near: NearEntities },
): Promise<void> {
  if (settings.missing === 'skip') return context.records({ noEffect: rows.length })
  const problem: RowProblem = {
    code: 'ENTITY_NOT_FOUND',
    message: `the catalog has no ${urn}${await near.hint(urn, context.signal)}`,
    column: 'resource',
  }
  const rejected = rows.map((row) => rejectOf(row, problem, headers.get(row.file)))
  await rejectAll(context, rejected)
}

function columnsOf(urn: Urn, stored: ReadonlyMap<string, StoredAspect>): ReadonlySet<string> | undefined {
  const schema = stored.get(aspectId({ urn, aspectName: 'schemaMetadata' }))
  if (schema === undefined) return undefined
  const fields = objectsAt(schema.value, 'fields')
  return new Set(fields.map((field) => simpleFieldPath(textAt(field, 'fieldPath') ?? '')))
}
