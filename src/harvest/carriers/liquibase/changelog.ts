/** A changelog of Liquibase as one kind of tree, whichever of XML, YAML and JSON it is written in. */
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import { elementsOf, type XmlElement, xmlRoot, isElement } from '../xml.ts'

export interface Change {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Change[]
  /** What stands in it as text, and the line where that begins. */
  readonly text: string
  readonly textLine: number
  readonly line: number
}

export const ROOT = 'databaseChangeLog'
const MAX_DEPTH = 30

/** The changelog that a text is; undefined where it is none. */
export function changelogOf(path: string, text: string): Change | undefined {
  if (!/\.xml$/i.test(path)) return fromYaml(text)
  const root = xmlRoot(text)
  return root?.name === ROOT ? fromXml(root) : undefined
}

function fromXml(element: XmlElement): Change {
  const { name, attributes, line, children } = element
  const pieces = children.flatMap((node) => (isElement(node) ? [] : [node]))
  const first = pieces.find(({ text }) => text.trim() !== '')
  return {
    name,
    attributes,
    children: elementsOf(element).map(fromXml),
    text: pieces
      .slice(first ? pieces.indexOf(first) : 0)
      .map(({ text }) => text)
      .join(''),
    textLine: first?.line ?? line,
    line,
  }
}

function fromYaml(text: string): Change | undefined {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const root = document.contents.items.find(({ key }) => isScalar(key) && key.value === ROOT)
  return root && changeOf(ROOT, root.value, lines, 1, 0)
}

/** Lists of `- name: {…}` are children of that name; plain values are attributes. */
function changeOf(name: string, node: Node | null, lines: LineCounter, line: number, depth: number): Change {
  const attributes: Record<string, string> = {}
  const children: Change[] = []
  let [text, textLine] = ['', line]
  const add = ({ key, value }: Pair, at: number): void => {
    const own = isScalar(key) ? String(key.value) : ''
    const child = value as Node | null
    if (isScalar(child)) {
      const start = lines.linePos(child.range?.[0] ?? 0).line
      attributes[own] = String(child.value)
      if (TEXTS.has(own)) [text, textLine] = [String(child.value), child.type?.startsWith('BLOCK') ? start + 1 : start]
      return
    }
    // `columns: [ - column: … ]`: the list itself says nothing.
    if (isSeq(child) && LISTS.has(own)) children.push(...changeOf(own, child, lines, at, depth + 1).children)
    else children.push(changeOf(own, child, lines, at, depth + 1))
  }
  const maps = isMap(node) ? [node] : isSeq(node) ? node.items.filter((item) => isMap(item)) : []
  if (depth < MAX_DEPTH) {
    for (const map of maps) {
      for (const pair of map.items) {
        const key = pair.key as Node | null
        add(pair, key?.range ? lines.linePos(key.range[0]).line : line)
      }
    }
  }
  return { name, attributes, children, text, textLine, line }
}

const LISTS: ReadonlySet<string> = new Set(['changes', 'columns'])
const TEXTS: ReadonlySet<string> = new Set(['sql', 'selectQuery', 'procedureText', 'procedureBody'])
