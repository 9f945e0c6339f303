-- case: formatted SQL: changesets, properties, what undoes them
-- dialect: postgres, mysql, oracle, tsql, snowflake
--liquibase formatted sql
--property name:schema value:mart dbms:postgresql
--changeset jane:1 runOnChange:true
--preconditions onFail:MARK_RAN
--precondition-sql-check expectedResult:0 SELECT COUNT(*) FROM nowhere
CREATE VIEW ${schema}.daily AS SELECT o.day, o.amount FROM raw.orders o;
--rollback DROP VIEW ${schema}.daily;
--changeset jane:2
INSERT INTO ${schema}.seen (id) SELECT r.id FROM raw.seen r;
/* liquibase rollback
DELETE FROM mart.seen;
*/
-- expect: mart.daily.day <- raw.orders.day
-- expect: mart.daily.amount <- raw.orders.amount
-- expect: mart.seen.id <- raw.seen.id

-- case: formatted SQL: a delimiter of its own, changesets for tests and ignored ones
-- dialect: postgres, mysql, snowflake
--liquibase formatted sql
--changeset jane:1 splitStatements:true endDelimiter:/
INSERT INTO mart.a (x) SELECT r.x FROM raw.a r
/
INSERT INTO mart.b (y) SELECT r.y / 2 FROM raw.b r /
--changeset jane:2 dbms:h2,hsqldb
INSERT INTO mart.c (z) SELECT r.z FROM raw.test r;
--changeset jane:3 ignore:true
INSERT INTO mart.d (z) SELECT r.z FROM raw.ignored r;
--changeset jane:4 endDelimiter:"@@"
INSERT INTO mart.e (z) SELECT r.z FROM raw.e r@@
-- expect: mart.a.x <- raw.a.x
-- expect: mart.b.y <- raw.b.y
-- expect: mart.e.z <- raw.e.z
