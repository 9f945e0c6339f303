import type { SystemMetadata } from '../../model/proposal.ts'
import type { AspectType } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import type { AspectRow } from '../../store/aspect-store.ts'
import type { Snapshot } from './snapshot.ts'
import type { Soon, StoredAspect, TimeseriesEvent, View } from './write.ts'

/** An aspect that the transaction changes. */
export interface DraftAspect {
  readonly urn: Urn
  readonly aspect: AspectType
  /** What was stored before the transaction. */
  readonly before: StoredAspect | undefined
  /** The new versions, oldest first. */
  readonly versions: readonly StoredAspect[]
}

export interface CreatedEntity {
  readonly urn: Urn
  readonly actor: Urn
  readonly systemMetadata: SystemMetadata | undefined
}

/** The state that a transaction will store: the snapshot, and the changes of every write that was accepted so far. */
export class Draft {
  readonly #snapshot: Snapshot
  readonly #aspects = new Map<string, DraftAspect>()
  readonly created = new Map<Urn, CreatedEntity>()
  readonly events: TimeseriesEvent[] = []

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  get aspects(): readonly DraftAspect[] {
    return [...this.#aspects.values()]
  }

  /** Whether the entity was soft-deleted before the transaction. */
  wasRemoved(urn: Urn): boolean {
    return this.#snapshot.loadedEntity(urn)?.removed ?? false
  }

  /** An aspect as it stands before the transaction; undefined where it does not. */
  rowBefore({ urn, aspect, before }: DraftAspect): AspectRow | undefined {
    return before === undefined ? undefined : this.#snapshot.loadedRow(urn, aspect.name)
  }

  /** A part for one write: it sees all that is accepted and its own changes; `accept()` makes them the draft's. */
  begin(): DraftPart {
    return new DraftPart(this, this.#snapshot, this.#aspects)
  }
}

class DraftPart implements View {
  readonly #draft: Draft
  readonly #snapshot: Snapshot
  readonly #accepted: Map<string, DraftAspect>
  readonly #own = new Map<string, DraftAspect>()
  readonly #created = new Map<Urn, CreatedEntity>()
  readonly #events: TimeseriesEvent[] = []

  constructor(draft: Draft, snapshot: Snapshot, accepted: Map<string, DraftAspect>) {
    this.#draft = draft
    this.#snapshot = snapshot
    this.#accepted = accepted
  }

  exists(urn: Urn): Soon<boolean> {
    if (this.#created.has(urn) || this.#draft.created.has(urn)) return true
    const entity = this.#snapshot.entity(urn)
    return entity instanceof Promise ? entity.then((row) => row !== undefined) : entity !== undefined
  }

  aspect(urn: Urn, name: string): Soon<StoredAspect | undefined> {
    const own = this.#find(urn, name)
    return own === undefined ? this.#snapshot.aspect(urn, name) : own.versions.at(-1)
  }

  /** Makes sure that the entity will exist. */
  touch(urn: Urn, actor: Urn, systemMetadata: SystemMetadata | undefined): Soon<void> {
    const create = (exists: boolean): void => {
      if (!exists) this.#created.set(urn, { urn, actor, systemMetadata })
    }
    const exists = this.exists(urn)
    return exists instanceof Promise ? exists.then(create) : create(exists)
  }

  /** Sets the next version of an aspect, which must have been asked for before. */
  put(urn: Urn, aspect: AspectType, next: StoredAspect, before?: StoredAspect): void {
    const known = this.#find(urn, aspect.name)
    this.#own.set(`${urn} ${aspect.name}`, {
      urn,
      aspect,
      before: known === undefined ? before : known.before,
      versions: [...(known?.versions ?? []), next],
    })
  }

  add(event: TimeseriesEvent): void {
    this.#events.push(event)
  }

  accept(): void {
    for (const [key, aspect] of this.#own) this.#accepted.set(key, aspect)
    for (const [urn, entity] of this.#created) this.#draft.created.set(urn, entity)
    this.#draft.events.push(...this.#events)
  }

  #find(urn: Urn, name: string): DraftAspect | undefined {
    const key = `${urn} ${name}`
    return this.#own.get(key) ?? this.#accepted.get(key)
  }
}
