-- case: Flink tables and inserts
-- dialect: ansi
CREATE TABLE orders (id BIGINT, amt DECIMAL(10,2), ts TIMESTAMP(3), total AS amt * 2, kts TIMESTAMP(3) METADATA FROM 'timestamp' VIRTUAL, pt AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'kafka', 'topic' = 'o');
INSERT INTO sink SELECT window_start, SUM(amt) AS s FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY window_start, window_end;
EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT id FROM orders; INSERT INTO b SELECT amt FROM orders; END
-- expect: orders.total <- orders.amt
-- expect: orders.pt <- nothing
-- expect: sink.window_start <- orders.ts
-- expect: sink.s <- orders.amt
-- expect: a.id <- orders.id
-- expect: b.amt <- orders.amt
-- inputs: orders
-- outputs: orders, sink, a, b

-- case: Flink temporal join, views
-- dialect: ansi
CREATE TEMPORARY VIEW v AS SELECT o.id, r.rate FROM orders AS o LEFT JOIN rates FOR SYSTEM_TIME AS OF o.pt AS r ON o.cur = r.cur;
INSERT INTO sink SELECT id, rate FROM v
-- expect: sink.id <- orders.id
-- expect: sink.rate <- rates.rate

-- case: KSQL
-- dialect: ansi
CREATE STREAM pv (id INT KEY, url VARCHAR) WITH (KAFKA_TOPIC='pv', VALUE_FORMAT='JSON');
CREATE STREAM pv2 WITH (KAFKA_TOPIC='pv2') AS SELECT p.id, UCASE(p.url) AS u FROM pv p LEFT JOIN users x WITHIN 1 HOUR ON p.id = x.id PARTITION BY p.id EMIT CHANGES;
CREATE TABLE cnt AS SELECT id, COUNT(*) AS n FROM pv WINDOW TUMBLING (SIZE 1 MINUTE, GRACE PERIOD 5 SECONDS) GROUP BY id EMIT CHANGES;
INSERT INTO pv3 SELECT * FROM pv EMIT CHANGES
-- expect: pv2.id <- pv.id
-- expect: pv2.u <- pv.url
-- expect: cnt.id <- pv.id
-- expect: cnt.n <- nothing
-- expect: pv3.id <- pv.id
-- expect: pv3.url <- pv.url
-- inputs: pv, users
-- outputs: pv, pv2, cnt, pv3
