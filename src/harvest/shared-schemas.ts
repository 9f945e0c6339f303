import { Recent } from '../sql/workers/recent.ts'
import type { Namer, NameRules } from './naming.ts'
import { columnsVersion, type Columns, type SchemaBook } from './schema-book.ts'

/** Columns by the name of a table. */
export type Schemas = Readonly<Record<string, Columns>>

/** As many as statements that the pool remembers. */
const MAX_SCHEMAS = 4096

/**
 * What statements are read with: the same object for the same tables with the same columns, since the pool tells equal
 * requests by the identity of their schemas, and sends each object only once with a batch.
 */
export class SharedSchemas {
  readonly #made = new Recent<Schemas>(MAX_SCHEMAS)

  /** Of those of the tables whose columns are known. */
  of(
    tables: readonly string[],
    rules: NameRules,
    { namer, book }: { readonly namer: Namer; readonly book: SchemaBook },
  ): Schemas {
    const known = tables.flatMap((table) => {
      const columns = book.columnsOf(namer.datasetOf(table, rules))
      return columns === undefined ? [] : [[table, columns] as const]
    })
    const key = known.map(([table, columns]) => `${table} ${columnsVersion(columns)}`).join('\u0000')
    const before = this.#made.get(key)
    if (before !== undefined) return before
    const made = Object.fromEntries(known)
    this.#made.set(key, made)
    return made
  }
}
