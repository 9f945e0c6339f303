/**
 * Statements over the warehouse, each with the lineage that it has by construction: what it fills, and from which columns.
 * A statement is made by its number alone, so a log of any length needs no memory.
 */
import { seededRandom, type Random } from '../../src/cli/demo/random.ts'
import { filledTables, fittingColumn, type WarehouseTable } from './warehouse.ts'

export interface KnownStatement {
  /** SQL in which `$1` stands for a literal that is compared: what differs between runs of the same statement. */
  readonly sql: string
  /** Undefined for a query. */
  readonly target: WarehouseTable | undefined
  /** `table.column` by the target's column. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** Tables that are read into the target. */
  readonly sources: ReadonlySet<string>
}

/** A column of the target, and what fills it. */
interface Filling {
  readonly column: string
  readonly sql: string
  readonly from: readonly string[]
}

interface Writing {
  readonly target: WarehouseTable
  readonly x: WarehouseTable
  readonly y: WarehouseTable
  readonly random: Random
}

type Form = (writing: Writing) => {
  readonly sql: string
  readonly filled: readonly Filling[]
  readonly reads: 'x' | 'xy'
}

const FORMS: readonly [Form, ...Form[]] = [
  columnList,
  byPosition,
  tableAs,
  viewAs,
  mergeInto,
  throughCtes,
  unionOfTwo,
  updateFrom,
  starOfDerived,
  grouped,
  bareNames,
  starOfTable,
]

/** Of a hundred statements so many fill nothing. */
const QUERIES = 20

/** Statement `number` of the seed. */
export function statementAt(number: number, tables: readonly WarehouseTable[], seed: number): KnownStatement {
  const random = seededRandom(seed * 1_000_003 + number)
  const target = random.pick(filledTables(tables))
  const [x, y] = [random.pick(target.from), random.pick(target.from)]
  if (random.next() * 100 < QUERIES) {
    const columns = x.columns.filter(() => random.next() < 0.5).map((column) => `x.${column}`)
    const sql = `select ${[`x.${x.columns[0]}`, ...columns].join(', ')} from ${x.name} x where ${condition({ target, x, y, random })}`
    return { sql, target: undefined, columns: new Map(), sources: new Set() }
  }
  const { sql, filled, reads } = random.pick(FORMS)({ target, x, y, random })
  return {
    sql,
    target,
    columns: new Map(filled.map(({ column, from }) => [column, from])),
    sources: new Set(reads === 'x' ? [x.name] : [x.name, y.name]),
  }
}

/** What is compared with a literal that differs from run to run. */
function condition({ x, random }: Writing, alias = 'x.'): string {
  return `${alias}${random.pick(x.columns)} > $1 and ${alias}${random.pick(x.columns)} is not null`
}

function joined({ x, y, random }: Writing): string {
  return `${x.name} x join ${y.name} y on x.${random.pick(x.columns)} = y.${random.pick(y.columns)}`
}

/** What fills one column, of a row of `x`, or of `x` and `y`. */
function value({ target, x, y, random }: Writing, at: number, reads: 'x' | 'xy' = 'xy', alias = 'x.'): Filling {
  const column = target.columns[at] ?? 'id'
  const left = fittingColumn(x, at, random)
  const a = { sql: `${alias}${left}`, from: `${x.name}.${left}` }
  const right = reads === 'xy' ? fittingColumn(y, at, random) : fittingColumn(x, at, random)
  const b =
    reads === 'xy'
      ? { sql: `y.${right}`, from: `${y.name}.${right}` }
      : { sql: `${alias}${right}`, from: `${x.name}.${right}` }
  const number = random.between(2, 98)
  switch (random.between(0, 7)) {
    case 0:
      return { column, sql: `upper(${a.sql})`, from: [a.from] }
    case 1:
      return { column, sql: `coalesce(${a.sql}, ${b.sql})`, from: [a.from, b.from] }
    case 2:
      return { column, sql: `${a.sql} * ${number} + ${b.sql}`, from: [a.from, b.from] }
    case 3:
      return { column, sql: `cast(${a.sql} as varchar(${number}))`, from: [a.from] }
    case 4:
      return { column, sql: `round((${a.sql} - ${b.sql}) / ${number}.0, 2)`, from: [a.from, b.from] }
    default:
      return { column, sql: a.sql, from: [a.from] }
  }
}

/** Some columns of the target, in order. */
function someColumns({ target, random }: Writing): readonly number[] {
  const first = random.between(0, target.columns.length - 1)
  return [...target.columns.keys()].filter((at) => at === first || random.next() < 0.5)
}

function allValues(writing: Writing, reads: 'x' | 'xy'): readonly Filling[] {
  return writing.target.columns.map((_, at) => value(writing, at, reads))
}

function someValues(writing: Writing, reads: 'x' | 'xy', alias?: string): readonly Filling[] {
  return someColumns(writing).map((at) => value(writing, at, reads, alias))
}

const names = (filled: readonly Filling[]): string => filled.map(({ column }) => column).join(', ')
const values = (filled: readonly Filling[]): string => filled.map(({ sql }) => sql).join(', ')
const named = (filled: readonly Filling[]): string => filled.map(({ column, sql }) => `${sql} as ${column}`).join(', ')

