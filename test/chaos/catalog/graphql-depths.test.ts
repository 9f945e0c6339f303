/**
 * Documents made at random over the introspected schema, to every field of every type, of entities whose aspects hold
 * what nobody expects: no failure of ours, no null where the schema promises a value.
 */
import * as fc from 'fast-check'
import {
  buildClientSchema,
  getIntrospectionQuery,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Proposal } from '../../../src/model/proposal.ts'
import { aspectNamed, entityTypes } from '../../../src/model/registry/registry.ts'
import { asUrn, entityTypeOf } from '../../../src/model/urn.ts'
import { hive, testCatalog, type TestCatalog } from '../../support/catalog.ts'

const RUNS = Number(process.env['HEADWATER_FUZZ_RUNS'] ?? 150)
const MAX_DEPTH = 7
/** Composite fields of one selection; the scalar ones are all asked for. */
const MAX_BRANCHES = 3

let c: TestCatalog
let schema: GraphQLSchema
const urns: string[] = []

beforeAll(async () => {
  c = await testCatalog()
  schema = buildClientSchema(await c.gql(getIntrospectionQuery()))
})
afterAll(() => c[Symbol.asyncDispose]())

/** One entity of each type, with each of its aspects that takes the value. */
async function writeWorld(value: (aspect: string) => object): Promise<void> {
  for (const type of entityTypes()) {
    const key = type.keyFields.map((field) => KEY_PARTS[field] ?? 'x')
    const urn = `urn:li:${type.name}:${key.length > 1 ? `(${key.join(',')})` : key[0]}`
    urns.push(urn)
    const written = [...type.aspects].filter((one) => aspectNamed(one)?.kind === 'versioned' && one !== 'status')
    // Refused where the aspect has a schema; what it takes is what is read below.
    await Promise.allSettled(written.map((aspect) => c.catalog.ingest([proposal(urn, aspect, value(aspect))], ACTOR)))
  }
}

function proposal(urn: string, aspectName: string, value: object): Proposal {
  const entityUrn = asUrn(urn)
  return { entityType: entityTypeOf(entityUrn), entityUrn, changeType: 'UPSERT', aspectName, aspect: { ...value } }
}

const ACTOR = asUrn('urn:li:corpuser:fuzz')
const KEY_PARTS: Readonly<Record<string, string>> = {
  platform: 'urn:li:dataPlatform:hive',
  origin: 'PROD',
  parent: hive('x'),
  fieldPath: 'x',
  flow: 'urn:li:dataFlow:(airflow,x,PROD)',
}

/** Members that resolvers look at, each with what it should not be. */
const MEMBERS =
  'name description created lastModified owners tags terms properties fields platform instance typeNames domains path siblings upstreams fineGrainedLineages statement subjects type qualifiedName valueType entityTypes allowedValues container customProperties value removed primary'.split(
    ' ',
  )
const strange = fc.constantFrom<unknown>(
  0,
  -1.5,
  true,
  '',
  'x',
  'urn:li:tag:x',
  'urn:li:nothing:x',
  [],
  [1],
  ['urn:li:corpuser:x'],
  {},
  { time: 'x' },
  [{}],
  [{ tag: 5, owner: 'urn:li:tag:x', urn: 'x' }],
  '\ud83d\ude00',
)

test('no document over the schema fails inside, whatever the aspects hold', { timeout: 120_000 }, async () => {
  const chance = fc.sample(fc.dictionary(fc.constantFrom(...MEMBERS), strange, { minKeys: 3 }), {
    numRuns: 400,
    seed: 7,
  })
  let taken = 0
  await writeWorld(() => chance[taken++ % chance.length] ?? {})
  const asked = new Set<string>()
  const typeNames = await c.gql('query t($urns: [String!]!) { entities(urns: $urns) { __typename } }', { urns })
  const typeOf = new Map(urns.map((urn, index) => [urn, typeNames.entities[index].__typename as string]))
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(10_000)), fc.nat(10_000), async (numbers, turn) => {
      const document = new Documents(schema, () => numbers.next().value ?? 0, asked)
      // Half of them begin at an entity and ask for what its type has; the others begin anywhere.
      const urn = urns[turn % urns.length] ?? ''
      const query = turn % 2 === 0 ? document.ofEntity(urn, typeOf.get(urn) ?? '') : document.query()
      const { json } = await c.call('POST', '/api/graphql', { query })
      const bad = (json?.errors ?? []).filter(
        ({ extensions }: { extensions: { code?: number; classification?: string } }) =>
          extensions.code === 500 ||
          (extensions.code === undefined && extensions.classification !== 'DataFetchingException'),
      )
      expect(bad, query).toEqual([])
    }),
    // What was asked before decides what is asked next, so a document cannot be made smaller by itself.
    { numRuns: RUNS * 2, endOnFailure: true },
  )
  // Not by luck: the documents met nearly every field that a query can reach.
  const all = reachable(schema)
  const missed = [...all].filter((field) => !asked.has(field))
  expect(missed.length, `of ${all.size} fields, not asked for: ${missed.join(', ')}`).toBeLessThan(all.size / 20)
})

