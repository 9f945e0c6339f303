/** Pipe syntax: each step reads the columns of the one before, so the lineage is carried from step to step. */
import { writeAggregate, writeColumn, writeValue, type Scope, type Written } from './expression.ts'
import type { Context, WrittenQuery } from './query.ts'
import { writeTable } from './relation.ts'
import { note, type OutputColumn, type Sources } from './sources.ts'
import { write } from './tables.ts'

/** `FROM t |> WHERE … |> EXTEND … |> …`; it ends with a SELECT, so its outputs are known without schemas. */
export function writePipe(context: Context): WrittenQuery {
  const { choices, abilities } = context
  const table = writeTable(context)
  let columns: readonly OutputColumn[] = table.visible.columns
  let sql = `FROM ${table.sql}`
  const scope = (): Scope => ({
    relations: [{ alias: '', columns, unqualified: true }],
    merged: [],
    schemasKnown: true,
    uses: context.uses,
  })
  for (let step = 0; step < 4 && choices.chance(70); step++) {
    const value = (): Written => writeValue(choices, scope(), abilities, 1)
    switch (choices.below(5)) {
      case 0: {
        // What a CASE chooses by is a filter here, as the rest of the condition is.
        const kept = writeValue(choices, { ...scope(), uses: new Set() }, abilities, 1)
        note(context.uses, 'FILTER', kept)
        sql += ` |> WHERE ${kept.sql} IS NOT NULL`
        break
      }
      case 1: {
        const name = choices.fresh('x')
        const added = value()
        sql += ` |> EXTEND ${added.sql} AS ${name}`
        columns = [...columns, named(name, added.sources)]
        break
      }
      case 2: {
        const old = choices.pick(columns as [OutputColumn, ...OutputColumn[]])
        const other = value()
        sql += ` |> SET ${write(old.name, abilities)} = ${other.sql}`
        columns = columns.map((one) => (one === old ? named(old.name, other.sources) : one))
        break
      }
      case 3: {
        const [key, total] = [choices.fresh('k'), choices.fresh('a')]
        const group = writeColumn(choices, scope(), abilities)
        note(context.uses, 'GROUP_BY', group)
        const aggregate = writeAggregate(choices, scope(), abilities)
        sql += ` |> AGGREGATE ${aggregate.sql} AS ${total} GROUP BY ${group.sql} AS ${key}`
        columns = [named(key, group.sources), named(total, aggregate.sources)]
        break
      }
      default: {
        const order = writeColumn(choices, scope(), abilities)
        note(context.uses, 'SORT', order)
        sql += ` |> ORDER BY ${order.sql} |> LIMIT 10`
      }
    }
  }
  const items = Array.from({ length: 1 + choices.below(3) }, () => {
    const value = writeValue(choices, scope(), abilities, 1)
    return { ...named(choices.fresh('n'), value.sources), text: value.sql }
  })
  return {
    sql: `${sql} |> SELECT ${items.map(({ text, name }) => `${text} AS ${name}`).join(', ')}`,
    columns: items.map(({ name, sources }) => named(name, sources)),
  }
}

function named(name: string, sources: Sources): OutputColumn {
  return { name, sources }
}