function columnList(writing: Writing): ReturnType<Form> {
  const filled = someValues(writing, 'xy')
  const select = `select ${values(filled)} from ${joined(writing)} where ${condition(writing)}`
  return { sql: `insert into ${writing.target.name} (${names(filled)}) ${select}`, filled, reads: 'xy' }
}

/** Which column each value goes to only the target's schema tells. */
function byPosition(writing: Writing): ReturnType<Form> {
  const filled = allValues(writing, 'xy')
  const select = `select ${values(filled)} from ${joined(writing)} where ${condition(writing)}`
  return { sql: `insert into ${writing.target.name} ${select}`, filled, reads: 'xy' }
}

function tableAs(writing: Writing): ReturnType<Form> {
  const filled = allValues(writing, 'xy')
  const select = `select ${named(filled)} from ${joined(writing)} where ${condition(writing)}`
  return { sql: `create table ${writing.target.name} as ${select}`, filled, reads: 'xy' }
}

function viewAs(writing: Writing): ReturnType<Form> {
  const filled = allValues(writing, 'x')
  const select = `select ${named(filled)} from ${writing.x.name} x where ${condition(writing)}`
  return { sql: `create or replace view ${writing.target.name} as ${select}`, filled, reads: 'x' }
}

function mergeInto(writing: Writing): ReturnType<Form> {
  const { target } = writing
  const filled = someValues(writing, 'xy')
  const key = target.columns[0]
  const select = `select ${filled.map(({ sql }, at) => `${sql} as v${at}`).join(', ')} from ${joined(writing)} where ${condition(writing)}`
  const set = filled.map(({ column }, at) => `${column} = s.v${at}`).join(', ')
  const list = filled.map((_, at) => `s.v${at}`).join(', ')
  const sql = `merge into ${target.name} t using (${select}) s on t.${key} = s.v0 when matched then update set ${set} when not matched then insert (${names(filled)}) values (${list})`
  return { sql, filled, reads: 'xy' }
}

function throughCtes(writing: Writing): ReturnType<Form> {
  const filled = someValues(writing, 'xy')
  const inner = filled.map(({ sql }, at) => `${sql} as v${at}`).join(', ')
  const ctes = `with a as (select ${inner} from ${joined(writing)}), b as (select * from a where a.v0 > $1)`
  const list = filled.map((_, at) => `b.v${at}`).join(', ')
  return {
    sql: `insert into ${writing.target.name} (${names(filled)}) ${ctes} select ${list} from b`,
    filled,
    reads: 'xy',
  }
}

function unionOfTwo(writing: Writing): ReturnType<Form> {
  const { target, x, y, random } = writing
  const at = someColumns(writing)
  const upper = at.map((one) => value(writing, one, 'x'))
  const lower = at.map((one) => fittingColumn(y, one, random))
  const filled = upper.map((one, n) => ({ ...one, from: [...one.from, `${y.name}.${lower[n]}`] }))
  const sql = `insert into ${target.name} (${names(filled)}) select ${values(upper)} from ${x.name} x where ${condition(writing)} union all select ${lower.map((column) => `y.${column}`).join(', ')} from ${y.name} y`
  return { sql, filled, reads: 'xy' }
}

function updateFrom(writing: Writing): ReturnType<Form> {
  const { target, x, random } = writing
  const filled = someValues(writing, 'x')
  const set = filled.map(({ column, sql }) => `${column} = ${sql}`).join(', ')
  const sql = `update ${target.name} as t set ${set} from ${x.name} x where t.${target.columns[0]} = x.${random.pick(x.columns)} and ${condition(writing)}`
  return { sql, filled, reads: 'x' }
}

function starOfDerived(writing: Writing): ReturnType<Form> {
  const filled = allValues(writing, 'xy')
  const inner = `select ${filled.map(({ sql }, at) => `${sql} as v${at}`).join(', ')} from ${joined(writing)} where ${condition(writing)}`
  return { sql: `insert into ${writing.target.name} select d.* from (${inner}) d`, filled, reads: 'xy' }
}

function grouped(writing: Writing): ReturnType<Form> {
  const [key, ...rest] = someValues(writing, 'xy')
  if (key === undefined) throw new TypeError('a statement without columns')
  const sums = rest.map((one, at) => ({ ...one, sql: `${['sum', 'max', 'min'][at % 3]}(${one.sql})` }))
  const filled = [key, ...sums]
  const sql = `insert into ${writing.target.name} (${names(filled)}) select ${values(filled)} from ${joined(writing)} where ${condition(writing)} group by ${key.sql} having count(*) > $1`
  return { sql, filled, reads: 'xy' }
}

/** Columns without the name of their table. */
function bareNames(writing: Writing): ReturnType<Form> {
  const filled = someValues(writing, 'x', '')
  const sql = `insert into ${writing.target.name} (${names(filled)}) select ${values(filled)} from ${writing.x.name} where ${condition(writing, '')}`
  return { sql, filled, reads: 'x' }
}

/** The star of a table whose columns only its schema tells. */
function starOfTable(writing: Writing): ReturnType<Form> {
  const { target, x } = writing
  const filled = target.columns.map((column, at) => ({ column, sql: '', from: [`${x.name}.${x.columns[at]}`] }))
  return {
    sql: `insert into ${target.name} (${names(filled)}) select * from ${x.name} x where ${condition(writing)}`,
    filled,
    reads: 'x',
  }
}
