import { assertNever } from '../../../src/model/errors.ts'
import type { DialectName } from '../../../src/sql/types.ts'
import { Choices } from './choices.ts'
import { ABILITIES, type Abilities } from './dialects.ts'
import { writeColumn, writeValue, type Scope } from './expression.ts'
import { writeQuery, type Context, type WrittenQuery } from './query.ts'
import { writePipe } from './pipe.ts'
import { writeTable } from './relation.ts'
import { NO_SOURCES, note, union, type OutputColumn, type Sources } from './sources.ts'
import { SCHEMAS, write } from './tables.ts'

/** A statement and the lineage that it has by construction. */
export interface GeneratedStatement {
  readonly dialect: DialectName
  readonly sql: string
  readonly schemas: Readonly<Record<string, readonly string[]>>
  /** `null` for a bare query. */
  readonly target: string | null
  readonly columns: readonly TargetColumn[]
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** `FILTER table.column`: what shapes the rows without being a value. */
  readonly uses: readonly string[]
}

/** A column of the target, or of another one in a statement that writes several. */
export interface TargetColumn extends OutputColumn {
  readonly target?: string
}

type Form =
  | 'query'
  | 'insert'
  | 'ctas'
  | 'view'
  | 'update'
  | 'merge'
  | 'insert-all'
  | 'positional'
  | 'delete'
  | 'multi-insert'
  | 'pipe'
  | 'update-several'
  | 'temporary'

/** The statement that a tape of numbers spells in a dialect. */
export function generateStatement(dialect: DialectName, tape: readonly number[]): GeneratedStatement {
  const choices = new Choices(tape)
  const abilities = ABILITIES[dialect]
  const schemasKnown = choices.chance(60)
  const context: Context = { choices, abilities, schemasKnown, inputs: new Set(), uses: new Set() }
  const written = writeStatement(context, choices.pick(formsOf(abilities)))
  return {
    dialect,
    schemas: schemasKnown ? { ...SCHEMAS, 'mart.known': ['k1', 'k2', 'k3', 'k4', 'k5', 'k6'] } : {},
    ...written,
    inputs: [...context.inputs],
    uses: [...context.uses],
    outputs:
      written.target === null ? [] : [...new Set([written.target, ...written.columns.flatMap((c) => c.target ?? [])])],
  }
}

function formsOf(abilities: Abilities): [Form, ...Form[]] {
  return [
    'query',
    'query',
    'insert',
    'positional',
    'view',
    ...(abilities.ctas ? (['ctas'] as const) : []),
    'update',
    'delete',
    ...(abilities.pipes ? (['pipe'] as const) : []),
    ...(abilities.multiInsert ? (['multi-insert'] as const) : []),
    ...(abilities.merge ? (['merge', 'merge'] as const) : []),
    ...(abilities.insertAll ? (['insert-all'] as const) : []),
    ...(abilities.update === 'join' ? (['update-several'] as const) : []),
    ...(abilities.temporary === undefined ? [] : (['temporary'] as const)),
  ]
}

interface WrittenStatement {
  readonly sql: string
  readonly target: string | null
  readonly columns: readonly TargetColumn[]
}

const TARGET = 'mart.target'

function writeStatement(context: Context, form: Form): WrittenStatement {
  switch (form) {
    case 'insert':
      return writeInsert(context)
    case 'positional':
      return writePositionalInsert(context)
    case 'ctas':
      return writeCreate(context, 'CREATE TABLE', false)
    case 'view':
      return writeCreate(context, 'CREATE VIEW', context.choices.chance(40))
    case 'update':
      return writeUpdate(context)
    case 'merge':
      return writeMerge(context)
    case 'insert-all':
      return writeInsertAll(context)
    case 'delete':
      return writeDelete(context)
    case 'multi-insert':
      return writeMultiInsert(context)
    case 'update-several':
      return writeUpdateOfSeveral(context)
    case 'temporary':
      return writeTemporary(context)
    case 'pipe': {
      const query = writePipe(context)
      return { sql: query.sql, target: null, columns: query.columns }
    }
    case 'query': {
      const query = writeQuery(context, 0, { ctes: true })
      return { sql: query.sql, target: null, columns: query.columns }
    }
    default:
      return assertNever(form)
  }
}

/** With a column list: outputs meet columns by position, whatever they are called. */
function writeInsert(context: Context): WrittenStatement {
  const query = writeQuery(context, 0, { ctes: context.abilities.cteInInsert })
  const columns = query.columns.map((column, i) => ({ ...column, name: `col${query.columns.length - i}` }))
  const list = columns.map((column) => column.name).join(', ')
  return { sql: `INSERT INTO ${TARGET} (${list}) ${query.sql}`, target: TARGET, columns }
}

/** Without a list: by position against the target's schema where it is known, else under the outputs' names. */
function writePositionalInsert(context: Context): WrittenStatement {
  const query = writeQuery(context, 0, { ctes: context.abilities.cteInInsert })
  const known = context.schemasKnown && query.columns.length <= 6
  const target = known ? 'mart.known' : TARGET
  const columns = known ? query.columns.map((column, i) => ({ ...column, name: `k${i + 1}` })) : query.columns
  return { sql: `INSERT INTO ${target} ${query.sql}`, target, columns }
}

