/**
 * Precedence climbing over a tag's tokens, by jinja's own ladder:
 *
 *   conditional → or → and → not → comparison → + - → ~ → * / // % → unary → ** → postfix (call, attribute, filter, test)
 */

import type { ArithmeticOperator, ComparisonOperator, TemplateArgument, TemplateExpression } from './expression.ts'
import type { TemplateToken } from './tokens.ts'

/** An expression that does not follow the grammar; `start` is the offset of what surprised. */
export class TemplateSyntax extends Error {
  readonly start: number

  constructor(message: string, start: number) {
    super(message)
    this.start = start
  }
}

const MAX_DEPTH = 100
const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>='])
const CONSTANTS: Readonly<Record<string, boolean | null>> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  null: null,
}

/** Reads expressions, names and marks of one tag, from left to right. */
export class ExpressionParser {
  readonly #tokens: readonly TemplateToken[]
  readonly #end: number
  #at = 0
  #depth = 0

  /** `end` is the offset that an error behind the last token names. */
  constructor(tokens: readonly TemplateToken[], end: number) {
    this.#tokens = tokens
    this.#end = end
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** Offset of the token at hand. */
  get start(): number {
    return this.#tokens[this.#at]?.start ?? this.#end
  }

  peek(text: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.text === text && token.type !== 'string'
  }

  take(text: string): boolean {
    if (!this.peek(text)) return false
    this.#at++
    return true
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.#surprise(`expected ${text}`)
  }

  name(): string {
    const token = this.#tokens[this.#at]
    if (token?.type !== 'name') throw this.#surprise('expected a name')
    this.#at++
    return token.text
  }

  /** An expression; with commas outside of brackets, a tuple. */
  expressions(): TemplateExpression {
    const start = this.start
    const first = this.expression()
    if (!this.peek(',')) return first
    const items = [first]
    while (this.take(',')) if (!this.done) items.push(this.expression())
    return { kind: 'tuple', items, start, end: this.#lastEnd() }
  }

  expression(): TemplateExpression {
    if (++this.#depth > MAX_DEPTH) throw this.#surprise('nests too deep')
    const then = this.or()
    const result = this.take('if') ? this.#conditional(then) : then
    this.#depth--
    return result
  }

  /** An expression that no `if` ends: the list of a `for` may be followed by its filter. */
  or(): TemplateExpression {
    let left = this.#and()
    while (this.take('or')) left = this.#both('or', left, this.#and())
    return left
  }

  #conditional(then: TemplateExpression): TemplateExpression {
    const condition = this.or()
    const otherwise = this.take('else') ? this.expression() : undefined
    return { kind: 'conditional', value: then, condition, otherwise, start: then.start, end: this.#lastEnd() }
  }

  #and(): TemplateExpression {
    let left = this.#not()
    while (this.take('and')) left = this.#both('and', left, this.#not())
    return left
  }

  #both(kind: 'and' | 'or', left: TemplateExpression, right: TemplateExpression): TemplateExpression {
    return { kind, left, right, start: left.start, end: right.end }
  }

  #not(): TemplateExpression {
    const start = this.start
    if (!this.take('not')) return this.#comparison()
    const of = this.#not()
    return { kind: 'not', of, start, end: of.end }
  }

