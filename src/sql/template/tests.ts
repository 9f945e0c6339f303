/** jinja's tests: `x is defined`, `x is in [1, 2]`. */

import { compare, existenceKey, truth } from './compare.ts'
import type { ComparisonOperator } from './expression.ts'
import type { TemplateHost } from './host.ts'
import { Callable, DictValue, isKnown, keyOf, ListValue, own, RelationValue, Unknown, type Value } from './values.ts'

const COMPARISONS: Readonly<Record<string, ComparisonOperator>> = {
  eq: '==',
  equalto: '==',
  sameas: '==',
  ne: '!=',
  lt: '<',
  lessthan: '<',
  le: '<=',
  gt: '>',
  greaterthan: '>',
  ge: '>=',
  in: 'in',
}

const PREDICATES: Readonly<Record<string, (value: Value, argument: Value, host: TemplateHost) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number' && !Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  mapping: (value) => value instanceof DictValue,
  iterable: (value) => value instanceof ListValue || value instanceof DictValue || typeof value === 'string',
  sequence: (value) => value instanceof ListValue || typeof value === 'string',
  callable: (value) => value instanceof Callable,
  even: (value) => Number(value) % 2 === 0,
  odd: (value) => Math.abs(Number(value)) % 2 === 1,
  divisibleby: (value, by) => Number(value) % Number(by) === 0,
  lower: (value) => typeof value === 'string' && value === value.toLowerCase(),
  upper: (value) => typeof value === 'string' && value === value.toUpperCase(),
}

/** Whether `value is name(argument)` holds. What an unknown value or test keeps from being told is decided. */
export function applyTest(name: string, value: Value, argument: Value, host: TemplateHost): boolean {
  const operator = own(COMPARISONS, name)
  if (operator) return compare(operator, value, argument, host)
  if (name === 'none' && value instanceof RelationValue && value.uncertain) return !host.decide(existenceKey(value))
  const predicate = own(PREDICATES, name)
  if (!predicate || (value instanceof Unknown && !isAboutShape(name, value))) {
    return host.decide(`${keyOf(value)} is ${name}`)
  }
  return predicate(value, argument, host)
}

/** A value that a macro or query gives is there, whatever it is. */
function isAboutShape(name: string, value: Unknown): boolean {
  return (name === 'defined' || name === 'undefined') && value.hole.kind !== 'variable'
}

/** The test of a `select` or `reject` filter, by its name and argument; without a name, truth itself. */
export function testNamed(name: Value, argument: Value, host: TemplateHost): (value: Value) => boolean {
  if (typeof name !== 'string' || !isKnown(name)) return (value) => truth(value, host)
  return (value) => applyTest(name, value, argument, host)
}