function writeCreate(context: Context, words: string, named: boolean): WrittenStatement {
  const query = writeQuery(context, 0, { ctes: true })
  const columns = named ? query.columns.map((column, i) => ({ ...column, name: `v${i + 1}` })) : query.columns
  const list = named ? ` (${columns.map((column) => column.name).join(', ')})` : ''
  return { sql: `${words} ${TARGET}${list} AS ${query.sql}`, target: TARGET, columns }
}

/** UPDATE in the dialect's form. The target is an input of every update (profile `datahub`). */
function writeUpdate(context: Context): WrittenStatement {
  const { choices, abilities } = context
  context.inputs.add(TARGET)
  if (abilities.update === 'plain') {
    const value = choices.pick(['a + b', 'COALESCE(a, b)', 'a'])
    const names = value === 'a' ? ['a'] : ['a', 'b']
    const kind = value === 'a' ? 'IDENTITY' : 'TRANSFORMED'
    const sources: Sources = new Map(names.map((name) => [`${TARGET}.${name}`, kind]))
    context.uses.add(`FILTER ${TARGET}.d`)
    return { sql: `UPDATE ${TARGET} SET c = ${value} WHERE d = 1`, target: TARGET, columns: [{ name: 'c', sources }] }
  }
  const table = writeTable(context)
  const scope = qualified(context, table.visible)
  const assignments = Array.from({ length: 1 + choices.below(3) }, (_, i) => ({
    name: `c${i + 1}`,
    value: writeValue(choices, scope, abilities, 1),
  }))
  const other = writeColumn(choices, scope, abilities)
  const condition = `x.k = ${other.sql}`
  const kind = abilities.update === 'from' ? 'FILTER' : 'JOIN'
  context.uses.add(`${kind} ${TARGET}.k`)
  note(context.uses, kind, other)
  const set = (prefix: string): string => assignments.map((a) => `${prefix}${a.name} = ${a.value.sql}`).join(', ')
  const sql = {
    from: `UPDATE ${TARGET} AS x SET ${set('')} FROM ${table.sql} WHERE ${condition}`,
    join: `UPDATE ${TARGET} x JOIN ${table.sql} ON ${condition} SET ${set('x.')}`,
    'alias-from': `UPDATE x SET ${set('x.')} FROM ${TARGET} x JOIN ${table.sql} ON ${condition}`,
  }[abilities.update]
  const columns = assignments.map((a) => ({ name: a.name, sources: a.value.sources }))
  return { sql, target: TARGET, columns }
}

/** MySQL: two tables that are joined to a third, each with assignments of its own. */
function writeUpdateOfSeveral(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const table = writeTable(context)
  const scope = qualified(context, table.visible)
  const targets = [TARGET, 'mart.second'].map((target, at) => ({ target, alias: ['x', 'y'][at] ?? '' }))
  const assignments = targets.map(({ target, alias }) => {
    const { sql, sources } = writeValue(choices, scope, abilities, 1)
    return { target, alias, name: choices.fresh('m'), sql, sources }
  })
  const joins = targets.map(({ target, alias }) => {
    const other = writeColumn(choices, scope, abilities)
    context.inputs.add(target)
    context.uses.add(`JOIN ${target}.k`)
    note(context.uses, 'JOIN', other)
    return `JOIN ${target} ${alias} ON ${alias}.k = ${other.sql}`
  })
  const set = assignments.map(({ alias, name, sql }) => `${alias}.${name} = ${sql}`).join(', ')
  const columns = assignments.map(({ target, name, sources }) => ({ target, name, sources }))
  return { sql: `UPDATE ${table.sql} ${joins.join(' ')} SET ${set}`, target: TARGET, columns }
}

/** A chain of temporary tables: what is behind the last one is read; none of them is an input or an output. */
function writeTemporary(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const table = writeTable(context)
  const statements: string[] = []
  let visible: Scope['relations'][0] = table.visible
  let from = table.sql
  for (let step = 0; step < 1 + choices.below(3); step++) {
    const items = Array.from({ length: 1 + choices.below(3) }, () => {
      const { sql, sources } = writeValue(choices, qualified(context, visible), abilities, 1)
      return { sql, sources, name: choices.fresh('z') }
    })
    const [name, alias] = [choices.fresh('tmp'), choices.fresh('t')]
    const list = items.map((item) => `${item.sql} AS ${item.name}`).join(', ')
    statements.push(`${abilities.temporary ?? ''} ${name} AS SELECT ${list} FROM ${from}`)
    visible = { alias, columns: items.map((item) => ({ name: item.name, sources: item.sources })) }
    from = `${name} ${alias}`
  }
  const columns = visible.columns.map(({ sources }, i) => ({ name: `col${i + 1}`, sources }))
  const names = columns.map(({ name }) => name).join(', ')
  const values = visible.columns.map(({ name }) => `${visible.alias}.${name}`).join(', ')
  statements.push(`INSERT INTO ${TARGET} (${names}) SELECT ${values} FROM ${from}`)
  return { sql: statements.join('; '), target: TARGET, columns }
}

