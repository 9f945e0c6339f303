/** Avro schemas, each with one thing that a converter to columns may get wrong. */
const record = (name: string, ...fields: readonly object[]): object => ({ type: 'record', name, fields })
const field = (name: string, type: unknown, more: object = {}): object => ({ name, type, ...more })

const ADDRESS = record('Address', field('street', 'string'), field('zip', ['null', 'string']))
const DAY = { type: 'int', logicalType: 'date' }

export const AVRO_SCHEMAS: Readonly<Record<string, unknown>> = {
  primitives: record(
    'All',
    ...['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'].map((type) => field(`a_${type}`, type)),
  ),
  'optional either way round': record('O', field('a', ['null', 'long']), field('b', ['long', 'null'])),
  'a union of several': record('U', field('u', ['null', 'string', 'int']), field('v', ['int', 'string'])),
  'a union of records': record(
    'U',
    field('pay', [record('Card', field('no', 'string')), record('Cash', field('sum', 'int'))]),
  ),
  'an optional member that is a union of one': record('U', field('one', ['string']), field('none', ['null'])),
  'a record in a record': record('Order', field('id', 'long'), field('to', ADDRESS)),
  'an optional record': record('Order', field('to', ['null', ADDRESS])),
  'three deep': record('A', field('b', record('B', field('c', record('C', field('d', 'int')))))),
  'a list of primitives': record('L', field('tags', { type: 'array', items: 'string' })),
  'a list of records': record('L', field('to', { type: 'array', items: ADDRESS })),
  'an optional list of optional records': record(
    'L',
    field('to', ['null', { type: 'array', items: ['null', ADDRESS] }]),
  ),
  'lists in lists': record('L', field('grid', { type: 'array', items: { type: 'array', items: 'double' } })),
  'a list of a union': record('L', field('any', { type: 'array', items: ['int', 'string', ADDRESS] })),
  maps: record('M', field('a', { type: 'map', values: 'long' }), field('b', { type: 'map', values: ADDRESS })),
  'a map of lists': record('M', field('m', { type: 'map', values: { type: 'array', items: DAY } })),
  enums: record('E', field('kind', { type: 'enum', name: 'Kind', symbols: ['A', 'B'], doc: 'Its kind' })),
  fixed: record('F', field('hash', { type: 'fixed', name: 'Hash', size: 16 })),
  'logical types': record(
    'T',
    field('day', DAY),
    field('at', { type: 'long', logicalType: 'timestamp-millis' }),
    field('at_micros', ['null', { type: 'long', logicalType: 'timestamp-micros' }]),
    field('time', { type: 'int', logicalType: 'time-millis' }),
    field('sum', { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 }),
    field('id', { type: 'string', logicalType: 'uuid' }),
    field('beside', 'int', { logicalType: 'date' }),
    field('unknown', { type: 'string', logicalType: 'colour' }),
  ),
  'documents and properties': record(
    'D',
    field('a', 'string', { doc: 'Its name' }),
    field('b', { ...ADDRESS, doc: 'Where to' }),
    field('c', { type: 'string', 'java.class': 'Text' }, { pii: true, levels: [1, 2] }),
  ),
  defaults: record(
    'D',
    field('a', 'string', { default: 'x', doc: 'Its name' }),
    field('b', 'int', { default: 7 }),
    field('c', ['null', 'int'], { default: null }),
  ),
  deprecated: record('D', field('old', 'string', { deprecated: 'use new', doc: 'Was here' }), field('new', 'string')),
  'native types': record('N', field('a', { type: 'string', native_data_type: 'varchar(20)', _nullable: true })),
  'names used again': {
    type: 'record',
    name: 'Order',
    namespace: 'com.shop',
    fields: [
      field('to', { ...ADDRESS, namespace: 'com.shop.parts' }),
      field('from', 'com.shop.parts.Address'),
      field('kind', { type: 'enum', name: 'Kind', symbols: ['A'] }),
      field('former', 'Kind'),
      field('last', 'com.shop.Kind'),
    ],
  },
  'a record within itself': record('Node', field('id', 'int'), field('below', { type: 'array', items: 'Node' })),
  'a list alone': { type: 'array', items: ADDRESS },
  'a primitive alone': 'string',
  'a union alone': ['null', ADDRESS, record('Other', field('x', 'int'))],
}
