/** PostgreSQL's commands and definitions, after its manual. */

export const POSTGRES_SHAPES = String.raw`
SETTING_VALUE = STRING | NUMBER | WORD | EXPRESSION
OPTIONS = ( {WORD... ['='] [STRING | NUMBER | WORD | BRACKETS | '*']},... )
STORAGE = ( {NAME ['=' SETTING_VALUE]},... )
NAMED_OPTIONS = ( {[add | set | drop] WORD [STRING]},... )
ROLE = [group | role] ID
IF_EXISTS = if exists
IF_NEW = if not exists
BEHAVIOUR = cascade | restrict
ARGUMENTS = ( {[{ARGUMENT | '*'},... [order by ARGUMENT,...]] | order by ARGUMENT,...} )
SIGNATURE = NAME [ARGUMENTS]
ARGUMENT = [in | out | inout | variadic] [ID] FULL_TYPE [{default | '='} EXPRESSION]
FULL_TYPE = [setof] TYPE ['[' [NUMBER] ']'] ['%' type]
COLUMNS = ( ID,... )
DIRECTION = [asc | desc] [nulls {first | last}]
INDEX_ITEM = EXPRESSION [collate NAME] [NAME [BRACKETS]] DIRECTION
INDEX_ITEMS = ( INDEX_ITEM,... )
INDEX_TAIL = [include COLUMNS] [nulls [not] distinct] [with STORAGE] [using index tablespace ID]
ACTION = no action | restrict | cascade | set {null | default} [COLUMNS]
REFERENCE = references NAME [COLUMNS] [match {full | partial | simple}] {on {delete | update} ACTION}*
TIMING = [not] deferrable | initially {deferred | immediate} | not valid | no inherit | [not] enforced
IDENTITY = generated {always | by default} as identity [BRACKETS]
COLUMN_CONSTRAINT = [constraint ID] {not null | null | check ( EXPRESSION ) [no inherit] | default EXPRESSION | IDENTITY |
    generated always as ( EXPRESSION ) [stored | virtual] | unique [nulls [not] distinct] INDEX_TAIL | primary key INDEX_TAIL | REFERENCE} TIMING*
    | collate NAME | storage WORD | compression WORD
COLUMN = ID FULL_TYPE [options NAMED_OPTIONS] COLUMN_CONSTRAINT*
TABLE_CONSTRAINT = [constraint ID] {check ( EXPRESSION ) [no inherit] | unique [nulls [not] distinct] {( ID,... [without overlaps] ) | using index ID} INDEX_TAIL
    | primary key {( ID,... [without overlaps] ) | using index ID} INDEX_TAIL | exclude [using ID] ( {INDEX_ITEM with {NAME | '=' | '&&' | '<>' | operator BRACKETS}},... ) INDEX_TAIL [where ( EXPRESSION )]
    | foreign key ( ID,... [, period ID] ) REFERENCE | not null ID [no inherit]} TIMING*
LIKE_TABLE = like NAME {{including | excluding} {all | comments | compression | constraints | defaults | generated | identity | indexes | statistics | storage}}*
ELEMENT = LIKE_TABLE | TABLE_CONSTRAINT | COLUMN
TYPED_ELEMENT = TABLE_CONSTRAINT | ID [with options] COLUMN_CONSTRAINT...
BOUND = for values {in ( EXPRESSION,... ) | from BRACKETS to BRACKETS | with BRACKETS} | default
PARTITIONING = partition by WORD ( INDEX_ITEM,... )
TABLE_TAIL = {inherits ( NAME,... ) | PARTITIONING | using ID | with STORAGE | without oids | on commit {preserve rows | delete rows | drop} | tablespace ID}*
TEMPORARY = [global | local] {temporary | temp} | unlogged
WITH_DATA = with [no] data
create [TEMPORARY] table [IF_NEW] NAME ( [ELEMENT,...] ) TABLE_TAIL
create [TEMPORARY] table [IF_NEW] NAME of NAME [( TYPED_ELEMENT,... )] TABLE_TAIL
create [TEMPORARY] table [IF_NEW] NAME partition of NAME [( TYPED_ELEMENT,... )] BOUND TABLE_TAIL
create [TEMPORARY] table [IF_NEW] NAME [COLUMNS] TABLE_TAIL as {QUERY | execute NAME [BRACKETS]} [WITH_DATA]
create foreign table [IF_NEW] NAME ( [ELEMENT,...] ) [inherits ( NAME,... )] server ID [options NAMED_OPTIONS]
create foreign table [IF_NEW] NAME partition of NAME [( TYPED_ELEMENT,... )] BOUND server ID [options NAMED_OPTIONS]
create [or replace] [TEMPORARY] [recursive] view NAME [COLUMNS] [with STORAGE] as QUERY [with [cascaded | local] check option]
create materialized view [IF_NEW] NAME [COLUMNS] [using ID] [with STORAGE] [tablespace ID] as QUERY [WITH_DATA]
create [unique] index [concurrently] [[IF_NEW] ID] on [only] NAME [using ID] INDEX_ITEMS [include COLUMNS] [nulls [not] distinct] [with STORAGE] [tablespace ID] [where EXPRESSION]
SEQUENCE_OPTION = as TYPE | increment [by] NUMBER | {minvalue | maxvalue} NUMBER | no {minvalue | maxvalue | cycle} | start [with] NUMBER | restart [[with] NUMBER] | cache NUMBER | cycle
    | owned by NAME | sequence name NAME | logged | unlogged
create [TEMPORARY] sequence [IF_NEW] NAME SEQUENCE_OPTION*
SCHEMA_ELEMENT = {create | grant} REST
create schema [IF_NEW] authorization ID [SCHEMA_ELEMENT]
create schema [IF_NEW] ID [authorization ID] [SCHEMA_ELEMENT]
create extension [IF_NEW] ID [with] {schema ID | version {ID | STRING} | cascade}*
create type NAME
create type NAME as ( [{ID FULL_TYPE [collate NAME]},...] )
create type NAME as enum ( [STRING,...] )
create type NAME as range BRACKETS
create type NAME BRACKETS
create domain NAME [as] FULL_TYPE {[constraint ID] {not null | null | check ( EXPRESSION )} | collate NAME | default EXPRESSION}*
FUNCTION_OPTION = language {ID | STRING} | transform {for type NAME},... | window | immutable | stable | volatile | [not] leakproof | called on null input | returns null on null input | strict
    | [external] security {invoker | definer} | parallel WORD | cost NUMBER | rows NUMBER | support NAME | set NAME {to | '='} {STRING | NUMBER | WORD},... | set NAME from current | set time zone REST
    | as STRING [, STRING] | return EXPRESSION | begin atomic REST
create [or replace] {function | procedure} NAME ( [ARGUMENT,...] ) [returns {table ( {ID FULL_TYPE},... ) | FULL_TYPE}] FUNCTION_OPTION*
create [or replace] aggregate NAME ARGUMENTS ( {WORD ['=' {NUMBER | STRING | operator BRACKETS | '<' | '>' | TYPE}]},... )
create [or replace] aggregate NAME ( {WORD '=' {NUMBER | STRING | TYPE}},... )
EVENT = insert | delete | truncate | update [of ID,...]
create [or replace] [constraint] trigger ID {before | after | instead of} EVENT {or EVENT}* on NAME [from NAME] TIMING*
    [referencing {{old | new} {table | row} [as] ID}...] [for [each] {row | statement}] [when ( EXPRESSION )] {execute {function | procedure} NAME ( [{EXPRESSION | WORD},...] ) | begin REST}
create event trigger ID on WORD [when {NAME in ( STRING,... )} {and NAME in ( STRING,... )}*] execute {function | procedure} NAME ( )
create [or replace] rule ID as on {select | insert | update | delete} to NAME [where EXPRESSION] do [also | instead] {nothing | STATEMENT | ( REST}
create policy ID on NAME [as {permissive | restrictive}] [for {all | select | insert | update | delete}] [to ROLE,...] [using ( EXPRESSION )] [with check ( EXPRESSION )]
ROLE_WORD = superuser | nosuperuser | createdb | nocreatedb | createrole | nocreaterole | inherit | noinherit | login | nologin | replication | noreplication | bypassrls | nobypassrls
ROLE_OPTIONS = {ROLE_WORD | password {STRING | null} | {encrypted | unencrypted} password STRING | connection limit NUMBER | valid until STRING | {in role | in group | role | admin | user} ID,... | sysid NUMBER}*
create {role | user | group} ID [with] ROLE_OPTIONS
create user mapping [IF_NEW] for {user | ID} server ID [options NAMED_OPTIONS]
DATABASE_OPTION = {owner | template | encoding | strategy | locale | lc_collate | lc_ctype | icu_locale | locale_provider | collation_version | tablespace | allow_connections | is_template | oid | connection limit | builtin_locale | icu_rules} ['='] {STRING | NUMBER | WORD}
create database ID [with] DATABASE_OPTION*
create tablespace ID [owner ID] location STRING [with STORAGE]
create server [IF_NEW] ID [type STRING] [version STRING] foreign data wrapper ID [options NAMED_OPTIONS]
create foreign data wrapper ID {handler NAME | no handler | validator NAME | no validator}* [options NAMED_OPTIONS]
PUBLISHED = [table] [only] NAME ['*'] [COLUMNS] [where ( EXPRESSION )] | tables in schema {ID | current_schema},...
create publication ID [for all tables | for all sequences | for PUBLISHED,...] [with STORAGE]
create subscription ID connection STRING publication ID,... [with STORAGE]
create statistics [[IF_NEW] NAME] [( ID,... )] on {ID | BRACKETS | NAME BRACKETS},... from NAME
create operator REST
create cast ( FULL_TYPE as FULL_TYPE ) {with function SIGNATURE | without function | with inout} [as {assignment | implicit}]
create [or replace] transform for NAME language ID BRACKETS
create collation [IF_NEW] NAME {BRACKETS | from NAME}
create [default] conversion NAME for STRING to STRING from NAME
create text search {parser | dictionary | template | configuration} NAME BRACKETS
create [or replace] [trusted] [procedural] language {ID | STRING} [handler NAME [inline NAME] [validator NAME]]
create access method ID type {index | table} handler NAME

SET_TO = {'=' | to} {default | {STRING | NUMBER | WORD | EXPRESSION},...}
MOVE = owner to ID | set schema ID | rename to ID
DEFINITION = [set data] type FULL_TYPE [collate NAME] [using EXPRESSION] | set default EXPRESSION | drop default | {set | drop} not null | drop expression [IF_EXISTS]
    | set expression as ( EXPRESSION ) | add IDENTITY | drop identity [IF_EXISTS] | {set generated {always | by default} | set SEQUENCE_OPTION | restart [[with] NUMBER]}... | set statistics {NUMBER | default} | {set | reset} STORAGE
    | set storage WORD | set compression WORD | options NAMED_OPTIONS
TABLE_STEP = add [column] [IF_NEW] COLUMN | drop [column] [IF_EXISTS] ID [BEHAVIOUR] | alter [column] {ID | NUMBER} DEFINITION | add TABLE_CONSTRAINT
    | alter constraint ID TIMING* [inherit] | validate constraint ID | drop constraint [IF_EXISTS] ID [BEHAVIOUR] | {enable | disable} [replica | always] {trigger | rule} {all | user | ID}
    | {enable | disable | force | no force} row level security | cluster on ID | set without {cluster | oids} | set with oids | set access method {ID | default} | set tablespace ID | set {logged | unlogged}
    | {set | reset} STORAGE | [no] inherit NAME | of NAME | not of | owner to ID | replica identity {default | full | nothing | using index ID} | options NAMED_OPTIONS
alter [foreign] table [IF_EXISTS] [only] NAME ['*'] TABLE_STEP,...
alter [foreign] table [IF_EXISTS] [only] NAME ['*'] rename {[column] ID to ID | constraint ID to ID | to ID}
alter table [IF_EXISTS] NAME set schema ID
alter table [IF_EXISTS] NAME attach partition NAME BOUND
alter table [IF_EXISTS] NAME detach partition NAME [concurrently | finalize]
alter {table | index | materialized view} all in tablespace ID [owned by ID,...] set tablespace ID [nowait]
alter [materialized] view [IF_EXISTS] NAME {rename [column] ID to ID | MOVE | alter [column] ID {set default EXPRESSION | drop default} | TABLE_STEP,... | [no] depends on extension ID}
alter index [IF_EXISTS] NAME {rename to ID | set tablespace ID | {set | reset} STORAGE | attach partition NAME | [no] depends on extension ID | alter [column] NUMBER set statistics NUMBER}
alter sequence [IF_EXISTS] NAME {SEQUENCE_OPTION... | MOVE | set {logged | unlogged}}
alter schema ID {rename to ID | owner to ID}
alter extension ID {update [to {ID | STRING}] | set schema ID | {add | drop} REST}
alter type NAME {MOVE | rename attribute ID to ID [BEHAVIOUR] | rename value STRING to STRING | add value [IF_NEW] STRING [{before | after} STRING] | set BRACKETS
    | {add attribute ID FULL_TYPE [collate NAME] [BEHAVIOUR] | drop attribute [IF_EXISTS] ID [BEHAVIOUR] | alter attribute ID [set data] type FULL_TYPE [collate NAME] [BEHAVIOUR]},...}
alter domain NAME {MOVE | set default EXPRESSION | drop default | {set | drop} not null | add [constraint ID] {check ( EXPRESSION ) | not null} [not valid] | drop constraint [IF_EXISTS] ID [BEHAVIOUR] | rename constraint ID to ID | validate constraint ID}
alter {function | procedure | routine} SIGNATURE {MOVE | [no] depends on extension ID | {FUNCTION_OPTION | reset NAME}... [restrict]}
alter aggregate SIGNATURE MOVE
alter trigger ID on NAME {rename to ID | [no] depends on extension ID}
alter event trigger ID {disable | enable [replica | always] | owner to ID | rename to ID}
alter rule ID on NAME rename to ID
alter policy ID on NAME {rename to ID | [to ROLE,...] [using ( EXPRESSION )] [with check ( EXPRESSION )]}
alter {role | user | group} {ID | all} {rename to ID | {add | drop} user ID,... | [in database ID] {set NAME SET_TO | set NAME from current | set time zone REST | reset {all | NAME}} | [with] ROLE_OPTIONS}
alter user mapping for {user | ID} server ID options NAMED_OPTIONS
alter database ID {rename to ID | owner to ID | set tablespace ID | refresh collation version | set NAME SET_TO | set NAME from current | reset {all | NAME} | [with] DATABASE_OPTION...}
DEFAULT_KIND = tables | sequences | functions | routines | types | schemas | large objects
alter default privileges {for {role | user} ROLE,...}* {in schema ID,...}* {grant {all [privileges] | WORD,...} on DEFAULT_KIND to ROLE,... [with grant option] | revoke [grant option for] {all [privileges] | WORD,...} on DEFAULT_KIND from ROLE,... [BEHAVIOUR]}
alter system {set NAME SET_TO | reset {all | NAME}}
alter tablespace ID {rename to ID | owner to ID | {set | reset} STORAGE}
alter server ID {rename to ID | owner to ID | [version STRING] [options NAMED_OPTIONS]}
alter foreign data wrapper ID {rename to ID | owner to ID | {handler NAME | no handler | validator NAME | no validator}* [options NAMED_OPTIONS]}
alter publication ID {rename to ID | owner to ID | {add | set | drop} PUBLISHED,... | set STORAGE}
alter subscription ID {rename to ID | owner to ID | connection STRING | {set | add | drop} publication ID,... [with STORAGE] | refresh publication [with STORAGE] | refresh sequences | enable | disable | set STORAGE | skip BRACKETS}
alter statistics NAME {MOVE | set statistics {NUMBER | default}}
alter {operator | collation | conversion | text | language | large} REST

DROPPED = table | view | materialized view | sequence | index [concurrently] | foreign table | schema | extension | type | domain | collation | conversion | text search {parser | dictionary | template | configuration} | statistics | event trigger | access method
    | publication | server | foreign data wrapper | [procedural] language
drop DROPPED [IF_EXISTS] NAME,... [BEHAVIOUR]
drop {function | procedure | routine | aggregate} [IF_EXISTS] SIGNATURE,... [BEHAVIOUR]
drop {trigger | rule | policy} [IF_EXISTS] ID on NAME [BEHAVIOUR]
drop {role | user | group} [IF_EXISTS] ID,...
drop user mapping [IF_EXISTS] for {user | ID} server ID
drop database [IF_EXISTS] ID [[with] ( force )]
drop {tablespace | subscription} [IF_EXISTS] ID [BEHAVIOUR]
drop owned by ROLE,... [BEHAVIOUR]
drop cast [IF_EXISTS] ( FULL_TYPE as FULL_TYPE ) [BEHAVIOUR]
drop {operator | transform} REST

PRIVILEGE = {select | insert | update | delete | truncate | references | trigger | usage | create | connect | temporary | temp | execute | maintain | set | alter system} [COLUMNS]
PRIVILEGES = all [privileges] [COLUMNS] | PRIVILEGE,...
TARGET = [table | view] NAME,... | {sequence | database | domain | foreign data wrapper | foreign server | language | schema | tablespace | type | parameter} NAME,... | {function | procedure | routine} SIGNATURE,... | large object NUMBER,...
    | all {tables | sequences | functions | procedures | routines} in schema ID,...
grant PRIVILEGES on TARGET to ROLE,... [with grant option] [granted by ROLE]
grant ID,... to ROLE,... [with {WORD {option | true | false}},...] [granted by ROLE]
revoke [grant option for] PRIVILEGES on TARGET from ROLE,... [granted by ROLE] [BEHAVIOUR]
revoke [WORD option for] ID,... from ROLE,... [granted by ROLE] [BEHAVIOUR]
reassign owned by ROLE,... to ROLE

COMMENTED = {table | view | materialized view | sequence | index | foreign table | schema | extension | type | domain [constraint ID on] | collation | conversion | database | column | role | tablespace | server | foreign data wrapper | [procedural] language | publication
    | subscription | statistics | event trigger | access method | large object | text search {parser | dictionary | template | configuration}} {NAME | NUMBER}
    | {function | procedure | routine | aggregate} SIGNATURE | {trigger | rule | policy | constraint} ID on [domain] NAME | cast ( FULL_TYPE as FULL_TYPE ) | transform for NAME language ID
comment on COMMENTED is {STRING | null}
comment on operator REST
security label [for {ID | STRING}] on COMMENTED is {STRING | null}

VACUUMED = [only] NAME ['*'] [COLUMNS]
vacuum OPTIONS [VACUUMED,...]
vacuum [full] [freeze] [verbose] [analyze | analyse] [VACUUMED,...]
{analyze | analyse} [OPTIONS] [verbose] [VACUUMED,...]
reindex [OPTIONS] {index | table | schema | database | system} [concurrently] [NAME]
cluster [OPTIONS] [verbose] [NAME [using ID]]
cluster [verbose] ID on NAME
truncate [table] {[only] NAME ['*']},... [{restart | continue} identity] [BEHAVIOUR]
checkpoint [OPTIONS]
discard {all | plans | sequences | temporary | temp}
refresh materialized view [concurrently] NAME [WITH_DATA]

ISOLATION = isolation level {serializable | repeatable read | read committed | read uncommitted} | read {write | only} | [not] deferrable
MODES = ISOLATION {[,] ISOLATION}*
set [session | local] time zone {STRING | NUMBER | local | default | EXPRESSION}
set [session | local] {role | session authorization} {ID | STRING | none | default}
set [local] transaction {MODES | snapshot STRING}
set session characteristics as transaction MODES
set constraints {all | NAME,...} {deferred | immediate}
set [session | local] {names | schema | xml option | catalog} REST
set [session | local] NAME {SET_TO | from current}
reset {all | time zone | transaction isolation level | session authorization | NAME}
show {all | time zone | transaction isolation level | session authorization | NAME}
begin [work | transaction] [MODES]
start transaction [MODES]
{commit | end | rollback | abort} [work | transaction] [and [no] chain]
rollback [work | transaction] to [savepoint] ID
{commit | rollback} prepared STRING
prepare transaction STRING
savepoint ID
release [savepoint] ID
lock [table] {[only] NAME ['*']},... [in {access share | row share | row exclusive | share update exclusive | share | share row exclusive | exclusive | access exclusive} mode] [nowait]

listen ID
unlisten {ID | '*'}
notify ID [, STRING]
load STRING
prepare ID [( TYPE,... )] as STATEMENT
execute NAME [( EXPRESSION,... )]
deallocate [prepare] {all | ID}
declare ID {binary | insensitive | asensitive | [no] scroll}* cursor [{with | without} hold] for QUERY
FETCHED = next | prior | first | last | absolute NUMBER | relative NUMBER | NUMBER | all | {forward | backward} [NUMBER | all]
{fetch | move} [FETCHED] [from | in] ID
close {all | ID}
call NAME ( [{[ID {'=>' | ':='}] EXPRESSION},...] )
do {STRING | language {ID | STRING}}...
explain ( {WORD [WORD | STRING | NUMBER]},... ) STATEMENT
explain [analyze | analyse] [verbose] STATEMENT
COPY_WORD = binary | oids | freeze | [with] null [as] STRING | csv | header | delimiter [as] STRING | delimiters [as] STRING | quote [as] STRING | escape [as] STRING | force {quote | not null | null} {'*' | ID,...} | encoding STRING
copy [binary] {NAME [COLUMNS] | BRACKETS} {from | to} [program] {STRING | stdin | stdout | ':' {STRING | ID}} [[using] delimiters STRING] [[with] {OPTIONS | COPY_WORD*}] [where EXPRESSION]
import foreign schema ID [{limit to | except} ( NAME,... )] from server ID into ID [options NAMED_OPTIONS]
`
