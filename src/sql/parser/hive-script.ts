/**
 * Hive and Spark: rows that a script changes.
 *
 *   SELECT TRANSFORM (a, b) [ROW FORMAT …] USING 'script' [AS (c INT, d)] [ROW FORMAT …] [RECORDREADER 'class'] FROM t
 *   FROM t MAP a, b USING 'script' AS c, d          FROM t REDUCE a, b USING 'script' AS c, d
 *
 * What comes out derives from all that goes in. Without AS the script gives a key and a value.
 */

import type { Item } from '../ir/expression.ts'
import { T } from '../lexer/tokens.ts'
import { K } from '../lexer/words.ts'
import { Collector } from './collector.ts'
import type { Cursor } from './cursor.ts'
import { scanExpression } from './expression.ts'
import { nameList } from './name-list.ts'

const UNNAMED: readonly string[] = ['key', 'value']

function hasScripts(c: Cursor): boolean {
  const { name } = c.dialect
  return name === 'hive' || name === 'spark' || name === 'databricks'
}

/** Whether MAP or REDUCE stands at the cursor in the place of SELECT. */
export function isMapReduce(c: Cursor): boolean {
  if (!hasScripts(c) || !(c.at(K.MAP) || c.isWord(c.pos, 'reduce'))) return false
  const next = c.peek(1)
  if (next === T.LPAREN || next === T.DOT || next === T.COMMA) return false
  for (let i = c.pos + 1; i < c.count; i++) {
    const type = c.types[i]!
    if (type === K.USING) return c.types[i + 1] === T.STRING
    if (type === T.SEMICOLON || type === T.RPAREN || type === K.SELECT || type === K.FROM) return false
    if (type === T.LPAREN) i = c.closing(i)
  }
  return false
}

/** With the cursor behind MAP or REDUCE. */
export function parseMapReduce(c: Cursor): Item {
  const x = new Collector()
  x.start = c.start()
  do scanExpression(c, x)
  while (c.take(T.COMMA))
  x.end = c.end()
  x.form = 'other'
  return { expression: x, aliases: scriptColumns(c) ?? UNNAMED, start: x.start, end: c.end() }
}

/** The names of what a script gives, with the cursor behind what it takes; undefined where no script follows. */
export function scriptColumns(c: Cursor): readonly string[] | undefined {
  if (!hasScripts(c)) return undefined
  const before = c.pos
  stepOverFormat(c)
  if (!(c.at(K.USING) && c.peek(1) === T.STRING)) {
    c.pos = before
    return undefined
  }
  c.pos += 2
  let names = UNNAMED
  if (c.at(K.AS) && c.peek(1) === T.LPAREN) names = nameList(c, c.pos + 1)
  else if (c.take(K.AS)) {
    const listed = [c.nameAt(c.pos++)]
    while (c.at(T.COMMA) && c.isName(c.pos + 1)) {
      listed.push(c.nameAt(c.pos + 1))
      c.pos += 2
    }
    names = listed
  }
  stepOverFormat(c)
  return names
}

/** ROW FORMAT DELIMITED FIELDS TERMINATED BY '\t', ROW FORMAT SERDE 'class', RECORDREADER 'class'. */
function stepOverFormat(c: Cursor): void {
  for (;;) {
    if ((c.isWord(c.pos, 'recordreader') || c.isWord(c.pos, 'recordwriter')) && c.peek(1) === T.STRING) c.pos += 2
    else if (c.at(K.ROW) && c.peek(1) === K.FORMAT) {
      while (!c.atEnd() && !c.at(K.USING) && !c.at(K.AS) && !c.at(K.FROM) && !c.at(T.RPAREN) && !isRecordWord(c)) {
        if (c.at(T.LPAREN)) c.stepOverParens()
        else c.pos++
      }
    } else return
  }
}

function isRecordWord(c: Cursor): boolean {
  return c.isWord(c.pos, 'recordreader') || c.isWord(c.pos, 'recordwriter')
}
