/**
 * What a call gives when it is one of its arguments, or is built of them: the fields of STRUCT(a AS x) and of
 * OBJECT_CONSTRUCT('x', a), the columns that COALESCE(a, b) or ARRAY_AGG(t) may be, the field that
 * STRUCT_EXTRACT(s, 'x') or JSON_VALUE(doc, '$.x') takes out again.
 */

import type { Reference, StructField } from '../ir/expression.ts'
import { shapeOf, type TypeShape } from '../ir/shape.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Alternatives, elementsOf } from './alternatives.ts'
import type { Collector } from './collector.ts'
import { type Cursor, stringValue } from './cursor.ts'
import { takeKey, takeMember } from './field.ts'

/** How the arguments make the value. */
export type Rule =
  /** Each argument but those that choose. */
  | 'branches'
  /** The first argument, or an element of it; of several arguments with a lambda in front, the second. */
  | 'first'
  /** A struct: its arguments are fields, named by alias, `:=` or column. */
  | 'struct'
  /** The same, but known by place. */
  | 'row'
  /** Keys and values in turn, `'a', x` or `'a': x`. */
  | 'pairs'
  /** The first argument's fields, and those that the others name. */
  | 'more'
  /** Field, key or path of the first that the others spell. */
  | 'member'
  | 'key'
  | 'path'
  /** The first as the type has it that the second spells. */
  | 'typed'

const RULES: ReadonlyMap<string, Rule> = new Map(
  (
    [
      [
        'branches',
        'if iff iif coalesce ifnull nvl nvl2 multiif greatest least array_concat array_cat arrayconcat list_concat list_cat array_union concat array array_construct list_value list_append array_append',
      ],
      [
        'first',
        'array_agg any_value arbitrary collect_list collect_set list first last max_by min_by arg_max arg_min argmax argmin first_value last_value ' +
          'nth_value lag lead laginframe leadinframe any anylast grouparray grouparraysorted max min array_max array_min nullif explode explode_outer unnest flatten inline inline_outer posexplode posexplode_outer untuple ' +
          'sort_array array_sort array_distinct array_reverse reverse shuffle slice array_slice list_slice list_sort list_reverse_sort list_distinct list_reverse ' +
          'list_filter filter array_filter arrayfilter arraysort arrayreversesort arrayfirst arraylast arraydistinct arrayreverse arrayslice arrayjoin arraycompact ' +
          'array_first array_last list_first list_last array_compact array_except array_intersect array_remove trim_array element_at try_element_at list_extract array_extract ' +
          'list_element arrayelement map_values mapvalues values jsonb_agg json_agg json_arrayagg json_group_array jsonb_array_elements json_array_elements parse_json try_parse_json to_variant to_object to_array to_json to_jsonb ' +
          'to_json_string tojsonstring row_to_json json json_parse json_serialize as_object as_array object_delete object_pick cast try_cast safe_cast materialize assumenotnull tonullable',
      ],
      ['struct', 'struct struct_pack arrays_zip'],
      ['row', 'row tuple zip list_zip arrayzip'],
      [
        'pairs',
        'named_struct object_construct object_construct_keep_null json_build_object jsonb_build_object json_object jsonb_object map object var_map json_group_object_of',
      ],
      ['more', 'struct_insert object_insert'],
      ['member', 'struct_extract struct_element tupleelement'],
      [
        'key',
        'get json_extract_path json_extract_path_text jsonb_extract_path jsonb_extract_path_text jsonextract jsonextractstring jsonextractint jsonextractfloat jsonextractraw jsonextractarrayraw',
      ],
      [
        'path',
        'get_path json_value json_query json_extract json_extract_string json_extract_scalar json_extract_text get_json_object json_query_array json_extract_array json_value_array ' +
          'try_variant_get variant_get jsonb_path_query_first json_unquote_of',
      ],
      ['typed', 'from_json'],
    ] as const
  ).flatMap(([rule, names]) => names.split(' ').map((name): [string, Rule] => [name, rule])),
)

/** Fields of one struct that are told apart; a longer list of values is no struct that somebody reads by field. */
const MAX_FIELDS = 1000

