/**
 * MyBatis' mappers: each statement as a template, so that what an `<if>` holds may be there or not and one of a `<choose>`
 * is. Fragments stand where they are included, on one line.
 */
import type { Carrier, CarriedText, CarrierFile } from './carrier.ts'
import { LineWriter } from './line-writer.ts'
import { elementsOf, isElement, type XmlElement, type XmlNode, xmlRoot } from './xml.ts'

export const mybatis: Carrier = {
  fits: (path) => /\.xml$/i.test(path),
  mayBe: (text) => /<(?:mapper|sqlMap)\b/.test(text),
  read: (files) => {
    const mappers = files.flatMap(mapperOf)
    const fragments = new Map(mappers.flatMap((mapper) => fragmentsOf(mapper)))
    return { texts: mappers.flatMap((mapper) => textOfMapper(mapper, fragments)), problems: [] }
  },
}

const STATEMENTS: ReadonlySet<string> = new Set(['select', 'insert', 'update', 'delete'])
/** Elements that are no part of the statement around them. */
const APART: ReadonlySet<string> = new Set(['selectKey', 'bind'])
const MAX_INCLUDES = 20

interface Mapper {
  readonly path: string
  readonly namespace: string
  readonly root: XmlElement
}

function mapperOf({ path, text }: CarrierFile): readonly Mapper[] {
  const root = xmlRoot(text)
  if (!root || (root.name !== 'mapper' && root.name !== 'sqlMap')) return []
  return [{ path, namespace: root.attributes['namespace'] ?? '', root }]
}

/** Under their own names, and behind their namespace. */
function fragmentsOf({ namespace, root }: Mapper): readonly (readonly [string, XmlElement])[] {
  return elementsOf(root, 'sql').flatMap((fragment) => {
    const id = fragment.attributes['id'] ?? ''
    return [[`${namespace}.${id}`, fragment] as const]
  })
}

function textOfMapper(mapper: Mapper, fragments: ReadonlyMap<string, XmlElement>): readonly CarriedText[] {
  const writer = new StatementWriter(mapper.namespace, fragments)
  for (const element of elementsOf(mapper.root)) if (STATEMENTS.has(element.name)) writer.statement(element)
  return writer.text.trim() === '' ? [] : [{ file: mapper.path, sql: writer.text }]
}

class StatementWriter {
  readonly #out = new LineWriter()
  readonly #namespace: string
  readonly #fragments: ReadonlyMap<string, XmlElement>
  readonly #tests = new Map<string, string>()
  /** Fragments around the place at hand: they stand on one line. */
  #within = 0
  /** The next text begins a condition, which an AND goes before, or a list, of whose first text something is left out. */
  #begins: 'condition' | RegExp | undefined

  constructor(namespace: string, fragments: ReadonlyMap<string, XmlElement>) {
    this.#namespace = namespace
    this.#fragments = fragments
  }

  get text(): string {
    return this.#out.text
  }

  statement(element: XmlElement): void {
    this.#nodes(element.children, undefined)
    this.#out.write(';')
  }

