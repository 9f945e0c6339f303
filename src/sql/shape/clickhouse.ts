/** ClickHouse's commands and definitions, after its manual and parser. */

export const CLICKHOUSE_SHAPES = String.raw`
IF_EXISTS = if [not] exists | if empty
IF_NEW = if not exists
ON_CLUSTER = on cluster {ID | STRING}
NAMES = ( NAME,... )
SETTING = NAME '=' VALUE
VALUE = {'-' | '+'} NUMBER | EXPRESSION | default | WORD
SETTINGS = settings SETTING,...
FORMAT = format ID
OUTPUT = {into outfile STRING [append | truncate] [and stdout] [compression STRING] | FORMAT | SETTINGS}*
STORAGE_TYPE = TYPE
ENGINE = engine ['='] ID [BRACKETS]
CODEC = codec BRACKETS
COLUMN = NAME [TYPE] COLUMN_PART*
COLUMN_PART = [not] null | {default | materialized | alias} EXPRESSION | ephemeral [EXPRESSION] | comment STRING | CODEC | statistics BRACKETS | ttl EXPRESSION | collate NAME | primary key | settings BRACKETS | auto_increment
ORDERED = EXPRESSION [asc | desc]
INDEX = NAME EXPRESSION [type EXPRESSION] [granularity NUMBER]
PROJECTION = NAME ( QUERY )
CONSTRAINT = NAME {check | assume} EXPRESSION
ELEMENT = index INDEX | projection PROJECTION | projection NAME index EXPRESSION type NAME | constraint CONSTRAINT | primary key EXPRESSION | foreign key NAMES references NAME NAMES | COLUMN
TTL_ITEM = EXPRESSION [delete | to {disk | volume} STRING | recompress CODEC] [where EXPRESSION] [group by EXPRESSION,... [set {NAME '=' EXPRESSION},...]] [recompress CODEC]
STORAGE = ENGINE | order by {( [ORDERED,...] ) | ORDERED} | partition by EXPRESSION | primary key EXPRESSION | sample by EXPRESSION | ttl TTL_ITEM,... | SETTINGS | comment STRING | empty
UUID = uuid STRING
SECURITY = {definer '=' {current_user | ID | STRING}} | sql security {definer | invoker | none}
{create | attach} [or replace] [temporary] table [IF_NEW] NAME [UUID] [from STRING] [ON_CLUSTER] [( ELEMENT,... [','] )] STORAGE* [[empty] as {QUERY | [clone] NAME | NAME BRACKETS} STORAGE*] [comment STRING]
{replace} [temporary] table NAME [ON_CLUSTER] [( ELEMENT,... )] STORAGE* [as {QUERY | NAME | NAME BRACKETS}]
{create} [or replace] [temporary] table [IF_NEW] NAME [UUID] [ON_CLUSTER] [empty] [clone] as NAME STORAGE*
{create | attach} [or replace] [temporary] view [IF_NEW] NAME [UUID] [ON_CLUSTER] [( COLUMN,... ) | NAMES] SECURITY* [comment STRING] as {QUERY | ( QUERY )} [comment STRING]
REFRESH = refresh {every | after} REFRESH_TIME [offset REFRESH_TIME] [randomize for REFRESH_TIME] [depends on NAME,...] [SETTINGS] [append]
REFRESH_TIME = {NUMBER WORD}...
{create | attach} [or replace] materialized view [IF_NEW] NAME [UUID] [ON_CLUSTER] [REFRESH] {to NAME [UUID]}* [( ELEMENT,... )] {STORAGE | SECURITY | populate | empty}* as QUERY [comment STRING]
{create | attach} [or replace] {live | window} view REST
SOURCE = source ( ID ( {ID {STRING | NUMBER | ID | BRACKETS | EXPRESSION}}* ) )
LAYOUT = layout ( ID ( {ID [STRING | NUMBER | ID]}* ) ) | layout ( ID )
LIFETIME = lifetime ( {NUMBER | {min | max} NUMBER}* )
ATTRIBUTE = NAME TYPE {{default | expression} EXPRESSION | hierarchical | injective | is_object_id | bidirectional}*
{create | attach} [or replace] dictionary [IF_NEW] NAME [UUID] [ON_CLUSTER] [( ATTRIBUTE,... )] {primary key {NAME,... | NAMES} | SOURCE | LAYOUT | LIFETIME | range ( {min | max} ID {min | max} ID ) | settings ( SETTING,... ) | comment STRING}*
{create | attach} database [IF_NEW] NAME [UUID] [ON_CLUSTER] {ENGINE | SETTINGS | comment STRING}*
create function [IF_NEW] NAME [ON_CLUSTER] as EXPRESSION
create [or replace] function [IF_NEW] NAME [ON_CLUSTER] as EXPRESSION
create named collection [IF_NEW] NAME [ON_CLUSTER] as {SETTING [[not] overridable]},...
USER_NAME = {ID | STRING} ['@' STRING]
AUTHENTICATION = not identified | identified [with WORD] {by {STRING | BRACKETS} | salt STRING | {server | realm | scheme} STRING | {cn | san} STRING,... | valid until STRING | , WORD by STRING}*
HOSTS = {any | none | local | {name | regexp | ip | like} STRING,...},...
ROLES = {all [except USER_NAME,...] | none | any | USER_NAME,... [except USER_NAME,...]}
PROFILE_ITEM = profile {ID | STRING} | inherit {ID | STRING} | NAME ['=' VALUE] {min ['='] VALUE | max ['='] VALUE | readonly | writable | const | changeable_in_readonly}*
USER_PART = AUTHENTICATION | [add | drop] host HOSTS | valid until STRING | in {ID | STRING} | default role ROLES | default database {ID | none} | grantees ROLES | settings {PROFILE_ITEM,... | none} | {add | modify | drop} {settings | profiles | setting | profile} REST | rename to USER_NAME | reset REST
{create | alter} user [IF_NEW | or replace | IF_EXISTS] {USER_NAME [ON_CLUSTER]},... USER_PART*
create or replace user {USER_NAME [ON_CLUSTER]},... USER_PART*
{create | alter} role [IF_NEW | IF_EXISTS] {USER_NAME [ON_CLUSTER]},... {settings {PROFILE_ITEM,... | none} | rename to USER_NAME | {add | modify | drop} {settings | profiles | setting | profile} REST | in {ID | STRING}}*
create or replace role {USER_NAME [ON_CLUSTER]},... [settings {PROFILE_ITEM,... | none}]
POLICY_PART = [as {permissive | restrictive}] [for select] [using EXPRESSION] [as {permissive | restrictive}] [to ROLES]
create [row] policy [IF_NEW | or replace] {{ID | STRING},... [ON_CLUSTER] on {NAME [. '*'] | '*'},...} [ON_CLUSTER] [in ID] POLICY_PART
alter [row] policy [IF_EXISTS] ID [ON_CLUSTER] on {NAME [. '*'] | '*'} [rename to ID] [for select] [using {EXPRESSION | none}] [as {permissive | restrictive}] [to ROLES]
INTERVAL = for [randomized] interval NUMBER WORD {max {WORD '=' VALUE},... | no limits | tracking only | {WORD max '=' VALUE}}
{create | alter} quota [IF_NEW | or replace | IF_EXISTS] {ID | STRING},... [ON_CLUSTER] {rename to ID | keyed by WORD [, WORD] | not keyed | in ID | INTERVAL,... | to ROLES}*
{create | alter} [settings] profile [IF_NEW | or replace | IF_EXISTS] {ID | STRING},... [ON_CLUSTER] {settings {PROFILE_ITEM,...} | rename to ID | in ID | to ROLES | {add | modify | drop} {settings | profiles | setting | profile} REST}*
create workload REST
create resource REST
WHERE = where EXPRESSION
PARTITION = partition {all | id STRING | EXPRESSION}
PLACE = after NAME | first
STEP = add column [IF_NEW] COLUMN [PLACE] | drop column [IF_EXISTS] NAME | clear {column | index | projection} [IF_EXISTS] NAME [in PARTITION] | comment column [IF_EXISTS] NAME STRING
    | {modify | alter} column [IF_EXISTS] {NAME remove {default | materialized | alias | comment | codec | ttl | settings | ephemeral | null} | NAME modify setting SETTING,... | NAME reset setting NAME,... | NAME add enum values BRACKETS | NAME type TYPE COLUMN_PART* [PLACE] | COLUMN [PLACE]}
    | rename column [IF_EXISTS] NAME to NAME | modify order by EXPRESSION | modify sample by EXPRESSION | remove sample by | modify ttl TTL_ITEM,... | remove ttl | materialize ttl [in PARTITION]
    | add index [IF_NEW] INDEX [PLACE] | drop {index | projection | constraint | statistics} [IF_EXISTS] {NAME | NAMES}... | materialize {index | projection | column | statistics} [IF_EXISTS] {NAME,... | all} [in PARTITION] | add projection [IF_NEW] PROJECTION [PLACE] | add constraint [IF_NEW] CONSTRAINT
    | {add | modify} statistics [IF_NEW] REST | modify setting SETTING,... | reset setting NAME,... | modify comment STRING | modify query QUERY | modify refresh REST | modify sql security REST | modify definer REST | comment STRING
    | {attach | detach | drop [detached] | forget} {PARTITION | part {STRING | EXPRESSION}} [from NAME] | replace PARTITION from NAME | move {PARTITION | part STRING} to {table NAME | {disk | volume} STRING} | freeze [PARTITION] [with name STRING] | unfreeze [PARTITION] with name STRING
    | fetch {PARTITION | part STRING} from STRING | export REST | update {NAME '=' EXPRESSION},... [in PARTITION] WHERE | delete [in PARTITION] WHERE | apply deleted mask [in PARTITION] | apply patches [in PARTITION] | rewrite parts REST
ALTER_LIST = {STEP | ( STEP )},...
alter [temporary] table NAME [ON_CLUSTER] ALTER_LIST [SETTINGS]
alter {live | window} view REST
alter database NAME [ON_CLUSTER] {modify setting SETTING,... | modify comment STRING}
alter named collection [IF_EXISTS] NAME [ON_CLUSTER] [set {SETTING [[not] overridable]},...] [delete NAME,...]
TABLE_KIND = [temporary] table | view | dictionary | database | live view
{drop | detach | truncate} {TABLE_KIND | function | materialized view | all tables from | tables from} [IF_EXISTS] NAME,... [ON_CLUSTER] {permanently | sync | no delay}* OUTPUT
truncate [table] [IF_EXISTS] NAME [ON_CLUSTER] [sync | no delay] OUTPUT
undrop table NAME [UUID] [ON_CLUSTER]
drop {user | role | quota | [settings] profile | named collection | function | workload | resource | index} [IF_EXISTS] USER_NAME,... [ON_CLUSTER] [from ID]
drop index [IF_EXISTS] NAME on NAME
drop [row] policy [IF_EXISTS] ID,... [ON_CLUSTER] on {NAME [. '*'] | '*'},... [ON_CLUSTER] [from ID]
attach {TABLE_KIND | function | materialized view} [IF_NEW] NAME [UUID] [ON_CLUSTER] [as [not] replicated]
RENAMED = NAME to NAME
rename [table | dictionary | database] {[IF_EXISTS] RENAMED},... [ON_CLUSTER]
exchange {tables | dictionaries} NAME and NAME [ON_CLUSTER]
optimize table NAME [ON_CLUSTER] [PARTITION] [final | force] [deduplicate [by REST]] [cleanup] [SETTINGS]
check {table | database} NAME [PARTITION | part STRING] OUTPUT
check all tables OUTPUT
check grant REST
delete from NAME [ON_CLUSTER] [in PARTITION] WHERE [SETTINGS]
update NAME [ON_CLUSTER] set {NAME '=' EXPRESSION},... [in PARTITION] [WHERE] [SETTINGS]
kill {query | mutation | part_move_to_shard | transaction} [ON_CLUSTER] WHERE [sync | async | test] OUTPUT
use [database] NAME
set {SETTING | NAME},...
set transaction snapshot EXPRESSION
set role {default | ROLES}
set default role ROLES to ROLES
LIKE = [not] {like | ilike} STRING
LIMITED = [LIKE] [WHERE] [limit EXPRESSION] OUTPUT
show create {TABLE_KIND | [row] {policy | policies} | user | role | quota | [settings] profile | users | roles | quotas | profiles | function} [{NAME | USER_NAME},...] [on NAME] OUTPUT
show create [table] NAME OUTPUT
show [full] [temporary] tables [{from | in} NAME] LIMITED
show databases LIMITED
show dictionaries [{from | in} NAME] LIMITED
show [extended] [full] columns {from | in} NAME [{from | in} NAME] LIMITED
show [extended] {index | indexes | indices | keys} {from | in} NAME [{from | in} NAME] [WHERE] OUTPUT
show {processlist | users | quotas | [settings] profiles | privileges | engines | access | filesystem caches | grants | functions | settings | changed settings | merges | clusters | cluster | setting | [current | enabled] roles | [row] policies | quota | current quota | workloads | resources} REST
show table {NAME} OUTPUT
show {view | dictionary | database} {NAME} OUTPUT
{describe | desc} [table] {QUERY | NAME | NAME BRACKETS | ( QUERY )} OUTPUT
exists [TABLE_KIND] NAME OUTPUT
explain [ast | syntax | query tree | plan | pipeline | estimate | table override] {SETTING},... STATEMENT
explain [ast | syntax | query tree | plan | pipeline | estimate | table override] STATEMENT
PRIVILEGE = {WORD... [NAMES]}
ON_WHAT = on {'*' [. '*'] | NAME ['*'] [. '*'] | ID '*' | STRING}
grant [ON_CLUSTER] {PRIVILEGE,... ON_WHAT},... to ROLES {with {grant | replace} option}*
grant [ON_CLUSTER] USER_NAME,... to ROLES {with {admin | replace} option}*
grant [ON_CLUSTER] current grants REST
revoke [ON_CLUSTER] [grant option for] {PRIVILEGE,... ON_WHAT},... from ROLES
revoke [ON_CLUSTER] [admin option for] USER_NAME,... from ROLES
watch NAME [events] [limit NUMBER] OUTPUT
{backup | restore} REST
{begin | commit | rollback} [transaction]
system {reload | flush | drop | stop | start | sync | restart | restore | shutdown | kill | unfreeze | wait | enable | disable | refresh | cancel | test | jemalloc | load | unload | suspend | replicas | clear | notify | instrument | reset | reconnect | unlock | free | prewarm | allocate | query} {NAME | STRING | NUMBER | BRACKETS | '=' | ,}*
system shutdown
`
