/**
 * Segments to a tree. A tag that cannot be read becomes an `unknown` node and the rest goes on: one odd tag must not
 * hide a whole model. A block that is not closed ends with its parent.
 */

import type { TemplateExpression } from './expression.ts'
import { ExpressionParser, TemplateSyntax } from './expression-parser.ts'
import type { AssignmentTarget, FilterCall, Parameter, TemplateNode } from './nodes.ts'
import { segments, type Segment } from './scanner.ts'
import { isSqlRender, parseSqlRender } from './sql-render.ts'

type TagSegment = Extract<Segment, { kind: 'output' | 'tag' }>

/** Blocks that dbt adds to jinja, by their first word; each ends with `end` and the word. */
const DEFINITIONS = new Set(['snapshot', 'test', 'data_test', 'docs', 'materialization', 'analysis', 'block'])
/** Tags that load other templates: their names cannot be followed here. */
const STEPPED_OVER = new Set(['import', 'from', 'include', 'extends'])
const MAX_DEPTH = 60

/** The tree of a template. Never throws. */
export function parseTemplate(text: string): readonly TemplateNode[] {
  return isSqlRender(text) ? parseSqlRender(text) : new TemplateParser(segments(text)).nodes([])
}

class TemplateParser {
  readonly #segments: readonly Segment[]
  #at = 0
  #depth = 0

  constructor(all: readonly Segment[]) {
    this.#segments = all
  }

  /** Nodes up to a tag that begins with one of `ends`, which is left standing. */
  nodes(ends: readonly string[]): readonly TemplateNode[] {
    const nodes: TemplateNode[] = []
    this.#depth++
    for (let segment = this.#segments[this.#at]; segment; segment = this.#segments[this.#at]) {
      if (segment.kind === 'tag' && ends.includes(firstWord(segment))) break
      this.#at++
      nodes.push(this.#node(segment))
    }
    this.#depth--
    return nodes
  }

  #node(segment: Segment): TemplateNode {
    const { start, end } = segment
    if (segment.kind === 'text') return segment
    if (segment.kind === 'broken') return { kind: 'unknown', message: 'the tag does not end', start, end }
    if (this.#depth > MAX_DEPTH) return { kind: 'unknown', message: 'blocks nest too deep', start, end }
    try {
      return this.#tag(segment)
    } catch (error) {
      if (error instanceof TemplateSyntax) return { kind: 'unknown', message: error.message, start, end }
      throw error
    }
  }

  #tag(segment: TagSegment): TemplateNode {
    const { start, end } = segment
    const parser = new ExpressionParser(segment.tokens, end)
    if (segment.kind === 'output') {
      if (parser.done) return { kind: 'text', text: '', start, end }
      return { kind: 'output', expression: whole(parser, parser.expressions()), start, end }
    }
    const word = parser.name()
    switch (word) {
      case 'set':
        return this.#set(parser)
      case 'if':
        return this.#if(whole(parser, parser.expression()))
      case 'for':
        return this.#for(parser, start)
      case 'macro':
        return this.#macro(parser, start)
      case 'call':
        return this.#call(parser, start)
      case 'filter':
        return this.#filterBlock(parser, start)
      case 'with':
        return this.#with(parser, start)
      case 'do':
        return { kind: 'do', expression: whole(parser, parser.expressions()) }
      case 'break':
      case 'continue':
        return { kind: word }
      default:
        return this.#other(word, parser, segment)
    }
  }

  #other(word: string, parser: ExpressionParser, segment: TagSegment): TemplateNode {
    const { start, end } = segment
    if (DEFINITIONS.has(word)) {
      const name = parser.done ? '' : parser.name()
      const body = this.#block(`end${word}`)
      return { kind: 'definition', sort: word, name, body, start, end: this.#lastEnd() }
    }
    if (STEPPED_OVER.has(word)) return { kind: 'text', text: '', start, end }
    return { kind: 'unknown', message: `unknown tag ${word}`, start, end }
  }

