/** Spark's commands and definitions, after its grammar. */

export const SPARK_SHAPES = String.raw`
IF_EXISTS = if exists
IF_NEW = if not exists
CONSTANT = STRING | NUMBER | WORD | EXPRESSION
KEY = {WORD {. WORD}*} | STRING
PROPERTIES = ( {KEY ['='] [CONSTANT]},... )
COMMENT = comment STRING
PARTITION = partition ( {ID ['=' EXPRESSION]},... )
IDENTITY = ( {start with NUMBER | increment by NUMBER}* )
COLUMN_OPTION = not null | null | default EXPRESSION | generated always as ( EXPRESSION ) | generated {always | by default} as identity [IDENTITY] | COMMENT | collate ID | [constraint ID] {primary key | unique | check ( EXPRESSION ) | references NAME [( ID,... )]} [[not] enforced] [norely | rely]
COLUMN = ID [':'] TYPE COLUMN_OPTION*
CONSTRAINT = [constraint ID] {check ( EXPRESSION ) | {primary key | unique} ( ID,... ) | foreign key ( ID,... ) references NAME [( ID,... )]} {[not] enforced | [no] rely | norely}*
ORDERED = EXPRESSION [asc | desc] [nulls {first | last}]
ROW_FORMAT = row format {serde STRING [with serdeproperties PROPERTIES] | delimited {fields terminated by STRING [escaped by STRING] | collection items terminated by STRING | map keys terminated by STRING | lines terminated by STRING | null defined as STRING}*}
STORED = stored {as {inputformat STRING outputformat STRING | ID} | by STRING [with serdeproperties PROPERTIES]}
BUCKETS = clustered by ( ID,... ) [sorted by ( {ID [asc | desc]},... )] into NUMBER buckets
TABLE_CLAUSE = using NAME | options PROPERTIES | partitioned by ( {COLUMN | EXPRESSION},... ) | skewed by ( ID,... ) on BRACKETS [stored as directories] | BUCKETS | cluster by {none | auto | ( NAME,... )} | ROW_FORMAT | STORED
    | location STRING | COMMENT | tblproperties PROPERTIES | default collation ID
create [or replace] [temporary | temp | external] table [IF_NEW] NAME [( {CONSTRAINT | COLUMN},... )] TABLE_CLAUSE* [[as] QUERY]
create [or replace] [temporary | temp | external] table [IF_NEW] NAME ( ID,... ) TABLE_CLAUSE* as QUERY
replace table NAME [( {CONSTRAINT | COLUMN},... )] TABLE_CLAUSE* [[as] QUERY]
create [external] table [IF_NEW] NAME like NAME {using NAME | ROW_FORMAT | STORED | location STRING | tblproperties PROPERTIES}*
create [external] table [IF_NEW] NAME [shallow | deep] clone REST
create [or replace] table NAME [shallow | deep] clone REST
VIEW_COLUMNS = ( {ID [COMMENT]},... )
create [or replace] [[global] {temporary | temp}] view [IF_NEW] NAME [VIEW_COLUMNS] {COMMENT | tblproperties PROPERTIES | partitioned on ( ID,... ) | with schema {binding | compensation | type evolution | evolution} | schema {binding | compensation | evolution | type evolution} | default collation ID}* as QUERY
create [or replace] [[global] {temporary | temp}] view NAME [( COLUMN,... )] using NAME [options PROPERTIES]
create {database | schema | namespace} [IF_NEW] NAME {COMMENT | location STRING | with {dbproperties | properties} PROPERTIES | default collation ID}*
create [or replace] [temporary | temp] function [IF_NEW] NAME as STRING [using {{jar | file | archive} STRING},...]
create [or replace] [temporary | temp] function [IF_NEW] NAME ( [COLUMN,...] ) REST
create [or replace] variable REST
create index [IF_NEW] ID on [table] NAME REST
drop {database | schema | namespace} [IF_EXISTS] NAME [cascade | restrict]
drop table [IF_EXISTS] NAME [purge]
drop view [IF_EXISTS] NAME
drop [temporary | temp] {function | variable} [IF_EXISTS] NAME
drop index [IF_EXISTS] ID on [table] NAME
COLUMN_PLACE = first | after ID
ADDED_COLUMN = NAME TYPE {COLUMN_OPTION | COLUMN_PLACE}*
COLUMN_CHANGE = type TYPE | COMMENT | COLUMN_PLACE | {set | drop} not null | set default EXPRESSION | drop default | set tags BRACKETS
ALTERED = {set tblproperties PROPERTIES | unset tblproperties [IF_EXISTS] ( KEY,... ) | rename to NAME}
alter table NAME {ALTERED | add {column | columns} {ADDED_COLUMN,... | ( ADDED_COLUMN,... )} | rename column NAME to ID | drop {column | columns} [IF_EXISTS] {NAME,... | ( NAME,... )}
    | {alter | change} [column] NAME {COLUMN_CHANGE... | ID TYPE {COLUMN_OPTION | COLUMN_PLACE}*} | replace columns ( ADDED_COLUMN,... ) | set serde STRING [with serdeproperties PROPERTIES] | set serdeproperties PROPERTIES
    | add [IF_NEW] {PARTITION [location STRING]}... | drop [IF_EXISTS] PARTITION,... [purge] | {recover | repair} partitions | set location STRING | set fileformat REST | cluster by {none | auto | ( NAME,... )} | add CONSTRAINT | drop constraint [IF_EXISTS] ID [cascade | restrict] | {owner | set owner} to ID | drop feature REST | exchange PARTITION with table NAME | {write | create | replace} REST | {add | drop | replace} partition field REST | drop {branch | tag} REST | {set | drop} identifier fields REST | default collation ID}
alter table NAME PARTITION {rename to PARTITION | set location STRING | set serde STRING [with serdeproperties PROPERTIES] | set serdeproperties PROPERTIES | {change | alter} [column] REST | replace columns ( ADDED_COLUMN,... ) | concatenate | compact STRING}
alter view NAME {ALTERED | [as] QUERY | [with] schema {binding | compensation | evolution | type evolution}}
alter {database | schema | namespace} NAME {set {dbproperties | properties} PROPERTIES | unset {dbproperties | properties} [IF_EXISTS] ( KEY,... ) | set location STRING | set owner REST | default collation ID}
{describe | desc} function [extended] {NAME | STRING}
{describe | desc} {database | schema | namespace | catalog} [extended] NAME
{describe | desc} [table] [extended | formatted] NAME [PARTITION] [NAME] [as json]
{describe | desc} history NAME [limit NUMBER]
{describe | desc} detail {NAME | STRING}
{describe | desc} [query] QUERY
LIKE = [like] STRING
show {databases | schemas | namespaces} [{from | in} NAME] [LIKE]
show tables [{from | in} NAME] [LIKE]
show table extended [{from | in} NAME] like STRING [PARTITION]
show tblproperties NAME [( KEY )]
show columns {from | in} NAME [{from | in} NAME]
show views [{from | in} NAME] [LIKE]
show partitions NAME [PARTITION]
show [user | system | all] functions [{from | in} NAME] [[like] {NAME | STRING}]
show create table NAME [as serde]
show current {namespace | database | schema}
show catalogs [LIKE]
show [current] {roles | grants | transactions | locks | compactions} REST
show {role | grant | principals | collations | procedures} REST
msck repair table NAME [{add | drop | sync} partitions]
analyze table NAME [PARTITION] compute statistics [noscan | for columns ID,... | for all columns]
analyze tables [{from | in} NAME] compute statistics [noscan]
cache [lazy] table NAME [options PROPERTIES] [[as] QUERY]
uncache table [IF_EXISTS] NAME
clear cache
refresh [table] NAME
refresh function NAME
refresh STRING
truncate table NAME [PARTITION]
load data [local] inpath STRING [overwrite] into table NAME [PARTITION]
{use} {namespace | database | schema | catalog} {ID | NAME}
use NAME
explain [logical | formatted | extended | codegen | cost] STATEMENT
comment on {database | schema | namespace | table | column | view | catalog} NAME is {STRING | null}
clear cache
`
