/** Trino's commands and definitions, after its grammar; Presto's and Athena's differ too much to be judged by it. */

export const TRINO_SHAPES = String.raw`
IF_EXISTS = if exists
IF_NEW = if not exists
COMMENT = comment {STRING}
PROPERTIES = ( {ID '=' {default | EXPRESSION}},... )
WITH = with PROPERTIES
COLUMN_NAMES = ( ID,... )
COLUMN = NAME TYPE [default EXPRESSION] [not null] [COMMENT] [WITH]
ELEMENT = like NAME [{including | excluding} properties] | COLUMN
PRINCIPAL = user ID | role ID | ID
GRANTOR = PRINCIPAL | current_user | current_role
IN_CATALOG = in ID
WITH_DATA = with [no] data
create [or replace] table [IF_NEW] NAME [COLUMN_NAMES] [COMMENT] [WITH] as {QUERY | ( QUERY )} [WITH_DATA]
create [or replace] table [IF_NEW] NAME ( ELEMENT,... ) [COMMENT] [WITH]
create [or replace] view NAME [COLUMN_NAMES] [COMMENT] [security {definer | invoker}] [WITH] as QUERY
create [or replace] materialized view [IF_NEW] NAME [grace period EXPRESSION] [when stale {inline | fail}] [COMMENT] [WITH] as QUERY
create schema [IF_NEW] NAME [authorization PRINCIPAL] [WITH]
create role ID [with admin GRANTOR] [IN_CATALOG]
create catalog [IF_NEW] ID using ID [COMMENT] [authorization PRINCIPAL] [WITH]
create branch [IF_NEW] ID [WITH] in table NAME [from ID]
create [or replace] function NAME ( [{[ID] TYPE},...] ) returns TYPE REST
drop {table | view | materialized view} [IF_EXISTS] NAME
drop schema [IF_EXISTS] NAME [cascade | restrict]
drop role [IF_EXISTS] ID [IN_CATALOG]
drop catalog [IF_EXISTS] ID [cascade | restrict]
drop function [IF_EXISTS] NAME ( [{[ID] TYPE},...] )
drop branch [IF_EXISTS] ID in table NAME
alter schema NAME {rename to ID | set authorization PRINCIPAL}
alter table [IF_EXISTS] NAME {rename to NAME | add column [IF_NEW] COLUMN [first | last | after ID] | drop column [IF_EXISTS] NAME | rename column [IF_EXISTS] NAME to ID
    | alter column NAME {set data type TYPE | drop not null | set default EXPRESSION | drop default} | set properties {ID '=' {default | EXPRESSION}},... | set authorization PRINCIPAL
    | execute ID [( [{[ID '=>'] EXPRESSION},...] )] [where EXPRESSION]}
alter view NAME {rename to NAME | set authorization PRINCIPAL | refresh}
alter materialized view [IF_EXISTS] NAME {rename to NAME | set properties {ID '=' {default | EXPRESSION}},... | set authorization PRINCIPAL}
alter branch ID in table NAME fast forward to ID
comment on {table | view | column} NAME is {STRING | null}
analyze NAME [WITH]
refresh materialized view NAME
truncate table NAME
call NAME ( [{[ID '=>'] EXPRESSION},...] )
PRIVILEGE = select | insert | update | delete | create [branch]
PRIVILEGES = all privileges | PRIVILEGE,...
GRANTED = [table | schema | branch ID in [table]] NAME | ID NAME
grant PRIVILEGES on GRANTED to PRINCIPAL [with grant option]
grant ID,... to PRINCIPAL,... [with admin option] [granted by GRANTOR] [IN_CATALOG]
revoke [grant option for] PRIVILEGES on GRANTED from PRINCIPAL
revoke [admin option for] ID,... from PRINCIPAL,... [granted by GRANTOR] [IN_CATALOG]
deny PRIVILEGES on GRANTED to PRINCIPAL
set role {all | none | ID} [IN_CATALOG]
set session authorization {ID | STRING}
set session NAME '=' EXPRESSION
set time zone {local | EXPRESSION}
set path {ID [. ID]},...
reset session authorization
reset session NAME
LIKE = like STRING [escape STRING]
show tables [{from | in} NAME] [LIKE]
show schemas [{from | in} ID] [LIKE]
show catalogs [LIKE]
show columns {from | in} NAME [LIKE]
show create {table | view | materialized view | schema | function} NAME
show stats for {NAME | ( QUERY )}
show functions [{from | in} NAME] [LIKE]
show session [LIKE]
show grants [on GRANTED]
show {current roles | roles | role grants} [{from | in} ID]
show branches {from | in} table NAME
{describe | desc} {input | output} ID
{describe | desc} NAME
explain analyze [verbose] STATEMENT
explain [( {format {text | graphviz | json} | type {logical | distributed | validate | io}},... )] STATEMENT
start transaction [{isolation level {read uncommitted | read committed | repeatable read | serializable} | read {only | write}},...]
{commit | rollback} [work]
prepare ID from STATEMENT
deallocate prepare ID
execute ID [using EXPRESSION,...]
execute immediate STRING [using EXPRESSION,...]
use {ID | ID . ID}
`