  /** The body up to the closing tag, which is consumed. */
  #block(closing: string): readonly TemplateNode[] {
    const body = this.nodes([closing])
    this.#at++
    return body
  }

  #lastEnd(): number {
    return this.#segments[Math.min(this.#at, this.#segments.length) - 1]?.end ?? 0
  }

  #set(parser: ExpressionParser): TemplateNode {
    const targets = [assignmentTarget(parser)]
    while (parser.take(',')) targets.push(assignmentTarget(parser))
    if (parser.take('=')) return { kind: 'set', targets, value: whole(parser, parser.expressions()) }
    const filters = filterCalls(parser)
    return { kind: 'set-block', target: targets[0]!, filters, body: this.#block('endset') }
  }

  #if(condition: TemplateExpression): TemplateNode {
    const branches = [{ condition, body: this.nodes(['elif', 'else', 'endif']) }]
    let otherwise: readonly TemplateNode[] = []
    for (let tag = this.#closing(); tag && firstWord(tag) !== 'endif'; tag = this.#closing()) {
      if (firstWord(tag) === 'else') otherwise = this.nodes(['endif', 'elif', 'else'])
      else {
        const parser = new ExpressionParser(tag.tokens.slice(1), tag.end)
        branches.push({ condition: parser.expression(), body: this.nodes(['elif', 'else', 'endif']) })
      }
    }
    return { kind: 'if', branches, otherwise }
  }

  /** The tag that ended a body, consumed. */
  #closing(): TagSegment | undefined {
    const segment = this.#segments[this.#at++]
    return segment?.kind === 'tag' ? segment : undefined
  }

  #for(parser: ExpressionParser, start: number): TemplateNode {
    const bracketed = parser.take('(')
    const targets = [parser.name()]
    while (parser.take(',')) targets.push(parser.name())
    if (bracketed) parser.expect(')')
    parser.expect('in')
    const list = parser.or()
    const only = parser.take('if') ? parser.expression() : undefined
    parser.take('recursive')
    const body = this.nodes(['else', 'endfor'])
    const ended = this.#closing()
    const otherwise = ended && firstWord(ended) === 'else' ? this.#block('endfor') : []
    return { kind: 'for', targets, list, only, body, otherwise, start, end: this.#lastEnd() }
  }

  /** `with a = x, b = y`: names of one body, so a loop over one value for each. */
  #with(parser: ExpressionParser, start: number): TemplateNode {
    const bound: { name: string; value: TemplateExpression }[] = []
    while (!parser.done) {
      const name = parser.name()
      parser.expect('=')
      bound.push({ name, value: parser.expression() })
      if (!parser.take(',')) break
    }
    let body = this.#block('endwith')
    const end = this.#lastEnd()
    for (const { name, value } of bound.toReversed()) {
      const list: TemplateExpression = { kind: 'list', items: [value], start: value.start, end: value.end }
      body = [{ kind: 'for', targets: [name], list, only: undefined, body, otherwise: [], start, end }]
    }
    return body.length === 1 && body[0] ? body[0] : { kind: 'text', text: '', start, end }
  }

  #macro(parser: ExpressionParser, start: number): TemplateNode {
    const name = parser.name()
    const parameters = parameterList(parser)
    const body = this.#block('endmacro')
    return { kind: 'macro', name, parameters, body, start, end: this.#lastEnd() }
  }

  #call(parser: ExpressionParser, start: number): TemplateNode {
    const parameters = parser.peek('(') ? parameterList(parser) : []
    const call = whole(parser, parser.expression())
    const body = this.#block('endcall')
    return { kind: 'call', parameters, call, body, start, end: this.#lastEnd() }
  }

  #filterBlock(parser: ExpressionParser, start: number): TemplateNode {
    const first = filterCall(parser)
    const filters = [first, ...filterCalls(parser)]
    const body = this.#block('endfilter')
    return { kind: 'filter-block', filters, body, start, end: this.#lastEnd() }
  }
}

function firstWord(segment: TagSegment): string {
  return segment.tokens[0]?.text ?? ''
}

function whole(parser: ExpressionParser, expression: TemplateExpression): TemplateExpression {
  if (!parser.done) throw new TemplateSyntax('the expression goes on in a way that was not understood', parser.start)
  return expression
}

function assignmentTarget(parser: ExpressionParser): AssignmentTarget {
  const name = parser.name()
  return parser.take('.') ? { name, attribute: parser.name() } : { name }
}

function parameterList(parser: ExpressionParser): readonly Parameter[] {
  const parameters: Parameter[] = []
  parser.expect('(')
  while (!parser.take(')')) {
    const name = parser.name()
    parameters.push({ name, default: parser.take('=') ? parser.expression() : undefined })
    if (!parser.peek(')')) parser.expect(',')
  }
  return parameters
}

function filterCalls(parser: ExpressionParser): readonly FilterCall[] {
  const filters: FilterCall[] = []
  while (parser.take('|')) filters.push(filterCall(parser))
  return filters
}

function filterCall(parser: ExpressionParser): FilterCall {
  const name = parser.name()
  return { name, args: parser.take('(') ? parser.argumentList() : [] }
}