  /** `a < b <= c` means that both hold. */
  #comparison(): TemplateExpression {
    let left = this.#sum()
    let chain: TemplateExpression | undefined
    for (let operator = this.#comparisonOperator(); operator; operator = this.#comparisonOperator()) {
      const right = this.#sum()
      const link: TemplateExpression = { kind: 'comparison', operator, left, right, start: left.start, end: right.end }
      chain = chain ? this.#both('and', chain, link) : link
      left = right
    }
    return chain ?? left
  }

  #comparisonOperator(): ComparisonOperator | undefined {
    const token = this.#tokens[this.#at]
    if (!token || token.type === 'string') return undefined
    if (COMPARISONS.has(token.text)) {
      this.#at++
      return token.text as ComparisonOperator
    }
    if (this.take('in')) return 'in'
    if (token.text !== 'not' || this.#tokens[this.#at + 1]?.text !== 'in') return undefined
    this.#at += 2
    return 'not in'
  }

  #sum(): TemplateExpression {
    return this.#chain(['+', '-'], () => this.#concatenation())
  }

  #concatenation(): TemplateExpression {
    return this.#chain(['~'], () => this.#product())
  }

  #product(): TemplateExpression {
    return this.#chain(['*', '/', '//', '%'], () => this.#unary())
  }

  #chain(operators: readonly ArithmeticOperator[], next: () => TemplateExpression): TemplateExpression {
    let left = next()
    for (;;) {
      const operator = operators.find((candidate) => this.take(candidate))
      if (!operator) return left
      const right = next()
      left = { kind: 'arithmetic', operator, left, right, start: left.start, end: right.end }
    }
  }

  #unary(): TemplateExpression {
    const start = this.start
    if (this.take('-')) {
      const of = this.#unary()
      return { kind: 'negative', of, start, end: of.end }
    }
    if (this.take('+')) return this.#unary()
    const base = this.#postfix()
    if (!this.take('**')) return base
    const right = this.#unary()
    return { kind: 'arithmetic', operator: '**', left: base, right, start: base.start, end: right.end }
  }

  #postfix(): TemplateExpression {
    let of = this.#primary()
    for (;;) {
      const { start } = of
      if (this.take('.')) of = { kind: 'attribute', of, name: this.#attribute(), start, end: this.#lastEnd() }
      else if (this.take('[')) of = this.#subscript(of)
      else if (this.take('(')) {
        of = { kind: 'call', callee: of, args: this.argumentList(), start, end: this.#lastEnd() }
      } else if (this.take('|')) {
        const name = this.#dotted()
        of = { kind: 'filter', of, name, args: this.take('(') ? this.argumentList() : [], start, end: this.#lastEnd() }
      } else if (this.take('is')) of = this.#test(of)
      else return of
    }
  }

  #attribute(): string {
    const token = this.#tokens[this.#at]
    if (token?.type === 'number') {
      this.#at++
      return token.text
    }
    return this.name()
  }

  #dotted(): string {
    let name = this.name()
    while (this.take('.')) name += `.${this.name()}`
    return name
  }

  #subscript(of: TemplateExpression): TemplateExpression {
    const { start } = of
    const from = this.peek(':') ? undefined : this.expression()
    if (from && this.take(']')) return { kind: 'item', of, index: from, start, end: this.#lastEnd() }
    this.expect(':')
    const to = this.peek(']') || this.peek(':') ? undefined : this.expression()
    const step = this.take(':') && !this.peek(']') ? this.expression() : undefined
    this.expect(']')
    return { kind: 'slice', of, from, to, step, start, end: this.#lastEnd() }
  }

  /** `x is divisibleby 3`, `x is not in [1]`. */
  #test(of: TemplateExpression): TemplateExpression {
    const negated = this.take('not')
    const name = this.#dotted()
    const args = this.take('(') ? this.argumentList() : this.#bareTestArgument()
    const test: TemplateExpression = { kind: 'test', of, name, args, start: of.start, end: this.#lastEnd() }
    return negated ? { kind: 'not', of: test, start: test.start, end: test.end } : test
  }

  #bareTestArgument(): readonly TemplateArgument[] {
    const token = this.#tokens[this.#at]
    const begins =
      token &&
      (token.type === 'string' ||
        token.type === 'number' ||
        token.text === '[' ||
        token.text === '{' ||
        (token.type === 'name' && !['and', 'or', 'else', 'if', 'is', 'not', 'in'].includes(token.text)))
    return begins ? [{ sort: 'positional', value: this.#postfix() }] : []
  }

  /** Arguments behind their opening parenthesis. */
  argumentList(): readonly TemplateArgument[] {
    const args: TemplateArgument[] = []
    while (!this.take(')')) {
      args.push(this.#argument())
      if (!this.peek(')')) this.expect(',')
    }
    return args
  }

  #argument(): TemplateArgument {
    if (this.take('**')) return { sort: 'dict', value: this.expression() }
    if (this.take('*')) return { sort: 'list', value: this.expression() }
    const next = this.#tokens[this.#at + 1]
    if (this.#tokens[this.#at]?.type === 'name' && next?.text === '=' && next.type === 'operator') {
      const name = this.name()
      this.expect('=')
      return { sort: 'named', name, value: this.expression() }
    }
    return { sort: 'positional', value: this.expression() }
  }

  #primary(): TemplateExpression {
    const token = this.#tokens[this.#at]
    if (!token) throw this.#surprise('the expression ends too early')
    this.#at++
    const { start, end, text } = token
    switch (token.type) {
      case 'number':
        return { kind: 'literal', value: Number(text.replaceAll('_', '')), start, end }
      case 'string':
        return { kind: 'literal', value: this.#adjacentStrings(text), start, end: this.#lastEnd() }
      case 'name': {
        const constant = Object.hasOwn(CONSTANTS, text) ? CONSTANTS[text] : undefined
        return constant === undefined
          ? { kind: 'name', name: text, start, end }
          : { kind: 'literal', value: constant, start, end }
      }
      default:
        return this.#bracket(text, start)
    }
  }

  /** 'a' 'b' is one string. */
  #adjacentStrings(first: string): string {
    let value = first
    for (let token = this.#tokens[this.#at]; token?.type === 'string'; token = this.#tokens[this.#at]) {
      value += token.text
      this.#at++
    }
    return value
  }

  #bracket(opening: string, start: number): TemplateExpression {
    if (opening === '[') return { kind: 'list', items: this.#items(']').items, start, end: this.#lastEnd() }
    if (opening === '{') return this.#dict(start)
    if (opening !== '(') throw this.#surprise(`unexpected ${opening}`)
    const { items, comma } = this.#items(')')
    const [only] = items
    return only && !comma ? only : { kind: 'tuple', items, start, end: this.#lastEnd() }
  }

  #items(closing: string): { items: readonly TemplateExpression[]; comma: boolean } {
    const items: TemplateExpression[] = []
    let comma = false
    while (!this.take(closing)) {
      items.push(this.expression())
      if (this.peek(closing)) continue
      this.expect(',')
      comma = true
    }
    return { items, comma }
  }

  #dict(start: number): TemplateExpression {
    const entries: (readonly [TemplateExpression, TemplateExpression])[] = []
    while (!this.take('}')) {
      const key = this.expression()
      this.expect(':')
      entries.push([key, this.expression()])
      if (!this.peek('}')) this.expect(',')
    }
    return { kind: 'dict', entries, start, end: this.#lastEnd() }
  }

  #lastEnd(): number {
    return this.#tokens[this.#at - 1]?.end ?? this.#end
  }

  #surprise(message: string): TemplateSyntax {
    return new TemplateSyntax(message, this.start)
  }
}
