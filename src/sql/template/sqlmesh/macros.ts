/** SQLMesh's macros that give SQL, by what dbt's macros of the same meaning give. */

import { DBT_UTILS_MACROS } from '../macros/dbt-utils.ts'
import { MacroCall, type MacroContext, type Meaning } from '../macros/meaning.ts'
import { relationText, show } from '../show.ts'
import { type CallArguments, ListValue, RelationValue, type Value } from '../values.ts'
import { relationNamed } from './model.ts'
import { bare, type MeshValue, sqlOf } from './values.ts'

export interface MeshArguments {
  readonly positional: readonly MeshValue[]
  readonly named: ReadonlyMap<string, MeshValue>
}

/** How an argument is taken: as a table, as SQL, as the text inside of its quotes, as a list, as a list in one text. */
type Taken = 'relation' | 'sql' | 'bare' | 'list' | 'joined'

interface Macro {
  readonly meaning: Meaning
  /** Parameters in order, by the name that dbt gives them; further arguments are taken as the last. */
  readonly parameters: readonly (readonly [name: string, taken: Taken, meshName?: string])[]
}

const utils = (name: string): Meaning => DBT_UTILS_MACROS[name]!
const FIELDS = [['field', 'sql']] as const

const MACROS: Readonly<Record<string, Macro>> = {
  star: {
    meaning: utils('star'),
    parameters: [
      ['from', 'relation', 'relation'],
      ['relation_alias', 'bare', 'alias'],
      ['except', 'list', 'exclude'],
      ['prefix', 'bare'],
      ['suffix', 'bare'],
    ],
  },
  generate_surrogate_key: { meaning: utils('generate_surrogate_key'), parameters: FIELDS },
  safe_add: { meaning: utils('safe_add'), parameters: FIELDS },
  safe_sub: { meaning: utils('safe_subtract'), parameters: FIELDS },
  safe_div: {
    meaning: utils('safe_divide'),
    parameters: [
      ['numerator', 'sql'],
      ['denominator', 'sql'],
    ],
  },
  haversine_distance: { meaning: utils('haversine_distance'), parameters: FIELDS },
  pivot: {
    meaning: utils('pivot'),
    parameters: [
      ['column', 'sql'],
      ['values', 'list'],
      ['alias', 'sql'],
      ['agg', 'bare'],
      ['cmp', 'bare'],
      ['prefix', 'bare'],
      ['suffix', 'bare'],
      ['then_value', 'sql'],
      ['else_value', 'sql'],
    ],
  },
  deduplicate: {
    meaning: utils('deduplicate'),
    parameters: [
      ['relation', 'relation'],
      ['partition_by', 'joined'],
      ['order_by', 'joined'],
    ],
  },
  date_spine: { meaning: utils('date_spine'), parameters: [['datepart', 'bare']] },
  union: {
    meaning: union,
    parameters: [
      ['type', 'bare'],
      ['tables', 'relation'],
    ],
  },
}

/** The SQL of a macro; undefined where SQLMesh has no such macro. */
export function macroSql(name: string, args: MeshArguments, context: MacroContext): string | undefined {
  if (!Object.hasOwn(MACROS, name)) return undefined
  const { meaning, parameters } = MACROS[name]!
  const last = parameters.at(-1)!
  const positional = args.positional.map((value, at) => taken(value, (parameters[at] ?? last)[1]))
  const named = new Map<string, Value>()
  for (const [key, value] of args.named) {
    const parameter = parameters.find(([own, , mesh]) => own === key || mesh === key)
    if (parameter) named.set(parameter[0], taken(value, parameter[1]))
  }
  const given: CallArguments = { positional, named }
  return show(meaning(new MacroCall(given, context)), context.holes)
}

function taken(value: MeshValue, as: Taken): Value {
  const items = typeof value === 'object' && !('body' in value) ? value : [value]
  switch (as) {
    case 'relation':
      return new RelationValue(relationNamed(bare(value)))
    case 'bare':
      return bare(value)
    case 'joined':
      return items.map(bare).join(', ')
    case 'list':
      return new ListValue(items.map(bare))
    default:
      return sqlOf(value).toLowerCase() === 'false' ? false : sqlOf(value)
  }
}

/** `@UNION('all', a, b)`: the columns that all of the tables have. */
function union(call: MacroCall): string {
  const [first, ...others] = call.args.positional
  const isType = typeof first === 'string' && /^(?:all|distinct)$/i.test(first)
  const tables = isType || typeof first === 'string' ? others : call.args.positional
  const known = tables.map((table) => call.columns(table))
  const shared = known.every((columns) => columns !== undefined)
    ? known[0]?.filter((name) =>
        known.every((columns) => columns.some((one) => one.toLowerCase() === name.toLowerCase())),
      )
    : undefined
  const all = isType && first.toLowerCase() === 'distinct' ? '' : ' all'
  return tables
    .map(
      (table) =>
        `select ${shared?.join(', ') ?? '*'} from ${table instanceof RelationValue ? relationText(table) : ''}`,
    )
    .join(`\nunion${all}\n`)
}
