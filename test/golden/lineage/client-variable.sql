-- case: SQL*Plus variables in names, the dot that ends them, quotes around their values
-- dialect: oracle
DEFINE stg = XX_STG
def dw='XX_DW'
ACCEPT mart CHAR PROMPT 'Mart: ' DEFAULT 'MART'
INSERT INTO &dw..orders_&mart (id)
SELECT o.id FROM &&stg..orders o WHERE o.region = '&region';
-- expect: XX_DW.orders_MART.id <- XX_STG.orders.id

-- case: a SQL*Plus variable that the run defines keeps its name, and none is filled in after SET DEFINE OFF
-- dialect: oracle
COLUMN dt NEW_VALUE run_date
DEFINE schema = mart
UNDEFINE schema
DEFINE raw = raw
INSERT INTO &schema..t_&run_date (id) SELECT id FROM &raw..t;
SET DEFINE OFF
INSERT INTO notes (txt) SELECT 'R&raw.D' || n.txt FROM &raw..notes n;
-- expect: &schema.t_&run_date.id <- raw.t.id
-- expect: notes.txt <- &raw.notes.txt

-- case: sqlcmd variables, also inside brackets
-- dialect: tsql
:setvar Db "DWH"
:setvar Stage stg
:on error exit
USE [$(Db)];
GO
INSERT INTO mart.Orders (Id) SELECT o.Id FROM [$(Db)].[$(Stage)].[Orders_$(Stage)] o
GO
-- expect: DWH.mart.Orders.Id <- DWH.stg.Orders_stg.Id

-- case: psql variables: bare, as a literal, as a name; not in strings, casts and dollar quotes
-- dialect: postgres, redshift, greenplum, vertica
\set ON_ERROR_STOP on
\set schema mart
\set tbl 'daily' _ 'x'
INSERT INTO :schema.:tbl (id, d)
SELECT o.id::int, ':schema' || o.d FROM :"schema"."orders" o WHERE o.day = :'schema';
-- expect: mart.daily_x.id <- mart.orders.id
-- expect: mart.daily_x.d <- mart.orders.d

-- case: SnowSQL variables and commands
-- dialect: snowflake
!set variable_substitution=true
!define env=PRD
USE DATABASE &{env}_DWH;
INSERT INTO mart.orders (id) SELECT id FROM &env..raw.orders;
-- expect: PRD_DWH.mart.orders.id <- PRD.raw.orders.id

-- case: Hive variables with and without their namespace
-- dialect: hive, impala, spark, databricks
SET hivevar:db=mart;
SET day=20240101;
INSERT INTO ${hivevar:db}.orders (id) SELECT id FROM raw.orders_${day};
-- expect: mart.orders.id <- raw.orders_20240101.id

-- case: a variable made of another one
-- dialect: oracle
DEFINE env = prod
DEFINE schema = dw_&env
INSERT INTO &schema..t (a) SELECT b FROM &schema._stage.s;
-- expect: dw_prod.t.a <- dw_prod_stage.s.b

-- case: a shell script around the client; what is no SQL is left out
-- dialect: teradata
#!/bin/ksh
. $HOME/.profile
export DB=dwh
bteq <<EOF
.LOGON ${TDPID}/${TDUSER},${TDPWD}
INSERT INTO ${DB}.t (a) SEL b FROM ${STG}.s;
.IF ERRORCODE <> 0 THEN .QUIT 1
.LOGOFF
EOF
if [ $? -ne 0 ]; then exit 1; fi
-- expect: ${DB}.t.a <- ${STG}.s.b

-- case: psql sends a statement with \gset, \g and \gexec
-- dialect: postgres
INSERT INTO mart.t (id) SELECT id FROM raw.s RETURNING id \gset
INSERT INTO mart.u (id) SELECT id FROM raw.s \g /tmp/out.txt
SELECT format('ANALYZE %I', t) FROM mart.tabs \gexec
-- inputs: raw.s, mart.tabs
-- expect: mart.t.id <- raw.s.id
-- expect: mart.u.id <- raw.s.id
-- expect: format <- mart.tabs.t

-- case: a MySQL delimiter that touches the word before it
-- dialect: mysql, mariadb
DELIMITER $$
CREATE PROCEDURE p() BEGIN INSERT INTO t (a) SELECT b FROM s; END$$
CREATE PROCEDURE q() BEGIN INSERT INTO u (a) SELECT c FROM s; END$$
DELIMITER ;
INSERT INTO v (a) SELECT d FROM s;
-- expect: t.a <- s.b
-- expect: u.a <- s.c
-- expect: v.a <- s.d
