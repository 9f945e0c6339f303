/** The rules of each aspect that has some; one entry an aspect. */
import { DEFINITION_RULES } from '../properties/definition-rules.ts'
import { VALUE_RULES } from '../properties/value-rules.ts'
import type { AspectRules } from './rules.ts'

const NO_RULES: AspectRules = { reads: () => [], check() {} }

/** Whether an aspect has rules that look beyond its value. */
export const hasRules = (aspect: string): boolean => aspectRules(aspect) !== NO_RULES

export function aspectRules(aspect: string): AspectRules {
  if (aspect === 'propertyDefinition') return DEFINITION_RULES
  return aspect === 'structuredProperties' ? VALUE_RULES : NO_RULES
}
