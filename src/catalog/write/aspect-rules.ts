/** Rules that look beyond a single value: at the stored version, or at other entities. One entry an aspect. */
import type { JsonObject } from '../../model/json.ts'
import type { EntityType } from '../../model/registry/registry.ts'
import type { Urn } from '../../model/urn.ts'
import { DEFINITION_RULES } from '../properties/definition-rules.ts'
import { VALUE_RULES } from '../properties/value-rules.ts'
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

const NO_RULES: AspectRules = { reads: () => [], check() {} }

export function aspectRules(aspect: string): AspectRules {
  if (aspect === 'propertyDefinition') return DEFINITION_RULES
  return aspect === 'structuredProperties' ? VALUE_RULES : NO_RULES
}
