import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hive, testCatalog, type TestCatalog } from '../../support/catalog.ts'

/**
 * Requests made from the catalog's own description: for each operation parameters and bodies of the shapes that it
 * names, and others. Whatever is sent, the answer is as described, is no 5xx but 501, and holds no stack. A failure
 * prints the seed and the smallest request.
 */
const RUNS = Number(process.env['HEADWATER_FUZZ_RUNS'] ?? 8)

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
}

let c: TestCatalog
let operations: readonly Operation[]
beforeAll(async () => {
  c = await testCatalog()
  await c.put(hive('fuzz'), { status: { removed: false }, globalTags: { tags: [] } })
  const description = (await c.call('GET', '/openapi/openapi.json')).json
  operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    // oxlint-disable-next-line typescript/no-explicit-any -- a document that others hold to its schema
    Object.entries(methods as Record<string, any>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.['application/json']?.schema,
    })),
  )
})
afterAll(() => c[Symbol.asyncDispose]())

const words = fc.constantFrom(
  hive('fuzz'),
  'urn:li:tag:a',
  'urn:li:structuredProperty:fuzz',
  'urn:li:corpuser:x',
  'dataset',
  'globalTags',
  'operation',
  'UPSERT',
  '*',
  '0',
  '{}',
  '[]',
)
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '%',
    '1e400',
    '-1',
    'urn:li:dataset:(',
    '../..',
    '9'.repeat(400),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const text = fc.oneof({ weight: 2, arbitrary: words }, nasty)
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.oneof(fc.double(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
    fc.array(tie('anything'), { maxLength: 3 }),
    fc.dictionary(text, tie('anything'), { maxKeys: 3 }),
  ),
}))

/** Values of a schema's shape, and at each place sometimes others. */
function valuesOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  return depth > 6 ? anything : fc.oneof({ weight: 8, arbitrary: shaped(schema, depth) }, anything)
}

function shaped(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((one) => valuesOf(one, depth + 1)))
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const members = Object.fromEntries(properties.map(([name, one]) => [name, valuesOf(one, depth + 1)]))
      const requiredKeys = (schema.required ?? []).filter((name) => name in members)
      return properties.length === 0
        ? fc.dictionary(text, anything, { maxKeys: 3 })
        : fc.record(members, { requiredKeys })
    }
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, depth + 1), { maxLength: 3 })
    case 'string':
      return text
    case 'integer':
      return fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(0, 1, -1))
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    default:
      return anything
  }
}

/** As it may stand in an address: encoded, and at times broken. */
const part = fc.oneof(
  { weight: 6, arbitrary: text.map((one) => encodeURIComponent(one.toWellFormed()) || '-') },
  fc.constantFrom('%', '%zz', '%00', '%E0%A4', '%ED%A0%80', '%u0041'),
)

function requestsOf(operation: Operation) {
  const named = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const query = Object.fromEntries(named('query').map(({ name, schema }) => [name, valuesOf(schema ?? {})]))
  return fc.record({
    segments: fc.array(part, { minLength: 5, maxLength: 5 }),
    query: fc.record(query, { requiredKeys: [] }),
    body: operation.body === undefined ? fc.constant(undefined) : valuesOf(operation.body),
  })
}

function addressOf(path: string, segments: readonly string[], query: Readonly<Record<string, unknown>>): string {
  let at = 0
  const filled = path.replaceAll(/\{\w+\}/g, () => segments[at++ % segments.length] ?? '-')
  const parameters = Object.entries(query).map(([name, value]) => {
    const written = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return `${name}=${encodeURIComponent(written.toWellFormed())}`
  })
  return parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`
}

test('every operation of openapi.json answers as it says, whatever is sent', async () => {
  expect(operations.length).toBeGreaterThan(30)
  for (const operation of operations) {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation), async ({ segments, query, body }) => {
        const sent = operation.method === 'GET' || body === undefined ? undefined : JSON.stringify(body)
        const answer = await c.call(operation.method, addressOf(operation.path, segments, query), sent)
        expect(answer.status >= 500 && answer.status !== 501 ? answer.text : '').toBe('')
        expect(answer.text).not.toMatch(/\n\s+at |node_modules/)
      }),
      { numRuns: RUNS },
    )
  }
})