/** A scope in which every name is qualified: the target's own columns are not known to the generator. */
function qualified({ uses }: Context, visible: Scope['relations'][0]): Scope {
  return { relations: [visible, visible], merged: [], schemasKnown: false, uses }
}

/** Rows that a subquery names go; the target is no input of that. */
function writeDelete(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const table = writeTable(context)
  const value = writeColumn(choices, qualified(context, table.visible), abilities)
  note(context.uses, 'FILTER', value)
  const exists = choices.chance(50)
  if (!exists) context.uses.add(`FILTER ${TARGET}.k`)
  const condition = exists
    ? `EXISTS (SELECT 1 FROM ${table.sql} WHERE ${value.sql} = 1)`
    : `k IN (SELECT ${value.sql} FROM ${table.sql})`
  return { sql: `DELETE FROM ${TARGET} WHERE ${condition}`, target: TARGET, columns: [] }
}

/** Hive: one FROM, several INSERTs, each with columns of its own. */
function writeMultiInsert(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const table = writeTable(context)
  const scope = qualified(context, table.visible)
  const inserts = [TARGET, 'mart.second'].map((target) => {
    const items = Array.from({ length: 1 + choices.below(3) }, () => ({
      ...writeValue(choices, scope, abilities, 1),
      name: choices.fresh('n'),
      target,
    }))
    const words = choices.pick(['INSERT INTO TABLE', 'INSERT OVERWRITE TABLE'])
    return { items, sql: `${words} ${target} SELECT ${items.map((item) => `${item.sql} AS ${item.name}`).join(', ')}` }
  })
  const columns = inserts.flatMap(({ items }) => items.map(({ name, sources, target }) => ({ name, sources, target })))
  return { sql: `FROM ${table.sql} ${inserts.map(({ sql }) => sql).join(' ')}`, target: TARGET, columns }
}

function writeMerge(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const query = writeQuery(context, 1, { ctes: false })
  const scope = qualified(context, { alias: 's', columns: query.columns })
  const key = writeColumn(choices, scope, abilities)
  context.uses.add(`JOIN ${TARGET}.k`)
  note(context.uses, 'JOIN', key)
  const on = `MERGE INTO ${TARGET} x USING (${query.sql}) s ON (x.k = ${key.sql})`
  if (abilities.mergeStar === true && choices.chance(15) && hasUniqueNames(query)) {
    const sql = `${on} WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *`
    return { sql, target: TARGET, columns: query.columns }
  }
  const pick = (): { name: string; sql: string; sources: Sources }[] =>
    Array.from({ length: 1 + choices.below(3) }, (_, i) => ({
      ...writeValue(choices, scope, abilities, 1),
      name: `m${i + 1}`,
    }))
  const updates = pick()
  const inserts = choices.chance(60) ? pick() : []
  const set = updates.map((u) => `${u.name} = ${u.sql}`).join(', ')
  const insert =
    inserts.length === 0
      ? ''
      : ` WHEN NOT MATCHED THEN INSERT (${inserts.map((i) => i.name).join(', ')}) VALUES (${inserts.map((i) => i.sql).join(', ')})`
  const byName = new Map<string, Sources>()
  for (const { name, sources } of [...updates, ...inserts]) {
    byName.set(name, union(byName.get(name) ?? NO_SOURCES, sources))
  }
  const bySource = abilities.mergeBySource === true && choices.chance(25)
  if (bySource) byName.set('gone', NO_SOURCES)
  const columns = [...byName].map(([name, sources]) => ({ name, sources }))
  const condition = choices.chance(25) ? ` AND ${writeMatched(context, scope)}` : ''
  const last = bySource ? ' WHEN NOT MATCHED BY SOURCE THEN UPDATE SET gone = 1' : ''
  const sql = `${on} WHEN MATCHED${condition} THEN UPDATE SET ${set}${insert}${last}`
  return { sql, target: TARGET, columns }
}

function writeMatched({ choices, abilities, uses }: Context, scope: Scope): string {
  const column = writeColumn(choices, scope, abilities)
  note(uses, 'FILTER', column)
  return `${column.sql} IS NOT NULL`
}

function hasUniqueNames({ columns }: WrittenQuery): boolean {
  return new Set(columns.map((column) => column.name.toLowerCase())).size === columns.length
}

function writeInsertAll(context: Context): WrittenStatement {
  const { choices, abilities } = context
  const query: WrittenQuery = writeQuery(context, 1, { ctes: false })
  const picked = Array.from({ length: 1 + choices.below(3) }, (_, i) => {
    const column = choices.pick(query.columns as [OutputColumn, ...OutputColumn[]])
    return { name: `m${i + 1}`, sql: write(column.name, abilities), sources: column.sources }
  })
  const names = picked.map((p) => p.name).join(', ')
  const values = picked.map((p) => p.sql).join(', ')
  const sql = `INSERT ALL INTO ${TARGET} (${names}) VALUES (${values}) ${query.sql}`
  return { sql, target: TARGET, columns: picked.map(({ name, sources }) => ({ name, sources })) }
}
