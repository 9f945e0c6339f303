/**
 * Commands of the clients that scripts are written for: SQL*Plus, psql, sqlcmd, mysql, SnowSQL, BTEQ, sqlite3. They end with their line and
 * hold free text, so they must be cut out before quotes in them are taken for strings.
 */

import type { Dialect } from '../dialects/dialect.ts'
import { continuesName, isSpace, startsName } from './chars.ts'
import type { Tokens } from './tokens.ts'
import { K } from './words.ts'

/** SQL*Plus commands that never begin a SQL statement. */
const SQLPLUS_COMMANDS = new Set(
  'prompt,pro,rem,remark,spool,spo,whenever,col,ttitle,btitle,compute,comp,define,def,undefine,undef,accept,acc,pause,pau,host,conn,connect,disconnect,disc,timing,clear,cl,repheader,repfooter,archive,password,recover,shutdown,startup,store,describe'.split(
    ',',
  ),
)

/** SQL*Plus commands that share their word with PL/SQL; they are commands outside of a block only. */
const SQLPLUS_OUTSIDE_BLOCKS = new Set(
  'exit,quit,show,sho,print,variable,var,start,column,break,bre,desc,exec_file'.split(','),
)

/** First words of SQL*Plus SET options; every other SET is SQL. */
const SQLPLUS_OPTIONS = new Set(
  'appinfo,arraysize,array,autocommit,auto,autoprint,autorecovery,autotrace,blockterminator,cmdsep,colsep,concat,copycommit,define,def,describe,echo,editfile,embedded,errorlogging,escape,esc,exitcommit,feedback,feed,flagger,flush,heading,head,headsep,instance,linesize,lines,lin,loboffset,logsource,long,longchunksize,markup,newpage,newp,null,numformat,numwidth,num,pagesize,pages,pause,recsep,recsepchar,scan,securedcol,serveroutput,shiftinout,showmode,sqlblanklines,sqlcase,sqlcontinue,sqlnumber,sqlprefix,sqlprompt,sqlterminator,suffix,tab,termout,term,time,timing,trimout,trim,trimspool,trims,underline,verify,ver,wrap,xquery'.split(
    ',',
  ),
)

/** Commands of MultiLoad, FastLoad and TPump that may take several lines. */
const LOAD_COMMANDS = new Set(['begin', 'import', 'dml', 'field', 'filler', 'layout', 'table', 'logtable', 'accept'])

export class ClientLines {
  /** What ends a statement where it is not the semicolon: MySQL's DELIMITER, Db2's terminator. */
  delimiter = ''
  readonly #text: string
  readonly #client: Dialect['client']
  /** Inside a PL/SQL unit, where EXIT and SHOW are not SQL*Plus's. */
  #inBlock = false

  constructor(text: string, client: Dialect['client']) {
    this.#text = text
    this.#client = client
    if (client === 'db2') this.delimiter = terminatorOf(text)
  }