  /** @param trailing what is left out at the end */
  #nodes(nodes: readonly XmlNode[], trailing: RegExp | undefined): void {
    const last = nodes.findLastIndex((node) => isElement(node) || node.text.trim() !== '')
    for (const [at, node] of nodes.entries()) {
      const cut = at >= last ? trailing : undefined
      if (isElement(node)) this.#element(node, cut)
      else this.#plain(cut ? node.text.replace(cut, '') : node.text, node.line)
    }
  }

  #plain(text: string, line: number): void {
    const sql = text.replaceAll(/[#:]\{\s*([^{}]*?)\s*\}/g, parameter)
    if (this.#within === 0) this.#out.goTo(line)
    const begins = sql.trim() === '' ? undefined : this.#begins
    if (begins === undefined) return this.#out.write(this.#oneLine(sql))
    this.#begins = undefined
    if (begins !== 'condition') return this.#out.write(this.#oneLine(sql.replace(begins, '')))
    this.#out.write(`${/^\s*(?:and|or)\b/i.test(sql) ? '' : ' and '}${this.#oneLine(sql)}`)
  }

  #oneLine(sql: string): string {
    return this.#within === 0 ? sql : sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\s+/g, ' ')
  }

  #element(element: XmlElement, trailing: RegExp | undefined): void {
    const { name, attributes, children } = element
    if (APART.has(name)) return
    switch (name) {
      case 'include':
        return this.#include(attributes['refid'] ?? '')
      case 'if':
      case 'isNotNull':
      case 'isNotEmpty':
      case 'isNull':
      case 'isEmpty':
      case 'isEqual':
      case 'isNotEqual':
        return this.#choice([element], trailing)
      case 'choose':
        return this.#choice(elementsOf(element), trailing)
      case 'where':
        return this.#conditions(children, trailing)
      case 'set':
        return this.#trimmed('set', undefined, children, /,\s*$/)
      case 'trim':
        return this.#trim(element, trailing)
      case 'foreach':
      case 'iterate': {
        this.#out.write(attributes['open'] ?? '')
        this.#nodes(children, undefined)
        return this.#out.write(attributes['close'] ?? '')
      }
      default:
        return this.#nodes(children, trailing)
    }
  }

  #trim({ attributes, children }: XmlElement, trailing: RegExp | undefined): void {
    const { prefix = '', suffix = '', prefixOverrides, suffixOverrides } = attributes
    if (/^where$/i.test(prefix.trim())) return this.#conditions(children, trailing)
    this.#trimmed(prefix, overrides(prefixOverrides, 'start'), children, overrides(suffixOverrides, 'end'))
    this.#out.write(` ${suffix} `)
  }

  /** Conditions of which nobody knows the first: all of them go on from one that always holds. */
  #conditions(children: readonly XmlNode[], trailing: RegExp | undefined): void {
    this.#out.write(' where 1 = 1 ')
    this.#begins = 'condition'
    this.#nodes(children, trailing)
    this.#begins = undefined
  }

  #trimmed(
    prefix: string,
    leading: RegExp | undefined,
    children: readonly XmlNode[],
    trailing: RegExp | undefined,
  ): void {
    this.#out.write(` ${prefix} `)
    this.#begins = leading
    this.#nodes(children, trailing)
    this.#begins = undefined
  }

  /** What only some calls have: each way is read. */
  #choice(ways: readonly XmlElement[], trailing: RegExp | undefined): void {
    const begins = this.#begins
    for (const [at, way] of ways.entries()) {
      const isElse = way.name === 'otherwise' && at > 0
      this.#out.write(isElse ? '{%else%}' : `{%${at === 0 ? 'if' : 'elif'} ${this.#condition(way)}%}`)
      this.#begins = begins
      this.#nodes(way.children, trailing)
    }
    this.#out.write('{%endif%}')
    // Whether the list has begun, nobody knows; a condition may always follow.
    this.#begins = begins === 'condition' ? begins : undefined
  }

  /** A name for a condition: equal ones are decided alike. */
  #condition({ attributes, line }: XmlElement): string {
    const test = attributes['test'] ?? attributes['property'] ?? `line ${line}`
    const name = this.#tests.get(test) ?? `when_${this.#tests.size + 1}`
    this.#tests.set(test, name)
    return name
  }

  #include(id: string): void {
    const fragment = this.#fragments.get(`${this.#namespace}.${id}`) ?? this.#fragments.get(id)
    if (!fragment || this.#within >= MAX_INCLUDES) return this.#out.write(` \${${id}} `)
    this.#within++
    this.#nodes(fragment.children, undefined)
    this.#within--
  }
}

/** `#{id,jdbcType=INTEGER}`: a parameter. */
function parameter(mark: string, inside: string): string {
  const name = /^[\w.]+/.exec(inside)?.[0].replaceAll('.', '_') ?? 'value'
  return `:${name}`.padEnd(Math.min(mark.length, name.length + 1))
}

/** `AND |OR `: words that are left out at one end. */
function overrides(words: string | undefined, at: 'start' | 'end'): RegExp | undefined {
  if (words === undefined) return undefined
  const any = words
    .split('|')
    .map((word) => word.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .filter((word) => word !== '')
    .join('|')
  return new RegExp(at === 'start' ? `^\\s*(?:${any})` : `(?:${any})\\s*$`, 'i')
}
