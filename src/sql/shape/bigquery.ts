/** BigQuery's commands and definitions, after its manual. */

export const BIGQUERY_SHAPES = String.raw`
IF_EXISTS = if exists
IF_NEW = if not exists
OPTIONS = options ( [{NAME '=' EXPRESSION},... [',']] )
DEFAULT_COLLATE = default collate STRING
COLUMN_PART = not null | primary key not enforced | [constraint ID] references NAME ( ID ) not enforced | default EXPRESSION | collate STRING | OPTIONS | generated [always | by default] as {identity [BRACKETS] | ( EXPRESSION ) [stored [OPTIONS]]}
COLUMN = NAME TYPE COLUMN_PART*
CONSTRAINT = [constraint [IF_NEW] ID] {primary key ( ID,... ) | foreign key ( ID,... ) references NAME ( ID,... )} not enforced
ELEMENT = CONSTRAINT | COLUMN
TEMPORARY = temp | temporary
PLACED = DEFAULT_COLLATE | partition by EXPRESSION | cluster by EXPRESSION,... | OPTIONS | with connection NAME | with partition columns [( COLUMN,... )] | default rounding mode STRING
create [or replace] [TEMPORARY] table [IF_NEW] NAME [( ELEMENT,... [','] )] PLACED* [as QUERY]
create [or replace] [TEMPORARY] table [IF_NEW] NAME {like | copy | clone} NAME [for system_time as of EXPRESSION] PLACED* [as QUERY]
create [or replace] [TEMPORARY] table [IF_NEW] NAME ( ID,... ) PLACED* as QUERY
create [or replace] external table [IF_NEW] NAME [( ELEMENT,... )] PLACED*
create [or replace] external schema [IF_NEW] NAME {OPTIONS | with connection NAME}*
create snapshot table [IF_NEW] NAME clone NAME [for system_time as of EXPRESSION] [OPTIONS]
create [or replace] view [IF_NEW] NAME [( {NAME [OPTIONS]},... [','] )] [OPTIONS] as QUERY
create [or replace] materialized view [IF_NEW] NAME {partition by EXPRESSION | cluster by EXPRESSION,... | OPTIONS}* as {QUERY | replica of NAME}
create schema [IF_NEW] NAME {DEFAULT_COLLATE | OPTIONS}*
create [or replace] table function REST
create {function | temp | temporary | aggregate | or | procedure | model | row | search | vector | capacity | reservation | assignment | property | connection | recursive | constant} REST
KIND = table | view | materialized view | external table | snapshot table | schema | external schema | function | table function | procedure | model | [all] row access policy | search index | vector index | capacity | reservation | assignment | property graph | data_policy | connection
drop KIND [IF_EXISTS] NAME [cascade | restrict] [on NAME]
drop all row access policies on NAME
DEFINITION = set OPTIONS | drop not null | set data type TYPE | set default EXPRESSION | drop default | set collate STRING
STEP = add column [IF_NEW] COLUMN | drop column [IF_EXISTS] NAME | rename column [IF_EXISTS] NAME to NAME | alter column [IF_EXISTS] NAME DEFINITION | add CONSTRAINT | drop constraint [IF_EXISTS] ID | drop primary key [IF_EXISTS] | set OPTIONS | set DEFAULT_COLLATE | rename to NAME
alter table [IF_EXISTS] NAME STEP,...
alter {view | materialized view} [IF_EXISTS] NAME {set OPTIONS | alter column [IF_EXISTS] NAME set OPTIONS}
alter schema [IF_EXISTS] NAME {set OPTIONS | set DEFAULT_COLLATE | add replica STRING [OPTIONS] | drop replica STRING}
alter {model | capacity | reservation | organization | project | bi_capacity | vector | search | connection} REST
truncate table NAME
GRANTED = on {table | view | schema | external table | materialized view | project | model | routine | connection} NAME
grant NAME,... GRANTED to STRING,...
revoke NAME,... GRANTED from STRING,...
export data {with connection NAME | OPTIONS}* as QUERY
export {model | metadata} REST
load data {into | overwrite} [TEMPORARY table] NAME [overwrite partitions ( EXPRESSION,... )] [( ELEMENT,... )] PLACED* from files ( {NAME '=' EXPRESSION},... ) {with partition columns [( COLUMN,... )] | with connection NAME}*
declare ID,... {TYPE [default EXPRESSION] | default EXPRESSION}
set {NAME | ( NAME,... )} '=' EXPRESSION
execute immediate EXPRESSION [into ID,...] [using {EXPRESSION [as ID]},...]
call NAME ( [EXPRESSION,...] )
assert EXPRESSION [as STRING]
begin transaction
{commit | rollback} [transaction]
`
