import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { decode } from '../../../src/model/decode.ts'
import { decodeYaml } from '../../../src/model/yaml.ts'

const Server = Type.Object(
  {
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
    mode: Type.Optional(Type.Enum(['auto', 'ask', 'never'])),
    names: Type.Optional(
      Type.Record(Type.String(), Type.Object({ url: Type.String() }, { additionalProperties: false })),
    ),
  },
  { additionalProperties: false },
)

test('defaults are filled in and the value handed in stays as it is', () => {
  const given = {}
  expect(decode(Server, given)).toEqual({ port: 8080 })
  expect(given).toEqual({})
})

test('an unknown key is named with its place and the nearest known key', () => {
  expect(() => decodeYaml(Server, 'mode: ask\nprot: 1\n', 'h.yaml')).toThrow(
    'h.yaml:2:1 at prot: unknown key "prot", did you mean "port"?',
  )
})

test('a wrong type and a wrong choice are named where the value stands', () => {
  expect(() => decodeYaml(Server, 'port: "80"\nmode: aks\n', 'h.yaml')).toThrow(
    'h.yaml:1:7 at port: expected integer, found "80"\nh.yaml:2:7 at mode: "aks" is not one of auto, ask, never, did you mean "ask"?',
  )
})

test('a key that is missing deep inside is reported at its parent', () => {
  expect(() => decodeYaml(Server, 'names:\n  prod: {}\n', 'h.yaml')).toThrow(
    'h.yaml:2:3 at names.prod: missing key "url"',
  )
})

test('broken YAML is reported with line and column, a repeated key too', () => {
  expect(() => decodeYaml(Server, 'port: [1\n', 'h.yaml')).toThrow(/^h\.yaml:2:1: /)
  expect(() => decodeYaml(Server, 'port: 1\nport: 2\n', 'h.yaml')).toThrow('h.yaml:2:1: Map keys must be unique')
})

test('an empty document is an empty object', () => {
  expect(decodeYaml(Server, '# nothing\n', 'h.yaml')).toEqual({ port: 8080 })
})
