/**
 * Carries out writes, many in one transaction:
 *
 *   intern URNs ─► begin ─► lock entities in id order ─► read what is stored ─► each write on its own draft
 *     ─► entities, aspects with history, events, search fields, relationships, edges with their log ─► commit
 *
 * A write that is refused leaves nothing behind and does not hinder the others. Locks are taken on all entities before
 * anything is read, so changes of one entity follow each other and versions have no gaps.
 */
import { canonicalJson, sameJson } from '../../model/json.ts'
import { entityTypeNamed } from '../../model/registry/registry.ts'
import { entityTypeOf, type Urn } from '../../model/urn.ts'
import type { Clock } from '../../observe/clock.ts'
import { addEntities, lockEntities, writeAspects, type AspectRow } from '../../store/aspect-store.ts'
import { transaction, type Database, type Queryable, type Transaction } from '../../store/database.ts'
import { changeEdges, changeRelationships } from '../../store/edge-store.ts'
import { sqlState } from '../../store/errors.ts'
import type { LogKeeper } from '../../store/lineage-log.ts'
import { changeFields } from '../../store/search-store.ts'
import { writeEvents, type EventRow } from '../../store/timeseries-store.ts'
import type { UrnIds } from '../../store/urn-ids.ts'
import { fieldsOfUrn } from '../search/fields.ts'
import { Draft, type DraftAspect } from './draft.ts'
import { followUps } from './follow-ups.ts'
import { Snapshot } from './snapshot.ts'
import type { ChangeResult, Write, WriteOutcome } from './write.ts'

export interface CommitPorts {
  readonly database: Database
  readonly urnIds: UrnIds
  readonly clock: Clock
  readonly log: LogKeeper
}

/** Deadlock and serialization failures; locks are ordered, so these come from elsewhere (a person's own session). */
const TRY_AGAIN = new Set(['40001', '40P01'])
const MAX_ATTEMPTS = 4

/** What is stored in the same transaction as the writes, whatever their outcomes. */
type Also = (tx: Queryable, outcomes: readonly WriteOutcome[]) => Promise<void>

/** @returns one outcome for each write, in order. Throws only when the database fails, and then nothing was written. */
export async function commit(
  ports: CommitPorts,
  writes: readonly Write[],
  also?: Also,
): Promise<readonly WriteOutcome[]> {
  let mentions = writes.flatMap((write) => [...urnsOf(write), ...(write.mentions ?? [])])
  for (let attempt = 1; ; attempt++) {
    await ports.urnIds.intern(mentions)
    try {
      const { outcomes, logged } = await transaction(ports.database, (tx) => attemptCommit(ports, tx, writes, also))
      ports.log.added(logged)
      return outcomes
    } catch (error) {
      if (error instanceof UrnsNotInternedError) mentions = [...error.urns]
      else if (attempt >= MAX_ATTEMPTS || !TRY_AGAIN.has(sqlState(error) ?? '')) throw error
    }
  }
}

/** The new values point to URNs that have no id yet; they are interned outside of the transaction, which then starts over. */
class UrnsNotInternedError extends Error {
  readonly urns: readonly Urn[]
  constructor(urns: readonly Urn[]) {
    super(`${urns.length} URNs have no id yet`)
    this.urns = urns
  }
}

interface Attempt {
  readonly outcomes: readonly WriteOutcome[]
  /** Lines added to the log of lineage. */
  readonly logged: number
}

async function attemptCommit(
  ports: CommitPorts,
  tx: Transaction,
  writes: readonly Write[],
  also: Also | undefined,
): Promise<Attempt> {
  const targets = await ports.urnIds.find(writes.flatMap(urnsOf), tx)
  const snapshot = new Snapshot(ports.urnIds, tx)
  // Sent together and carried out one after the other: what is read was committed before the locks were had.
  await Promise.all([
    lockEntities(
      tx,
      [...targets.values()].toSorted((a, b) => a - b),
    ),
    snapshot.load(
      [...targets.keys(), ...writes.flatMap((write) => write.reads?.entities ?? [])],
      writes.flatMap((write) => [
        ...write.changes.map((change) => ({ urn: change.urn, name: change.aspect.name })),
        ...(write.reads?.aspects ?? []),
      ]),
    ),
  ])
  const draft = new Draft(snapshot)
  const nowMs = ports.clock.now()
  const outcomes: WriteOutcome[] = []
  for (const write of writes) outcomes.push(await carryOut(draft, write, nowMs))
  await also?.(tx, outcomes)
  return { outcomes, logged: await persist(ports, tx, draft, nowMs) }
}

