-- case: LOAD DATA SET with subquery
-- dialect: mysql, mariadb
LOAD DATA LOCAL INFILE '/in/x.csv' REPLACE INTO TABLE stg.t CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' IGNORE 1 LINES (a, @d, @skip, c) SET dt = STR_TO_DATE(@d, '%Y'), src = 'x', k = (SELECT r.k FROM ref.r r WHERE r.n = @d), up = NOW()
-- expect: stg.t.a <- "/in/x.csv".a
-- expect: stg.t.c <- "/in/x.csv".c
-- expect: stg.t.dt <- "/in/x.csv".d
-- expect: stg.t.src <- nothing
-- expect: stg.t.k <- ref.r.k
-- expect: stg.t.up <- nothing
-- inputs: /in/x.csv, ref.r

-- case: LOAD XML, LOAD without fields
-- dialect: mysql, mariadb
LOAD XML INFILE '/in/p.xml' INTO TABLE stg.p ROWS IDENTIFIED BY '<p>' (id, nm);
LOAD DATA INFILE 'y.txt' INTO TABLE stg.y
-- expect: stg.p.id <- "/in/p.xml".id
-- expect: stg.p.nm <- "/in/p.xml".nm
-- expect: stg.y.* <- y.txt.*
-- inputs: /in/p.xml, y.txt

-- case: REPLACE SET, INSERT SET with alias and duplicate
-- dialect: mysql
REPLACE INTO t SET a = 1, b = (SELECT MAX(s.x) FROM s), c = a + 1;
INSERT INTO t2 SET a = 5, b = 6 AS new ON DUPLICATE KEY UPDATE b = new.b + t2.b
-- expect: t.a <- nothing
-- expect: t.b <- s.x
-- expect: t.c <- t.a
-- expect: t2.a <- nothing
-- expect: t2.b <- t2.b
-- inputs: s

-- case: INSERT VALUES AS new(m, n)
-- dialect: mysql
INSERT INTO t (a, b) VALUES (1, 2), (3, 4) AS new (m, n) ON DUPLICATE KEY UPDATE b = new.n + b, a = m;
INSERT INTO u (a, b) SELECT * FROM (SELECT s.x, s.y + 1 FROM s) AS dt (p, q) ON DUPLICATE KEY UPDATE b = dt.q + u.b;
INSERT INTO w (a, b) SELECT s.x, s.y FROM s UNION SELECT 1, 2 ON DUPLICATE KEY UPDATE b = b + 1
-- expect: t.a <- nothing
-- expect: t.b <- t.b
-- expect: u.a <- s.x
-- expect: u.b <- s.y, u.b
-- expect: w.a <- s.x
-- expect: w.b <- s.y, w.b
-- inputs: s

-- case: TABLE and VALUES ROW
-- dialect: mysql
-- table: s.t (a, b)
INSERT INTO m.x (p, q) TABLE s.t ORDER BY a LIMIT 5;
CREATE TABLE m.y AS TABLE s.t;
SELECT v.column_0 AS c, v.column_1 AS d FROM (VALUES ROW(1, (SELECT MAX(a) FROM s.t)), ROW(3, 4)) AS v;
INSERT INTO m.z VALUES ROW(1, 2), ROW(3, 4)
-- expect: m.x.p <- s.t.a
-- expect: m.x.q <- s.t.b
-- expect: m.y.a <- s.t.a
-- expect: m.y.b <- s.t.b
-- expect: c <- nothing
-- expect: d <- s.t.a
-- outputs: m.x, m.y, m.z

-- case: multi-table UPDATE and DELETE
-- dialect: mysql
UPDATE a JOIN b ON a.id = b.id LEFT JOIN c USING (k) SET a.x = b.y, b.z = c.w + a.q WHERE c.w IS NULL;
DELETE a, b FROM a INNER JOIN b ON a.id = b.id WHERE b.d < NOW()
-- expect: a.x <- b.y
-- expect: b.z <- c.w, a.q
-- inputs: a, b, c
-- outputs: a, b

-- case: HANDLER, DO, JSON_TABLE, lateral
-- dialect: mysql
INSERT INTO m.o SELECT d.id, j.nm, l.mx FROM s.d d, JSON_TABLE(d.doc, '$[*]' COLUMNS (rn FOR ORDINALITY, nm VARCHAR(9) PATH '$.n')) AS j, LATERAL (SELECT MAX(e.v) AS mx FROM s.e e WHERE e.id = d.id) AS l
-- expect: m.o.id <- s.d.id
-- expect: m.o.nm <- s.d.doc
-- expect: m.o.mx <- s.e.v
