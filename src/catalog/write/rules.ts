/** What a rule of an aspect is: it looks beyond a single value, at the stored version or at other entities. */
import type { JsonObject } from '../../model/json.ts'
import type { EntityType } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import type { AspectRef, StoredAspect, View } from './write.ts'

export interface AspectRules {
  /** Aspects that `check` will look at, as far as the proposed value tells. */
  reads(value: JsonObject): readonly AspectRef[]
  /** @throws InvalidWriteError */
  check(situation: {
    readonly urn: Urn
    readonly type: EntityType
    readonly next: JsonObject
    readonly stored: StoredAspect | undefined
    readonly view: View
  }): Promise<void> | void
}