/** Every field of every object type that a query leads to. */
function reachable(of: GraphQLSchema): ReadonlySet<string> {
  const fields = new Set<string>()
  const seen = new Set<GraphQLNamedType>()
  const visit = (type: GraphQLNamedType): void => {
    if (seen.has(type)) return
    seen.add(type)
    if (isAbstractType(type)) of.getPossibleTypes(type).forEach(visit)
    if (!isObjectType(type)) return
    for (const field of Object.values(type.getFields())) {
      fields.add(`${type.name}.${field.name}`)
      visit(getNamedType(field.type))
    }
  }
  const query = of.getQueryType()
  if (query) visit(query)
  return fields
}

class Documents {
  readonly #schema: GraphQLSchema
  readonly #next: () => number
  readonly #asked: Set<string>
  #room = 60

  /** @param next a number at random. @param asked gets each field that is asked for */
  constructor(of: GraphQLSchema, next: () => number, asked: Set<string>) {
    this.#schema = of
    this.#next = next
    this.#asked = asked
  }

  query(): string {
    const root = this.#schema.getQueryType()
    if (!root) throw new Error('there is no query type')
    const field = this.#pick(Object.values(root.getFields()))
    this.#asked.add(`${root.name}.${field.name}`)
    return `{ ${field.name}${this.#arguments(field.args)}${this.#selection(getNamedType(field.type), 1)} }`
  }

  ofEntity(urn: string, typeName: string): string {
    const type = this.#schema.getType(typeName)
    if (!isObjectType(type)) throw new Error(`there is no type ${typeName}`)
    return `{ entity(urn: ${JSON.stringify(urn)}) { ... on ${typeName}${this.#selection(type, 1)} } }`
  }

  #pick<T>(all: readonly T[]): T {
    return all[this.#next() % all.length] as T
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (isLeafType(type)) return ''
    if (isAbstractType(type)) {
      const one = this.#pick(this.#schema.getPossibleTypes(type))
      return ` { __typename ... on ${one.name}${this.#selection(one, depth)} }`
    }
    return isObjectType(type) ? ` { __typename ${this.#fields(type, depth).join(' ')} }` : ''
  }

  #fields(type: GraphQLObjectType, depth: number): readonly string[] {
    const all = Object.values(type.getFields())
    const leaves = all.filter((field) => isLeafType(getNamedType(field.type)))
    const others = all.filter((field) => !leaves.includes(field))
    const chosen = new Set<(typeof all)[number]>()
    const branches = depth < MAX_DEPTH && others.length > 0 ? MAX_BRANCHES : 0
    for (let n = 0; n < branches && this.#room > 0; n++) {
      const fresh = others.filter((field) => !this.#asked.has(`${type.name}.${field.name}`) && !chosen.has(field))
      chosen.add(this.#pick(fresh.length > 0 ? fresh : others))
      this.#room--
    }
    return [...leaves, ...chosen].map((field) => {
      this.#asked.add(`${type.name}.${field.name}`)
      return `${field.name}${this.#arguments(field.args)}${this.#selection(getNamedType(field.type), depth + 1)}`
    })
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.filter((arg) => isRequiredArgument(arg) || this.#next() % 3 === 0)
    return given.length === 0
      ? ''
      : `(${given.map((arg) => `${arg.name}: ${this.#value(arg.type, arg.name)}`).join(', ')})`
  }

  #value(type: GraphQLInputType, name: string): string {
    if (isNonNullType(type)) return this.#value(type.ofType, name)
    if (isListType(type)) return `[${this.#value(type.ofType, name)}]`
    if (isEnumType(type)) return this.#pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const members = Object.values(type.getFields()).filter(
        (field) => isRequiredInputField(field) || this.#next() % 4 === 0,
      )
      return `{${members.map((field) => `${field.name}: ${this.#value(field.type, field.name)}`).join(', ')}}`
    }
    if (type.name === 'Boolean') return this.#next() % 2 === 0 ? 'true' : 'false'
    if (type.name === 'Int' || type.name === 'Long' || type.name === 'Float') return String(this.#next() % 50)
    if (/urn/i.test(name)) return JSON.stringify(this.#pick(urns))
    return JSON.stringify(this.#pick(['*', 'x', 'degree', 'platform', '', '1']))
  }
}
