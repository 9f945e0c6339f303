/**
 * Column lineage in patches: `/fineGrainedLineages/<operation>/<downstream>/<query>/<upstream>`, `NONE` for no operation
 * or no query. Before a patch, records become nested maps by these four; afterwards they are grouped again by operation,
 * downstream and query, with the lowest confidence. Records that the four keys cannot hold (several downstreams, no
 * upstreams) pass through untouched; DataHub's own patch fails on the former and drops the latter.
 */
import { isJsonObject, objectsOf, stringsAt, textOf, type JsonObject, type JsonValue } from '../../model/json.ts'

const FIELD = 'fineGrainedLineages'
/** Where records wait that the keys cannot hold; no field of an aspect is called so. */
const ASIDE = '\u0000aside'

export function flattenFineGrained(value: JsonObject): JsonObject {
  const records = objectsOf(value[FIELD])
  const simple = records.filter(isSimple)
  let nested: JsonObject = {}
  for (const record of simple) {
    const [downstream = ''] = stringsAt(record, 'downstreams')
    const path = [named(record.transformOperation), downstream, named(record.query)]
    for (const upstream of stringsAt(record, 'upstreams')) {
      const { upstreams: _, downstreams: __, transformOperation: ___, query: ____, ...rest } = record
      nested = setAt(nested, [...path, upstream], rest)
    }
  }
  return { ...value, [FIELD]: nested, [ASIDE]: records.filter((record) => !isSimple(record)) }
}

export function regroupFineGrained(value: JsonObject): JsonObject {
  const { [ASIDE]: aside, [FIELD]: nested, ...rest } = value
  const kept = objectsOf(aside)
  // A patch may have set the whole list; then it stands as given.
  if (Array.isArray(nested)) return { ...rest, [FIELD]: nested }
  const records = entries(nested).flatMap(([operation, byDownstream]) =>
    entries(byDownstream).flatMap(([downstream, byQuery]) =>
      entries(byQuery).flatMap(([query, byUpstream]) => recordOf({ operation, downstream, query }, byUpstream)),
    ),
  )
  return { ...rest, [FIELD]: [...records, ...kept] }
}

function recordOf(
  keys: { readonly operation: string; readonly downstream: string; readonly query: string },
  byUpstream: JsonValue,
): readonly JsonObject[] {
  const upstreams = entries(byUpstream)
  if (upstreams.length === 0) return []
  const given = upstreams.map(([, one]) => (isJsonObject(one) ? one : {}))
  const scores = given.map((one) => (typeof one.confidenceScore === 'number' ? one.confidenceScore : 1))
  return [
    {
      ...Object.assign({}, ...given),
      upstreamType: given.find((one) => one.upstreamType !== undefined)?.upstreamType ?? 'FIELD_SET',
      upstreams: upstreams.map(([upstream]) => upstream),
      downstreamType: given.find((one) => one.downstreamType !== undefined)?.downstreamType ?? 'FIELD',
      downstreams: [keys.downstream],
      transformOperation: keys.operation,
      confidenceScore: Math.min(...scores),
      ...(keys.query === 'NONE' ? {} : { query: keys.query }),
    },
  ]
}

function isSimple(record: JsonObject): boolean {
  return stringsAt(record, 'downstreams').length === 1 && stringsAt(record, 'upstreams').length > 0
}

function setAt(value: JsonValue | undefined, path: readonly string[], leaf: JsonValue): JsonObject {
  const object = isJsonObject(value) ? value : {}
  const [name = '', ...rest] = path
  return { ...object, [name]: rest.length === 0 ? leaf : setAt(object[name], rest, leaf) }
}

const entries = (value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] =>
  isJsonObject(value) ? Object.entries(value) : []
const named = (value: JsonValue | undefined): string => textOf(value) || 'NONE'
