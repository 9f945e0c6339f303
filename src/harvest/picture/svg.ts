/** SVG as text: elements with escaped attributes and content. */

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element; `children` are markup already. Numbers are written with one decimal at most. */
export function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(String(value))}"`)
    .join('')
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`
}

/** Text fit to stand between tags and in attributes; characters that XML has no way to write are replaced. */
export function escaped(text: string): string {
  return text
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Text at most one decimal long. */
export function rounded(value: number): string {
  const text = value.toFixed(1)
  return text.endsWith('.0') ? text.slice(0, -2).replace(/^-0$/, '0') : text
}
