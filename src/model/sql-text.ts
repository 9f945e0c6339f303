import { isUtf8 } from 'node:buffer'
import { openSequence } from './utf8.ts'

/** Endings that files of SQL have in repositories: of PL/SQL units, of clients, of dialects. */
const SQL_ENDINGS =
  'sql|sqlx|ddl|dml|tsql|psql|pgsql|plpgsql|mysql|plsql|pls|plb|pks|pkb|pkg|pck|pkh|spc|bdy|tps|tpb|prc|proc|prg|fnc|fun|trg|trig|vw|mv|hql|hive|bteq|btq|btx|bq|bqsql|snowsql|db2|clp'
const SQL_FILE = new RegExp(String.raw`\.(?:${SQL_ENDINGS})$`, 'i')

/** Whether a file is one of SQL by its name. */
export function isSqlFile(name: string): boolean {
  return SQL_FILE.test(name)
}

/**
 * Decodes SQL as it lies in repositories, piece by piece: UTF-8, or UTF-16 where a byte order mark says so (SQL Server's
 * tools write it). A file that turns out to be neither is read as Windows-1252 from the first such byte on: it changes
 * letters in comments and literals, and its lineage is not lost. Byte order marks are left out.
 */
export async function* decodeSqlText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let pending: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let bytes: Buffer = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk])
    pending = Buffer.alloc(0)
    if (decoder === undefined && bytes.length < 4) {
      pending = bytes
      continue
    }
    decoder ??= new TextDecoder(encodingOf(bytes))
    if (decoder.encoding === 'utf-8') {
      const open = openSequence(bytes)
      if (isUtf8(bytes.subarray(0, bytes.length - open))) {
        pending = bytes.subarray(bytes.length - open)
        bytes = bytes.subarray(0, bytes.length - open)
      } else decoder = new TextDecoder('windows-1252')
    }
    yield decoder.decode(bytes, { stream: decoder.encoding.startsWith('utf-16') })
  }
  decoder ??= new TextDecoder(encodingOf(pending))
  if (decoder.encoding === 'utf-8' && !isUtf8(pending)) decoder = new TextDecoder('windows-1252')
  const rest = decoder.decode(pending)
  if (rest !== '') yield rest
}

/** The same for bytes that are all at hand. */
export function sqlTextOf(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  return new TextDecoder(encoding === 'utf-8' && !isUtf8(bytes) ? 'windows-1252' : encoding).decode(bytes)
}

/** By the byte order mark, or by the zero bytes that UTF-16 puts beside the letters of ASCII. */
function encodingOf([first, second, third, fourth]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (second === 0 && fourth === 0 && first !== 0) return 'utf-16le'
  if (first === 0 && third === 0 && second !== 0) return 'utf-16be'
  return 'utf-8'
}
