/** A word: a keyword, a name, or what a string begins with (`E'…'`). Its hash is made while its end is looked for. */

import { continuesName, startsName } from './chars.ts'
import { DOUBLE_QUOTE, HASH, HOLE, QUOTE } from './codes.ts'
import { keywordAt } from './keywords.ts'
import { gluedVariableEnd } from './name.ts'
import { readPrefixedString } from './quoted.ts'
import type { Scan } from './scan.ts'
import { T } from './tokens.ts'
import { K } from './words.ts'

export function readWord(scan: Scan, start: number): void {
  const { text, length, client, dialect, hashInNames } = scan
  let at = start
  let hash = 0
  let code = 0
  let plain = true
  const stop = client === undefined || client.delimiter === '' ? -1 : client.delimiter.charCodeAt(0)
  while (at < length) {
    code = text.charCodeAt(at)
    // MySQL: END$$
    if (code === stop && at > start && text.startsWith(client!.delimiter, at)) break
    if (code < 128 ? continuesName(code) || (code === HASH && hashInNames) : startsName(code)) {
      hash = (Math.imul(hash, 31) + (code | 32)) | 0
      at++
      continue
    }
    // A variable glued into a name: db_${env}, db_$(env), sales_&year.
    const glued = gluedVariableEnd(text, at, code, dialect)
    if (glued === at) break
    plain = false
    at = glued
  }
  if (code === QUOTE && at - start <= 8 && readPrefixedString(scan, start, at, QUOTE)) return
  if (
    code === DOUBLE_QUOTE &&
    at - start <= 2 &&
    dialect.doubleQuotedStrings &&
    readPrefixedString(scan, start, at, DOUBLE_QUOTE)
  )
    return
  if (at - start === 1 && text.charCodeAt(start) === HOLE) return scan.push(T.HOLE, at)
  const keyword = plain ? keywordAt(text, start, at, hash) || abbreviated(scan, start, at) : 0
  if (keyword === K.GO && client?.endsBatch(start, at)) {
    const line = text.indexOf('\n', at)
    return scan.endStatement(T.BATCH, (line < 0 ? length : line) - start)
  }
  if (scan.statementStart) client?.statementBegins(keyword, start)
  scan.push(keyword === 0 ? T.WORD : keyword, at)
}

const ABBREVIATIONS: Readonly<Record<string, number>> = { sel: K.SELECT, ins: K.INSERT, upd: K.UPDATE, del: K.DELETE }

/** Teradata's short forms: SEL, INS, UPD, DEL. */
function abbreviated({ dialect, text }: Scan, start: number, end: number): number {
  if (dialect.name !== 'teradata' || end - start !== 3) return 0
  return ABBREVIATIONS[text.slice(start, end).toLowerCase()] ?? 0
}