/** What the writes would come to at this moment, one after the other; nothing is locked, nothing is stored. */
export async function rehearse(
  { database, urnIds, clock }: Pick<CommitPorts, 'database' | 'urnIds' | 'clock'>,
  writes: readonly Write[],
): Promise<readonly WriteOutcome[]> {
  const draft = new Draft(new Snapshot(urnIds, database))
  const outcomes: WriteOutcome[] = []
  for (const write of writes) outcomes.push(await carryOut(draft, write, clock.now()))
  return outcomes
}

async function carryOut(draft: Draft, write: Write, nowMs: number): Promise<WriteOutcome> {
  const part = draft.begin()
  try {
    // Most is at hand; waiting for it all the same would cost a small write as much as what it does.
    const checked = write.check?.(part)
    if (checked instanceof Promise) await checked
    const results: ChangeResult[] = []
    for (const change of write.changes) {
      const found = part.aspect(change.urn, change.aspect.name)
      const stored = found instanceof Promise ? await found : found
      const next = change.next(stored, part)
      const proposed = next instanceof Promise ? await next : next
      // A key aspect is made from its URN: writing it creates the entity and changes nothing else.
      const value = change.aspect.kind === 'key' ? undefined : proposed
      const touched = { urn: change.urn, aspect: change.aspect.name }
      const touching = part.touch(change.urn, write.actor, change.systemMetadata)
      if (touching instanceof Promise) await touching
      if (value === undefined || (stored !== undefined && sameJson(stored.value, value))) {
        results.push({ ...touched, outcome: 'unchanged', stored })
        continue
      }
      const version = {
        value,
        version: (stored?.version ?? 0) + 1,
        systemMetadata: change.systemMetadata ?? {},
        writtenMs: nowMs,
        writtenBy: write.actor,
      }
      part.put(change.urn, change.aspect, version, stored)
      results.push({ ...touched, outcome: 'written', stored: version })
    }
    for (const event of write.events ?? []) {
      await part.touch(event.urn, write.actor, event.systemMetadata)
      part.add(event)
      results.push({ urn: event.urn, aspect: event.aspect.name, outcome: 'written', stored: undefined })
    }
    part.accept()
    return { ok: true, results }
  } catch (error) {
    if (sqlState(error) !== undefined) throw error
    return { ok: false, error }
  }
}

