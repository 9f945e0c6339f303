/** SQLite's commands and definitions, after its syntax diagrams. */

export const SQLITE_SHAPES = String.raw`
IF_EXISTS = if exists
IF_NEW = if not exists
NAMED = ID | STRING
OBJECT = NAMED [. NAMED]
TYPE_NAME = {ID | STRING}... [( NUMBER [, NUMBER] )]
SIGNED = NUMBER | STRING | WORD | ( EXPRESSION ) | {'+' | '-'} EXPRESSION | EXPRESSION
CONFLICT = on conflict {rollback | abort | fail | ignore | replace}
ACTION = set {null | default} | cascade | restrict | no action
REFERENCE = references NAMED [( NAMED,... )] {on {delete | update} ACTION | match ID}* [DEFERRED]
DEFERRED = [not] deferrable [initially {deferred | immediate}]
COLUMN_CONSTRAINT = [constraint NAMED] {primary key [asc | desc] [CONFLICT] [autoincrement] | not null [CONFLICT] | null [CONFLICT] | unique [CONFLICT] | check ( EXPRESSION ) | default SIGNED | collate NAMED | REFERENCE | [generated always] as ( EXPRESSION ) [stored | virtual]} | DEFERRED
COLUMN = NAMED [TYPE_NAME] COLUMN_CONSTRAINT*
ORDERED = EXPRESSION [collate NAMED] [asc | desc] [nulls {first | last}]
TABLE_CONSTRAINT = [constraint NAMED] {{primary key | unique} ( {ORDERED [autoincrement]},... ) [CONFLICT] | check ( EXPRESSION ) [CONFLICT] | foreign key ( NAMED,... ) REFERENCE}
TABLE_OPTION = without rowid | strict
create [temp | temporary] table [IF_NEW] OBJECT as QUERY
create [temp | temporary] table [IF_NEW] OBJECT ( COLUMN {, COLUMN}* {[,] TABLE_CONSTRAINT}* ) [TABLE_OPTION,...]
create virtual table [IF_NEW] OBJECT using ID [BRACKETS]
create [temp | temporary] view [IF_NEW] OBJECT [( NAMED,... )] as QUERY
create [unique] index [IF_NEW] OBJECT on NAMED ( ORDERED,... ) [where EXPRESSION]
create [temp | temporary] trigger [IF_NEW] OBJECT [before | after | instead of] {delete | insert | update [of NAMED,...]} on OBJECT [for each row] [when EXPRESSION] begin REST
drop {table | view | index | trigger} [IF_EXISTS] OBJECT
alter table OBJECT {rename to NAMED | rename [column] NAMED to NAMED | add [column] COLUMN | drop [column] NAMED}
attach [database] EXPRESSION as EXPRESSION [key EXPRESSION]
detach [database] EXPRESSION
pragma OBJECT ['=' SIGNED | ( SIGNED )]
analyze [OBJECT]
reindex [OBJECT]
vacuum [NAMED] [into EXPRESSION]
begin [deferred | immediate | exclusive] [transaction [NAMED]]
{commit | end} [transaction [NAMED]]
rollback [transaction [NAMED]] [to [savepoint] NAMED]
savepoint NAMED
release [savepoint] NAMED
explain [query plan] STATEMENT
`
