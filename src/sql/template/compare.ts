/** Truth and comparison of values. What an unknown value keeps from being told is decided, once for each reading. */

import { equalityKey } from './decisions.ts'
import type { ComparisonOperator } from './expression.ts'
import type { TemplateHost } from './host.ts'
import { DictValue, hasHole, isKnown, keyOf, ListValue, RelationValue, Unknown, type Value } from './values.ts'

/** Whether a value counts as true; an unknown one is decided. */
export function truth(value: Value, host: TemplateHost): boolean {
  if (value instanceof Unknown) return host.decide(value.key)
  if (value instanceof RelationValue && value.uncertain) return host.decide(existenceKey(value))
  if (value instanceof ListValue) return value.items.length > 0
  if (value instanceof DictValue) return value.entries.size > 0 || value.missing !== undefined
  return Boolean(value)
}

/** Key of the condition that a relation is there. */
export function existenceKey(relation: RelationValue): string {
  return `exists ${keyOf(relation)}`
}

/** Compares two values; what cannot be told is decided. */
export function compare(operator: ComparisonOperator, left: Value, right: Value, host: TemplateHost): boolean {
  switch (operator) {
    case '==':
      return equal(left, right, host)
    case '!=':
      return !equal(left, right, host)
    case 'in':
      return contains(right, left, host)
    case 'not in':
      return !contains(right, left, host)
    default:
      return ordered(operator, left, right, host)
  }
}

function equal(left: Value, right: Value, host: TemplateHost): boolean {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ]) {
    if (one instanceof RelationValue && one.uncertain && other === null) return !host.decide(existenceKey(one))
  }
  const [leftKnown, rightKnown] = [isKnown(left), isKnown(right)]
  if (!leftKnown || !rightKnown) {
    const [a, b] = leftKnown ? [right, left] : [left, right]
    return host.decide(equalityKey(keyOf(a), keyOf(b)))
  }
  return keyOf(left) === keyOf(right)
}

function contains(list: Value, item: Value, host: TemplateHost): boolean {
  if (typeof list === 'string' && typeof item === 'string' && !hasHole(list) && !hasHole(item))
    return list.includes(item)
  if (list instanceof DictValue && typeof item === 'string' && !list.missing) return list.entries.has(item)
  if (list instanceof ListValue && isKnown(item)) {
    const key = keyOf(item)
    if (list.items.some((entry) => keyOf(entry) === key)) return true
    if (isKnown(list)) return false
  }
  return host.decide(`${keyOf(item)} in ${keyOf(list)}`)
}

function ordered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value, host: TemplateHost): boolean {
  const numbers = typeof left === 'number' && typeof right === 'number'
  const texts = typeof left === 'string' && typeof right === 'string' && isKnown(left) && isKnown(right)
  if (!numbers && !texts) return host.decide(`${keyOf(left)}${operator}${keyOf(right)}`)
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}