/** @returns the number of lines added to the log of lineage */
async function persist(ports: CommitPorts, tx: Transaction, draft: Draft, nowMs: number): Promise<number> {
  const changed = draft.aspects.filter((aspect) => aspect.versions.length > 0)
  const created = [...draft.created.values()]
  if (changed.length === 0 && created.length === 0 && draft.events.length === 0) return 0
  const follow = followUps(changed)
  const ids = await ports.urnIds.find(
    [
      ...follow.urns,
      ...changed.map((aspect) => aspect.urn),
      ...created.map((entity) => entity.urn),
      ...draft.events.map((event) => event.urn),
    ],
    tx,
  )
  const missing = follow.urns.filter((urn) => !ids.has(urn))
  if (missing.length > 0) throw new UrnsNotInternedError(missing)
  const idOf = (urn: Urn): number => ids.get(urn) ?? Number.NaN

  const entities = created.map(({ urn, actor, systemMetadata }) => ({
    urnId: idOf(urn),
    entityType: entityTypeNamed(entityTypeOf(urn))?.name ?? entityTypeOf(urn),
    removed: follow.removed.get(urn) ?? false,
    createdMs: nowMs,
    createdBy: actor,
    systemMetadata: systemMetadata === undefined ? null : JSON.stringify(systemMetadata),
    fields: { ...fieldsOfUrn(urn), ...follow.fields.get(urn)?.set },
  }))
  addEntities(
    tx,
    entities.toSorted((a, b) => a.urnId - b.urnId),
  )
  const rows = changed.map((aspect) => {
    const before = draft.rowBefore(aspect)
    const versions = rowsOf(aspect, idOf(aspect.urn), nowMs)
    return { key: idOf(aspect.urn), versions: before === undefined ? versions : [before, ...versions] }
  })
  const nameOf = ({ versions }: (typeof rows)[number]) => versions[0]?.name ?? ''
  const sorted = rows.toSorted((a, b) => a.key - b.key || nameOf(a).localeCompare(nameOf(b)))
  writeAspects(
    tx,
    sorted.flatMap(({ versions }) => versions.slice(-1)),
    sorted.flatMap(({ versions }) => versions.slice(0, -1)),
  )
  writeEvents(
    tx,
    draft.events.map((event) => eventRow(event, idOf(event.urn))),
  )
  changeFields(
    tx,
    [...follow.fields].flatMap(([urn, change]) => {
      if (draft.created.has(urn)) return []
      const removed = follow.removed.get(urn) ?? draft.wasRemoved(urn)
      return [{ urnId: idOf(urn), dropped: change.dropped, set: change.set, removed }]
    }),
  )
  changeRelationships(tx, {
    added: follow.relationships.added.map((link) => ({
      ...link,
      sourceId: idOf(link.source),
      destId: idOf(link.dest),
    })),
    removed: follow.relationships.removed.map((link) => ({
      ...link,
      sourceId: idOf(link.source),
      destId: idOf(link.dest),
    })),
  })
  const edge = (e: { owner: Urn; kind: number; up: Urn; down: Urn }) => ({
    ownerId: idOf(e.owner),
    kind: e.kind,
    upId: idOf(e.up),
    downId: idOf(e.down),
  })
  return changeEdges(tx, {
    added: follow.edges.added.map(edge),
    removed: follow.edges.removed.map(edge),
    visibility: visibilityChanges(
      draft,
      follow.removed,
      created.map((entity) => entity.urn),
    ).map(({ urn, change }) => ({
      urnId: idOf(urn),
      change,
    })),
  })
}

/** Entities that began or ceased to be seen: created and not soft-deleted, soft-deleted, or brought back. */
function visibilityChanges(draft: Draft, removed: ReadonlyMap<Urn, boolean>, created: readonly Urn[]) {
  const began = created.filter((urn) => removed.get(urn) !== true)
  const changed = [...removed].filter(([urn, now]) => !draft.created.has(urn) && draft.wasRemoved(urn) !== now)
  return [
    ...began.map((urn) => ({ urn, change: 1 as const })),
    ...changed.map(([urn, now]) => ({ urn, change: now ? (-1 as const) : (1 as const) })),
  ]
}

/** The rows of an aspect's versions in this transaction, oldest first; all but the last go straight to the history. */
function rowsOf(aspect: DraftAspect, urnId: number, nowMs: number): AspectRow[] {
  return aspect.versions.map((version) => ({
    urnId,
    name: aspect.aspect.name,
    version: version.version,
    body: JSON.stringify(version.value),
    systemMetadata: JSON.stringify(version.systemMetadata),
    runId: version.systemMetadata.runId ?? null,
    writtenMs: version.writtenMs,
    writtenBy: version.writtenBy,
    createdMs: nowMs,
  }))
}

function eventRow(event: Draft['events'][number], urnId: number): EventRow {
  const { value } = event
  const part = (key: string): string => (value[key] === undefined ? '' : canonicalJson(value[key]))
  return {
    entityType: entityTypeNamed(entityTypeOf(event.urn))?.name ?? entityTypeOf(event.urn),
    aspect: event.aspect.name,
    urnId,
    timestampMs: Number(value.timestampMillis),
    key: [part('eventGranularity'), part('partitionSpec'), part('messageId')].join('|').replace(/^\|+$/, ''),
    body: JSON.stringify(value),
    systemMetadata: event.systemMetadata === undefined ? null : JSON.stringify(event.systemMetadata),
  }
}

function urnsOf(write: Write): readonly Urn[] {
  return [...write.changes.map((change) => change.urn), ...(write.events ?? []).map((event) => event.urn)]
}
