/** Statements without lineage: known by their first word, or not at all. */

import { T } from '../lexer/tokens.ts'
import { isLineOfStatement, isRunOn } from './command-end.ts'
import { type Core, command } from './core.ts'
import type { Cursor } from './cursor.ts'

const COMMANDS = new Set(
  (
    'grant,revoke,deny,commit,rollback,start,end,set,reset,show,comment,analyze,analyse,vacuum,optimize,refresh,lock,unlock,kill,flush,purge,install,uninstall,attach,detach,pragma,reindex,cluster,checkpoint,listen,notify,unlisten,discard,' +
    'security,reassign,import,undrop,list,ls,put,get,remove,rm,suspend,resume,msck,repair,add,dfs,reload,abort,release,help,fsck,convert,generate,summary,profile,check,checksum,xa,modify,give,warm,recompress,reorganize,preload,source,setuser,describe,collect,diagnostic,database,stop,handler,change,system,exists,watch,clear,uncache,validate,invalidate,compute,' +
    'audit,noaudit,flashback,associate,disassociate,administer,dbcc,backup,restore,reconfigure,shutdown,enable,disable,move,revert,receive,send,savepoint,subscribe,sync,admin,cancel,submit,recover,delimiter,use,fetch,inspect,export,block,get_ddl,summarize,execute,go,quit,exit,connect,disconnect,print,unset,assert,force,bt,et,bteq,logon,logoff,run,sleep,title,width,pause,define,errlimit,sessions,tenacity,checkpoint,axsmod,stats,quiesce,runstats,reorg,values,label,terminate,prompt,host,echo,spool,whenever,impersonate,open,close,deallocate,unload,load,alter_session,script,hint,replay,merge_all,explain_plan,switch,migrate,track,untrack'
  ).split(','),
)

/** Whether the word at the cursor begins a statement that is known to have no lineage. */
export function isKnownCommand(c: Cursor): boolean {
  return c.isName(c.pos) && COMMANDS.has(c.textAt(c.pos).toLowerCase())
}

/** A command without lineage, to its end. */
export function stepOver(c: Cursor): Core {
  const word = c.textAt(c.pos).toLowerCase()
  c.pos++
  // DuckDB: FROM (SHOW TABLES).
  const second = c.pos
  const end = word === 'show' && c.types[c.pos - 2] === T.LPAREN ? c.closing(c.pos - 2) : Infinity
  const isNext = c.dialect.looseStatements ? isLineOfStatement : isRunOn
  while (!c.atEnd() && c.pos < end && !(isNext(c) && (c.dialect.looseStatements || c.pos > second))) c.pos++
  return command(word)
}

/** Not recognised: every token counts as stepped over. */
export function unknownStatement(c: Cursor): Core {
  const word = c.textAt(c.pos)
  c.note('UNKNOWN_STATEMENT', c.start(), word)
  const notes = c.notes.length
  while (!c.atEnd() && !(c.dialect.looseStatements && c.pos > 0 && isLineOfStatement(c))) {
    c.skipped++
    c.pos++
  }
  c.notes.length = notes
  return { kind: 'other', word, expressions: [] }
}
