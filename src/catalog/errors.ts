import { HeadwaterError } from '../model/errors.ts'
import type { Urn } from '../model/urn.ts'

/** An operation on an entity that does not exist (interface §7.1). `what` is the whole sentence. */
export class EntityNotFoundError extends HeadwaterError {
  readonly code = 'ENTITY_NOT_FOUND'
  readonly urn: Urn
  /** Existing entities with a similar URN. */
  readonly near: readonly Urn[]

  constructor(what: string, urn: Urn, near: readonly Urn[] = []) {
    super(near.length === 0 ? what : `${what} Did you mean ${near.join(' or ')}?`, {
      remedy: 'write the entity first, for example its properties, or correct the URN',
    })
    this.urn = urn
    this.near = near
  }
}

/** A write that breaks the rules of its aspect, of its entity's type or of a structured property. */
export class InvalidWriteError extends HeadwaterError {
  readonly code = 'INVALID_WRITE'
}

/** A structured property on an entity of a type that its definition does not name (contract §11). */
export class NotApplicableError extends HeadwaterError {
  readonly code = 'NOT_APPLICABLE'
}

/** A condition that the write itself named does not hold: version, time, or that nothing is there yet (contract §6). */
export class PreconditionError extends HeadwaterError {
  readonly code = 'PRECONDITION_FAILED'
}

/** A request whose parts do not fit together, for example half a column reference. */
export class BadRequestError extends HeadwaterError {
  readonly code = 'BAD_REQUEST'
}

/** More waits to be done than the service takes on; the same call later succeeds. */
export class BusyError extends HeadwaterError {
  readonly code = 'BUSY'
  override readonly retryable = true
}

/** Something that the interface names and that this service refuses on purpose. */
export class NotImplementedError extends HeadwaterError {
  readonly code = 'NOT_IMPLEMENTED'
}
