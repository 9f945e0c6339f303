/** XML as a tree whose nodes know their lines. */
import { SaxesParser } from 'saxes'

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlNode[]
  /** From 1. */
  readonly line: number
}

export interface XmlText {
  readonly text: string
  readonly line: number
}

export type XmlNode = XmlElement | XmlText

/** Nothing that people write nests deeper. */
const MAX_DEPTH = 200

/** The root of a document; undefined where it is not well-formed. Entities of a document's own are not followed. */
export function xmlRoot(text: string): XmlElement | undefined {
  const parser = new SaxesParser({ position: true, xmlns: false })
  const stack: (XmlElement & { readonly children: XmlNode[] })[] = []
  let root: XmlElement | undefined
  let failed = false
  const addText = (piece: string): void => {
    const breaks = piece.split('\n').length - 1
    stack.at(-1)?.children.push({ text: piece, line: parser.line - breaks })
  }
  parser.on('error', () => (failed = true))
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentagstart', ({ name }) => {
    if (stack.length >= MAX_DEPTH) failed = true
    const element = { name: localName(name), attributes: {}, children: [], line: parser.line }
    if (stack.length < MAX_DEPTH) stack.at(-1)?.children.push(element)
    root ??= element
    stack.push(element)
  })
  parser.on('attribute', ({ name, value }) => {
    Object.assign(stack.at(-1)!.attributes, { [localName(name)]: value })
  })
  parser.on('closetag', () => void stack.pop())
  try {
    parser.write(text).close()
  } catch {
    return undefined
  }
  return failed ? undefined : root
}

export function isElement(node: XmlNode): node is XmlElement {
  return 'name' in node
}

/** The elements inside of one, of a name where that is given. */
export function elementsOf({ children }: XmlElement, name?: string): readonly XmlElement[] {
  return children.filter(isElement).filter((one) => name === undefined || one.name === name)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