/** How a function (lower case) makes its value; undefined where it is not known to hand anything on. */
export function ruleOf(name: string): Rule | undefined {
  return RULES.get(name)
}

/** Whether the function makes a document of its argument. */
export function makesDocument(name: string): boolean {
  return name.includes('json') || name.startsWith('to_')
}

/** What the arguments of one call add up to, for all rules but `first`. */
export class CallValue {
  readonly #c: Cursor
  readonly #rule: Rule
  readonly #names: readonly (string | undefined)[]
  readonly #branches = new Alternatives()
  readonly #fields: StructField[] = []
  readonly #keys: string[] = []
  #elements: readonly Reference[] | undefined
  #first: StructField[] | undefined
  #firstReferences: readonly Reference[] = []
  #isOdd = false
  /** The key that the value behind it has; undefined where the next argument is a key. */
  #key: string | undefined
  #packed: string | undefined
  #isLiteral = false
  #token = 0
  #references = 0
  #queries = 0
  #stars = 0

  /** `names`: of a typed struct's fields; undefined for one without a name. */
  constructor(c: Cursor, rule: Rule, names: readonly (string | undefined)[]) {
    this.#c = c
    this.#rule = rule
    this.#names = names
  }

  /** The cursor stands at an argument. */
  open(x: Collector): void {
    const c = this.#c
    this.#references = x.references.length
    this.#queries = x.queries.length
    this.#stars = x.stars.length
    this.#token = c.at(K.KEY) && c.peek(1) === T.STRING ? c.pos + 1 : c.pos
    this.#isLiteral = c.types[this.#token] === T.STRING || c.types[this.#token] === T.NUMBER
    this.#packed = c.peek(1) === T.ASSIGN || c.peek(1) === T.FAT_ARROW ? c.nameAt(c.pos) : undefined
  }

