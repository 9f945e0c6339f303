/** Values as text, as python's `str` and `repr` write them: a tuple in SQL is `('a', 'b')`. */

import { Callable, DictValue, type Holes, ListValue, RelationValue, Unknown, type Value } from './values.ts'

const MAX_DEPTH = 12

/** Text of a value where a template prints it. Unknown values leave the mark of their hole. */
export function show(value: Value, holes: Holes): string {
  if (typeof value === 'string') return value
  if (value === null) return 'None'
  if (value === undefined) return ''
  return represent(value, holes, 0)
}

function represent(value: Value, holes: Holes, depth: number): string {
  if (value instanceof Unknown) return holes.mark(value.hole)
  if (value instanceof RelationValue) return relationText(value)
  if (value instanceof Callable) return ''
  if (depth > MAX_DEPTH) return '…'
  if (value instanceof ListValue) return listText(value, holes, depth + 1)
  if (value instanceof DictValue) {
    const entries = [...value.entries].map(([key, item]) => `${quoted(key)}: ${represent(item, holes, depth + 1)}`)
    return `{${entries.join(', ')}}`
  }
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === undefined || value === null ? 'None' : String(value)
}

function listText(list: ListValue, holes: Holes, depth: number): string {
  const items = list.items.map((item) => represent(item, holes, depth))
  if (!list.tuple) return `[${items.join(', ')}]`
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`
}

function quoted(text: string): string {
  return text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("'", String.raw`\'`)}'`
}

const PLAIN_NAME = /^[\p{L}_#@\ue000-\uf8ff][\p{L}\p{N}_$#@\ue000-\uf8ff]*$/u

/** Words that would not be read as a name without quotes. */
const RESERVED = new Set(
  'all,alter,and,any,as,between,by,case,create,cross,current,default,delete,distinct,drop,else,end,except,exists,fetch,for,from,full,function,group,having,in,inner,insert,intersect,interval,into,is,join,lateral,left,like,limit,merge,minus,natural,not,null,offset,on,or,order,outer,over,partition,pivot,qualify,range,right,row,rows,select,set,table,then,to,union,unnest,unpivot,update,user,using,values,view,when,where,window,with'.split(
    ',',
  ),
)

/** A relation's name as SQL: parts that are no plain word are quoted. */
export function relationText(relation: RelationValue): string {
  return relation.parts.map(identifierText).join('.')
}

/** A name as SQL, quoted where it must be. Backticks are quotes in every dialect of the engine. */
export function identifierText(name: string): string {
  return PLAIN_NAME.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `\`${name.replaceAll('`', '``')}\``
}
