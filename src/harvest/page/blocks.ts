/** A report as blocks, which are written as Markdown or as one page of HTML. */

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | Table
  /** Shares from 0 to 1 over runs, oldest first. */
  | { readonly kind: 'trend'; readonly name: string; readonly points: readonly TrendPoint[] }
  | { readonly kind: 'code'; readonly text: string }

export interface Table {
  readonly kind: 'table'
  readonly columns: readonly { readonly name: string; readonly align: 'left' | 'right' }[]
  readonly rows: readonly (readonly string[])[]
  /** Rows that are left out. */
  readonly more?: number
}

export interface TrendPoint {
  readonly label: string
  readonly share: number
}

export interface Page {
  readonly title: string
  readonly blocks: readonly Block[]
}

export function left(name: string): Table['columns'][number] {
  return { name, align: 'left' }
}

export function right(name: string): Table['columns'][number] {
  return { name, align: 'right' }
}

/** `98.3 %`; never 100 % where something is missing. */
export function percent(share: number): string {
  const text = (share * 100).toFixed(1)
  return share < 1 && text === '100.0' ? '99.9 %' : `${text} %`
}
