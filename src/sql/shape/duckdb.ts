/** DuckDB's commands and definitions, after its documentation. */

export const DUCKDB_SHAPES = String.raw`
IF_EXISTS = if exists
IF_NEW = if not exists
BEHAVIOUR = cascade | restrict
COLUMNS = ( ID,... )
VALUE = {'+' | '-'} EXPRESSION | EXPRESSION | WORD | '*'
OPTION = WORD ['=' | '=>'] [( EXPRESSION,... ) | VALUE]
OPTIONS = ( OPTION,... [','] )
TABLE_NAME = NAME | STRING
FULL_TYPE = TYPE {'[' [NUMBER] ']'}*
ACTION = no action | restrict | cascade | set {null | default}
REFERENCE = references NAME [COLUMNS] {on {delete | update} ACTION}*
COLUMN_CONSTRAINT = [constraint ID] {not null | null | check ( EXPRESSION ) | default EXPRESSION | [generated always] as ( EXPRESSION ) [stored | virtual] | generated {always | by default} as identity [BRACKETS] | unique | primary key | REFERENCE} | collate NAME | using compression ID
COLUMN = {ID | STRING} [FULL_TYPE] COLUMN_CONSTRAINT*
CONSTRAINT = [constraint ID] {check ( EXPRESSION ) | {unique | primary key} COLUMNS | foreign key COLUMNS REFERENCE}
TEMPORARY = [local | global] {temp | temporary} | persistent | unlogged
create [or replace] [TEMPORARY] table [IF_NEW] NAME ( {CONSTRAINT | COLUMN},... [','] ) {on commit {preserve rows | delete rows | drop} | with OPTIONS | partitioned by BRACKETS | sorted by BRACKETS}*
create [or replace] [TEMPORARY] table [IF_NEW] NAME [COLUMNS] {on commit {preserve rows | delete rows | drop} | with OPTIONS | partitioned by BRACKETS | sorted by BRACKETS}* as QUERY [with [no] data]
create [or replace] [TEMPORARY] [recursive] view [IF_NEW] NAME [COLUMNS] [with OPTIONS] as QUERY
create [unique] index [concurrently] [IF_NEW] [ID] on NAME [using ID] ( {EXPRESSION [NAME] [asc | desc] [nulls {first | last}]},... ) [with OPTIONS] [where EXPRESSION]
PARAMETER = ID [FULL_TYPE] [{':=' | '=>' | default} EXPRESSION]
MACRO = ( [PARAMETER,...] ) as {table {QUERY | ( QUERY )} | EXPRESSION}
create [or replace] [TEMPORARY] {macro | function} [IF_NEW] NAME MACRO,...
create [or replace] [TEMPORARY] sequence [IF_NEW] NAME {[with] {as TYPE | increment [by] VALUE | {minvalue | maxvalue} VALUE | no {minvalue | maxvalue | cycle} | start [with] VALUE | cycle | cache NUMBER | owned by NAME}}*
create [or replace] [TEMPORARY] type [IF_NEW] NAME as {enum {( [STRING,...] ) | ( QUERY )} | FULL_TYPE}
create [or replace] schema [IF_NEW] NAME
create [or replace] [temporary | persistent] secret [IF_NEW] [ID] [in ID] OPTIONS
DROPPED = table | view | schema | index | sequence | type | macro [table] | function | trigger
drop DROPPED [IF_EXISTS] NAME,... [BEHAVIOUR]
drop [temporary | persistent] secret [IF_EXISTS] ID [from ID]
DEFINITION = [set data] type [FULL_TYPE] [using EXPRESSION] | set default EXPRESSION | drop default | {set | drop} not null
STEP = add [column] [IF_NEW] NAME [FULL_TYPE] COLUMN_CONSTRAINT* | drop [column] [IF_EXISTS] NAME [BEHAVIOUR] | alter [column] NAME DEFINITION | add CONSTRAINT | rename to ID | rename [column] NAME to ID | set schema ID
    | {set | reset} {sorted | partitioned} by [BRACKETS] | {set | reset} OPTIONS
alter table [IF_EXISTS] NAME STEP,...
alter view [IF_EXISTS] NAME {rename to ID | set schema ID}
alter {sequence | schema | type | database | index} REST
TARGET = table | view | column | function | macro | index | sequence | type | schema | database
comment on {TARGET | macro table} NAME is {STRING | null | EXPRESSION}
attach [or replace] [database] [IF_NEW] EXPRESSION [as ID] [OPTIONS]
detach [database] [IF_EXISTS] ID
use NAME

install {ID | STRING} [from {ID | STRING}] [version STRING]
force {install | checkpoint} REST
load {ID | STRING}
pragma NAME [( [{[WORD '='] VALUE},...] ) | '=' VALUE,...]
set [local | session | global | variable] NAME {'=' | to} {default | VALUE,...}
set [local | session | global] time zone {STRING | ID | EXPRESSION}
reset [local | session | global | variable] {NAME | all}
show [all] tables [from NAME]
show {databases | schemas | variables | all}
show [tables from] NAME
{describe | desc} [tables | databases | variables | QUERY | TABLE_NAME]
{describe | desc} {table} TABLE_NAME
summarize {QUERY | TABLE_NAME}
export database [ID to] STRING [OPTIONS]
import database STRING
checkpoint [ID]
vacuum [OPTIONS] [full] [freeze] [verbose] [analyze [NAME [COLUMNS]]] [NAME [COLUMNS]]
{analyze | analyse} [verbose] [NAME [COLUMNS]]
call NAME ( [{[ID {'=>' | ':=' | '='}] VALUE},...] )
prepare ID [( TYPE,... )] as STATEMENT
execute ID [( [{[ID {':=' | '='}] VALUE},...] )]
deallocate [prepare] {ID | all}
explain [analyze] [( {WORD [WORD]},... )] STATEMENT
truncate [table] NAME
begin [transaction | work] [read {only | write}]
start transaction [read {only | write}]
{commit | end | rollback | abort} [transaction | work]
COPY_WORD = header | csv | [with] null [as] STRING | delimiter [as] STRING | quote [as] STRING | escape [as] STRING | force REST | encoding STRING
copy {NAME [COLUMNS] | BRACKETS} {from | to} {STRING | stdin | stdout | EXPRESSION} [[with] {OPTIONS | COPY_WORD*}]
copy from database ID to ID [( {schema | data} )]
`