  /** The argument was read, what stands behind it up to the comma not yet. `chooses`: it decides which other is taken. */
  read(x: Collector, index: number, chooses: boolean): void {
    const c = this.#c
    switch (this.#rule) {
      case 'branches':
        if (!chooses) this.#branches.add(x, this.#references, this.#queries)
        return
      case 'first':
      case 'more':
      case 'member':
      case 'key':
      case 'path':
      case 'typed':
        if (index === 0) this.#keep(x)
        else if (this.#rule === 'more' && this.#packed !== undefined) this.#add(x, this.#packed)
        else if (this.#rule === 'more') this.#addPair(x)
        else if (this.#isLiteral) this.#keys.push(this.#literal())
        return
      case 'struct':
      case 'row': {
        const alias = c.at(K.AS) && c.isName(c.pos + 1) ? c.nameAt(c.pos + 1) : undefined
        const own = x.form === 'column' && x.nameToken >= 0 ? c.nameAt(x.nameToken) : undefined
        const place = PLACE_NAMES[c.dialect.name]?.(index + 1)
        // Hive: struct(a, b) has col1 and col2.
        if (c.dialect.name === 'hive') return this.#add(x, place ?? '')
        this.#add(
          x,
          this.#names[index] ?? this.#packed ?? alias ?? (this.#rule === 'row' ? undefined : own) ?? place ?? '',
        )
        return
      }
      case 'pairs':
        this.#addPair(x)
    }
  }

  /** What stood behind the argument was read as well: the value of a pair with a colon. */
  close(x: Collector): void {
    if (
      this.#rule === 'pairs' &&
      this.#key !== undefined &&
      x.references.length + x.queries.length > this.#references + this.#queries
    ) {
      const key = this.#key
      this.#key = undefined
      this.#add(x, key)
    }
  }

  /** All arguments were read: says of the whole what they make. */
  give(x: Collector): void {
    x.fields = undefined
    x.elements = undefined
    switch (this.#rule) {
      case 'branches':
        this.#branches.give(x)
        return
      case 'struct':
      case 'row':
      case 'pairs':
        if (this.#fields.length > 0 && this.#fields.length <= MAX_FIELDS && !this.#isOdd) x.fields = this.#fields
        return
      case 'more':
        if (this.#first) x.fields = [...this.#first, ...this.#fields]
        return
      case 'typed':
        this.#giveTyped(x)
        return
      case 'member':
      case 'key':
      case 'path':
        this.#take(x)
        return
      case 'first':
    }
  }

  #keep(x: Collector): void {
    this.#first = x.fields
    this.#elements = elementsOf(x)
    this.#firstReferences = x.references.slice(this.#references)
  }

  #take(x: Collector): void {
    x.fields = this.#first
    x.elements = this.#elements
    const [key] = this.#keys
    if ((!x.fields && !x.elements) || key === undefined) {
      x.fields = undefined
      x.elements = undefined
    } else if (this.#rule === 'member') takeMember(x, key, this.#c.ends[this.#token]!)
    else for (const one of this.#rule === 'path' ? pathKeys(key) : this.#keys) takeKey(x, one)
    x.form = 'other'
  }

  /** FROM_JSON(doc, 'a INT, b STRING'): fields by the type, all of the document. */
  #giveTyped(x: Collector): void {
    const text = this.#keys[0]
    const shape = text === undefined ? undefined : (shapeOf(text) ?? shapeOf(`STRUCT<${text}>`))
    if (shape) x.fields = typedFields(shape, this.#firstReferences)
  }

  #literal(): string {
    const text = this.#c.textAt(this.#token)
    return this.#c.types[this.#token] === T.STRING ? stringValue(text) : text
  }

  #addPair(x: Collector): void {
    if (x.stars.length > this.#stars) return this.#add(x, '')
    if (this.#key !== undefined) {
      this.#add(x, this.#key)
      this.#key = undefined
    } else if (this.#isLiteral) this.#key = this.#literal()
    else this.#isOdd = true
  }

  #add(x: Collector, name: string): void {
    const star = x.stars.length > this.#stars ? x.stars.at(-1)!.star : undefined
    this.#fields.push({
      name: star ? '' : name,
      references: x.references.slice(this.#references),
      queries: x.queries.slice(this.#queries),
      form: x.form,
      ...(x.fields ? { fields: x.fields } : {}),
      ...(star ? { star } : {}),
    })
  }
}

/** Names of fields that have none. */
const PLACE_NAMES: Readonly<Record<string, (place: number) => string>> = {
  spark: (place) => `col${place}`,
  databricks: (place) => `col${place}`,
  hive: (place) => `col${place}`,
  postgres: (place) => `f${place}`,
  greenplum: (place) => `f${place}`,
  materialize: (place) => `f${place}`,
  clickhouse: (place) => String(place),
}

/** A row without names, `(a, b)`: what its fields are called by their places. */
export function placeName(c: Cursor, place: number): string {
  return PLACE_NAMES[c.dialect.name]?.(place) ?? ''
}

/** `$.a.b[0].c`, `lax $.a`, `a.b`: the keys without the places in arrays. */
export function pathKeys(path: string): readonly string[] {
  return path
    .replace(/^\s*(?:lax|strict)?\s*\$\.?/i, '')
    .split(/\.|\[(?:\d+|\*)\]|\['|'\]|\["|"\]|"/)
    .filter((key) => key !== '' && key !== '*')
}

/** Fields under the names that a struct's type gives them. */
export function renamedFields(fields: readonly StructField[], type: string): StructField[] {
  const shape = shapeOf(type)
  if (shape?.fields.length !== fields.length || fields.some((field) => field.star)) return [...fields]
  return fields.map((field, index) => {
    const { name, type: inner } = shape.fields[index]!
    const renamed = field.fields && renamedFields(field.fields, inner)
    return { ...field, name: name === '' ? field.name : name, ...(renamed ? { fields: renamed } : {}) }
  })
}

function typedFields(shape: TypeShape, references: readonly Reference[]): StructField[] {
  return shape.fields.map(({ name, type }) => {
    const inner = shapeOf(type)
    const fields = inner && typedFields(inner, references)
    return { name, references, queries: [], form: 'other', ...(fields ? { fields } : {}) }
  })
}
