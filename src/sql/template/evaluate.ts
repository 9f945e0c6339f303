/**
 * The value of a template expression. What has an unknown part is unknown, except where the other parts settle it.
 * Conditions over unknown values are decided on the spot, so a comparison always gives true or false.
 */

import { compare, truth } from './compare.ts'
import type { ArithmeticOperator, TemplateArgument, TemplateExpression } from './expression.ts'
import { applyFilter } from './filters.ts'
import type { Scope, TemplateHost } from './host.ts'
import { attributeOf, itemOf, sliceOf } from './members.ts'
import { show } from './show.ts'
import { applyTest } from './tests.ts'
import {
  argument,
  Callable,
  type CallArguments,
  DictValue,
  keyOf,
  ListValue,
  RelationValue,
  Unknown,
  UNKNOWN_RESULT,
  type Value,
} from './values.ts'

/** Value of `expression` in `scope`. */
export function evaluate(expression: TemplateExpression, scope: Scope, host: TemplateHost): Value {
  host.step()
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return nameValue(expression, scope, host)
    case 'list':
    case 'tuple':
      return new ListValue(
        expression.items.map((item) => evaluate(item, scope, host)),
        expression.kind === 'tuple',
      )
    case 'dict':
      return new DictValue(
        expression.entries.map(([key, value]) => [
          show(evaluate(key, scope, host), host.holes),
          evaluate(value, scope, host),
        ]),
      )
    case 'attribute':
      return attributeOf(evaluate(expression.of, scope, host), expression.name, expression, host)
    case 'item':
      return itemOf(evaluate(expression.of, scope, host), evaluate(expression.index, scope, host), expression, host)
    case 'slice': {
      const bound = (part: TemplateExpression | undefined) => (part ? evaluate(part, scope, host) : undefined)
      const of = evaluate(expression.of, scope, host)
      return sliceOf(of, [bound(expression.from), bound(expression.to), bound(expression.step)], expression, host)
    }
    case 'call':
      return call(expression, scope, host)
    case 'filter': {
      const args = argumentsOf(expression.args, scope, host)
      return applyFilter(expression.name, evaluate(expression.of, scope, host), args, expression, host)
    }
    case 'test': {
      const args = argumentsOf(expression.args, scope, host)
      return applyTest(expression.name, evaluate(expression.of, scope, host), argument(args, 0, ''), host)
    }
    case 'negative': {
      const value = evaluate(expression.of, scope, host)
      return typeof value === 'number' ? -value : host.unknown(expression, { kind: 'variable', name: 'value' })
    }
    case 'not':
      return !truth(evaluate(expression.of, scope, host), host)
    case 'and': {
      const left = evaluate(expression.left, scope, host)
      return truth(left, host) ? evaluate(expression.right, scope, host) : left
    }
    case 'or': {
      const left = evaluate(expression.left, scope, host)
      return truth(left, host) ? left : evaluate(expression.right, scope, host)
    }
    case 'conditional': {
      if (truth(evaluate(expression.condition, scope, host), host)) return evaluate(expression.value, scope, host)
      return expression.otherwise ? evaluate(expression.otherwise, scope, host) : undefined
    }
    case 'comparison': {
      const left = evaluate(expression.left, scope, host)
      return compare(expression.operator, left, evaluate(expression.right, scope, host), host)
    }
    default: {
      const left = evaluate(expression.left, scope, host)
      return calculate(expression.operator, left, evaluate(expression.right, scope, host), expression, host)
    }
  }
}

/** Arguments of a call, `*list` and `**dict` spread. */
export function argumentsOf(args: readonly TemplateArgument[], scope: Scope, host: TemplateHost): CallArguments {
  const positional: Value[] = []
  const named = new Map<string, Value>()
  for (const { sort, name, value } of args) {
    const given = evaluate(value, scope, host)
    if (sort === 'named') named.set(name ?? '', given)
    else if (sort === 'list' && given instanceof ListValue) positional.push(...given.items)
    else if (sort === 'dict' && given instanceof DictValue)
      for (const [key, item] of given.entries) named.set(key, item)
    else if (sort !== 'dict') positional.push(given)
  }
  return { positional, named }
}

function nameValue(expression: TemplateExpression & { kind: 'name' }, scope: Scope, host: TemplateHost): Value {
  if (scope.has(expression.name)) return scope.get(expression.name)
  const known = host.global(expression.name)
  return known === undefined ? host.unknown(expression, { kind: 'variable', name: expression.name }) : known
}

function call(expression: TemplateExpression & { kind: 'call' }, scope: Scope, host: TemplateHost): Value {
  const callee = evaluate(expression.callee, scope, host)
  const args = argumentsOf(expression.args, scope, host)
  const result = callee instanceof Callable ? callee.call(args) : NOT_CALLABLE
  if (result !== NOT_CALLABLE && result !== UNKNOWN_RESULT) return result
  return host.unknown(expression, {
    kind: 'macro',
    name: callee instanceof Callable ? callee.name : callee instanceof Unknown ? callee.hole.name : 'value',
    key: `${keyOf(callee)}(${[...args.positional, ...args.named.values()].map((value) => keyOf(value)).join(',')})`,
    args: [...args.positional, ...args.named.values()],
  })
}

const NOT_CALLABLE = new Callable('', () => undefined)

function calculate(
  operator: ArithmeticOperator,
  left: Value,
  right: Value,
  expression: TemplateExpression,
  host: TemplateHost,
): Value {
  if (operator === '~') return show(left, host.holes) + show(right, host.holes)
  if (typeof left === 'number' && typeof right === 'number') return arithmetic(operator, left, right)
  if (operator === '+') {
    if (typeof left === 'string' || typeof right === 'string') return show(left, host.holes) + show(right, host.holes)
    if (left instanceof ListValue)
      return new ListValue([...left.items, ...(right instanceof ListValue ? right.items : [right])])
    if (right instanceof ListValue) return new ListValue([left, ...right.items])
  }
  if (operator === '%' && typeof left === 'string') return percentFormat(left, right, host)
  if (operator === '*' && typeof left === 'string' && typeof right === 'number')
    return left.repeat(Math.min(right, 1000))
  const unknown = [left, right].find((value) => value instanceof Unknown)
  const name = unknown instanceof Unknown ? unknown.hole.name : 'value'
  return host.unknown(expression, { kind: 'variable', name, key: `${keyOf(left)}${operator}${keyOf(right)}` })
}

function arithmetic(operator: Exclude<ArithmeticOperator, '~'>, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '//':
      return Math.floor(left / right)
    case '%':
      return ((left % right) + right) % right
    default:
      return left ** right
  }
}

function percentFormat(format: string, values: Value, host: TemplateHost): string {
  const items = values instanceof ListValue ? values.items : [values]
  let next = 0
  return format.replaceAll(/%(?:\((\w+)\))?[\d.]*[sdfr]/g, (_match, name: string | undefined) =>
    show(name && values instanceof DictValue ? values.get(name) : items[next++], host.holes),
  )
}

/** Relations among values, also inside of lists and dicts. */
export function relationsIn(values: readonly Value[], depth = 0): readonly RelationValue[] {
  if (depth > 4) return []
  return values.flatMap((value) => {
    if (value instanceof RelationValue) return [value]
    if (value instanceof ListValue) return relationsIn(value.items, depth + 1)
    if (value instanceof DictValue) return relationsIn([...value.entries.values()], depth + 1)
    return value instanceof Unknown ? value.hole.relations : []
  })
}
