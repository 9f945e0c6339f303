/** Functions that read files: each file is a relation. */

import type { Relation } from '../ir/query.ts'
import { T } from '../lexer/tokens.ts'
import { FIRST } from './plain-query.ts'
import { type Cursor, stringValue } from './cursor.ts'

/** Functions whose first literal argument is the file that they read. */
export const FILE_READERS = new Set(
  'read_csv,read_csv_auto,read_parquet,parquet_scan,read_json,read_json_auto,read_json_objects,read_ndjson,read_ndjson_auto,read_ndjson_objects,read_text,read_blob,delta_scan,iceberg_scan,sniff_csv,read_xlsx,st_read,read_files,cloud_files,s3,s3cluster,gcs,hdfs,file,url,azureblobstorage,deltalake,iceberg,files,read_avro,read_kafka'.split(
    ',',
  ),
)

/** 'path', ['path', 'path']. */
export function readFiles(c: Cursor, relations: Relation[]): boolean {
  // T-SQL: OPENROWSET(BULK ('a', 'b'), …).
  const list = c.at(T.LBRACKET) || (c.at(T.LPAREN) && c.peek(1) === T.STRING)
  if (!list && !c.at(T.STRING)) return false
  // DuckDB: [f(x) FOR x IN y] and []::VARCHAR[] are values like any other.
  if (list && c.peek(1) !== T.STRING) return false
  if (c.at(T.STRING) && c.peek(1) === T.EQUALS) return readFileProperties(c, relations)
  if (list) c.pos++
  do {
    if (!c.at(T.STRING)) break
    const start = c.start()
    const value = stringValue(c.textAt(c.pos))
    c.pos++
    relations.push({
      kind: 'table',
      name: { parts: [value], start, end: c.end(), sort: 'path', quoted: 1 },
      join: FIRST,
      pivots: [],
      start,
      end: c.end(),
    })
    if (!list) break
  } while (c.take(T.COMMA))
  if (list && !c.take(T.RBRACKET)) c.take(T.RPAREN)
  return true
}

const PATH_PROPERTIES: ReadonlySet<string> = new Set(['path', 'uri', 'file_path'])

/** StarRocks and Doris: FILES('path' = 's3://…', 'format' = 'csv'), S3('uri' = …). */
function readFileProperties(c: Cursor, relations: Relation[]): boolean {
  while (c.at(T.STRING) && c.peek(1) === T.EQUALS) {
    const start = c.start()
    const key = stringValue(c.textAt(c.pos)).toLowerCase()
    c.pos += 2
    if (PATH_PROPERTIES.has(key) && c.at(T.STRING)) {
      const parts = [stringValue(c.textAt(c.pos))]
      const name = { parts, start, end: c.ends[c.pos]!, sort: 'path', quoted: 1 } as const
      relations.push({ kind: 'table', name, join: FIRST, pivots: [], start, end: name.end })
    }
    c.pos++
    if (!c.take(T.COMMA)) break
  }
  return true
}