  /** At the start of a statement: end of the client command that stands at `at`, or `at` if none does. */
  lineCommandEnd(at: number): number {
    const code = this.#text.charCodeAt(at)
    if (startsName(code)) return this.#wordCommandEnd(at)
    if (!this.#isLineStart(at)) return at
    const next = this.#text.charCodeAt(at + 1)
    switch (code) {
      case 92: // psql \set, mysql \.
        return this.#has('psql', 'mysql') ? this.#lineEnd(at) : at
      case 58: // sqlcmd :r file
        return this.#has('sqlcmd') && startsName(next) ? this.#lineEnd(at) : at
      case 33: // snowsql !set, hive !connect, sqlcmd !!command
        return this.#lineEnd(at)
      case 46: // BTEQ .IF, sqlite .mode
        if (!startsName(next)) return at
        if (this.#client === 'bteq') return this.#dotCommandEnd(at)
        return this.#has('sqlite') ? this.#lineEnd(at) : at
      case 64: // SQL*Plus @script
        return this.#client === 'sqlplus' ? this.#lineEnd(at) : at
      default:
        return at
    }
  }

  /** psql: `\\copy` is COPY up to the end of its line: that end, or 0. */
  copyCommandEnd(at: number): number {
    return this.#has('psql') && /^\\copy\s/i.test(this.#text.slice(at, at + 6)) && this.#isLineStart(at)
      ? this.#lineEnd(at)
      : 0
  }

  /** psql: `\\gset`, `\\g file` and their kin send the statement that they stand behind; their end, or `at`. */
  sendCommandEnd(at: number): number {
    return this.#has('psql') && startsName(this.#text.charCodeAt(at + 1)) ? this.#lineEnd(at) : at
  }

  /** Whether the token at [start, end) stands alone on its line and so ends a batch (`GO`, `GO 5`, `/`). */
  endsBatch(start: number, end: number): boolean {
    const slash = this.#text.charCodeAt(start) === 47
    if (slash ? !this.#has('sqlplus') : !this.#has('sqlcmd')) return false
    if (!this.#isLineStart(start)) return false
    let at = end
    while (at < this.#text.length && this.#text.charCodeAt(at) !== 10) {
      const code = this.#text.charCodeAt(at)
      if (!isSpace(code) && code !== 59 && (slash || code < 48 || code > 57)) return this.#text.startsWith('--', at)
      at++
    }
    if (slash) this.#inBlock = false
    return true
  }

  /** Told the first word of each statement: blocks change what is a client command. */
  statementBegins(keyword: number, start: number): void {
    if (this.#client !== 'sqlplus' && this.#client !== 'any') return
    if (keyword === K.DECLARE || keyword === K.BEGIN) this.#inBlock = true
    if (
      keyword === K.CREATE &&
      /^create\s+(or\s+replace\s+)?((non)?editionable\s+)?(procedure|function|package|trigger|type\s+body)\b/i.test(
        this.#text.slice(start, start + 90),
      )
    ) {
      this.#inBlock = true
    }
  }

  /** Behind `COPY t FROM stdin;`: end of the data rows that a dump holds there, or 0. */
  copyDataEnd(tokens: Tokens, from: number): number {
    const last = tokens.count - 2
    if (!this.#has('psql') || last < 2 || tokens.types[last] !== K.STDIN) {
      if (!this.#has('psql') || last < 2 || !this.#copiesFromStdin(tokens, last)) return 0
    }
    const end = this.#text.indexOf('\n\\.', from)
    return end < 0 ? 0 : end + 3
  }

  #copiesFromStdin(tokens: Tokens, last: number): boolean {
    for (let i = last; i > 1 && i > last - 40; i--) {
      const type = tokens.types[i]
      if (type === K.STDIN) return tokens.types[i - 1] === K.FROM
      if (type === K.SELECT || type === K.COPY) return false
    }
    return false
  }

  #wordCommandEnd(at: number): number {
    if (this.#client !== 'sqlplus' && this.#client !== 'mysql' && this.#client !== 'any') return at
    const text = this.#text
    let end = at
    while (end < text.length && continuesName(text.charCodeAt(end))) end++
    if (end - at > 12 || !this.#isLineStart(at)) return at
    const word = text.slice(at, end).toLowerCase()
    if (word === 'delimiter' && this.#has('mysql')) return this.#setDelimiter(end)
    if (word === 'source' && this.#client === 'mysql') return this.#lineEnd(at)
    if (!this.#has('sqlplus')) return at
    return this.#isSqlPlus(word, end) ? this.#continuedLineEnd(at) : at
  }

  #isSqlPlus(word: string, end: number): boolean {
    if (this.#client === 'any') {
      // Without a dialect only words that no SQL statement begins with.
      return (
        (word === 'prompt' || word === 'rem' || word === 'spool' || word === 'whenever') &&
        !this.#inBlock &&
        this.#text.charCodeAt(end) !== 40
      )
    }
    if (word === 'set') return !this.#inBlock && SQLPLUS_OPTIONS.has(this.#nextWord(end))
    if (word === 'whenever') return true
    if (SQLPLUS_COMMANDS.has(word)) return !this.#inBlock && this.#isArgument(end)
    return !this.#inBlock && SQLPLUS_OUTSIDE_BLOCKS.has(word) && this.#isArgument(end)
  }

  /** Not followed by what would make the word a name: `prompt := 1`, `define(…)`. */
  #isArgument(end: number): boolean {
    const code = this.#text.charCodeAt(end)
    return !(code === 40 || code === 46 || this.#text.startsWith(':=', end) || this.#text.startsWith(' :=', end))
  }

  #setDelimiter(end: number): number {
    const lineEnd = this.#lineEnd(end)
    const delimiter = this.#text.slice(end, lineEnd).trim().split(/\s/)[0] ?? ''
    this.delimiter = delimiter === ';' ? '' : delimiter
    return lineEnd
  }

  #has(...clients: readonly Dialect['client'][]): boolean {
    return this.#client === 'any' || clients.includes(this.#client)
  }

  #isLineStart(at: number): boolean {
    for (let i = at - 1; i >= 0; i--) {
      const code = this.#text.charCodeAt(i)
      if (code === 10) return true
      if (!isSpace(code)) return false
    }
    return true
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at)
    return end < 0 ? this.#text.length : end
  }

  /** BTEQ's commands end with their line; those of the load utilities go on to their semicolon. */
  #dotCommandEnd(at: number): number {
    const end = this.#lineEnd(at)
    if (!LOAD_COMMANDS.has(this.#nextWord(at + 1)) || this.#text.slice(at, end).includes(';')) return end
    const semicolon = this.#text.indexOf(';', end)
    const command = this.#text.slice(end, semicolon < 0 ? end : semicolon)
    return /\n\s*(\.|$)/.test(command) ? end : end + command.length
  }

  /** A SQL*Plus line that ends with a hyphen goes on. */
  #continuedLineEnd(at: number): number {
    let end = this.#lineEnd(at)
    while (end < this.#text.length && this.#text.slice(at, end).trimEnd().endsWith(' -')) end = this.#lineEnd(end + 1)
    return end
  }

  #nextWord(at: number): string {
    let start = at
    while (start < this.#text.length && isSpace(this.#text.charCodeAt(start))) start++
    let end = start
    while (end < this.#text.length && continuesName(this.#text.charCodeAt(end))) end++
    return this.#text.slice(start, end).toLowerCase()
  }
}

/** Db2's command line: `--#SET TERMINATOR @`, or what a script that is run with `-td@` ends its statements with. */
function terminatorOf(text: string): string {
  const said = /^--#SET[ \t]+TERMINATOR[ \t]+(\S+)/im.exec(text)?.[1]
  if (said !== undefined) return said === ';' ? '' : said
  return /(?:^|[^\w@])@[ \t]*$/m.test(text) && /^[ \t]*(?:begin|end)\b/im.test(text) ? '@' : ''
}
