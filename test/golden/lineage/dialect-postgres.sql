-- case: a rule rewrites inserts into a view
-- dialect: postgres
-- table: base.t (id, nm)
CREATE VIEW api.v AS SELECT t.id, t.nm FROM base.t t;
CREATE RULE v_ins AS ON INSERT TO api.v DO INSTEAD INSERT INTO base.t (id, nm) VALUES (NEW.id, upper(NEW.nm));
INSERT INTO api.v (id, nm) SELECT s.a, s.b FROM raw.s s
-- expect: api.v.id <- base.t.id, raw.s.a
-- expect: api.v.nm <- base.t.nm, raw.s.b
-- expect: base.t.id <- api.v.id
-- expect: base.t.nm <- api.v.nm
-- inputs: base.t, api.v, raw.s

-- case: a rule with several commands, ALSO
-- dialect: postgres
CREATE OR REPLACE RULE log_upd AS ON UPDATE TO app.emp WHERE NEW.sal <> OLD.sal DO ALSO (INSERT INTO app.audit (eid, was, now_) VALUES (OLD.id, OLD.sal, NEW.sal); UPDATE app.tot SET s = s + NEW.sal WHERE d = NEW.dept);
CREATE RULE no_del AS ON DELETE TO app.emp DO INSTEAD NOTHING;
CREATE RULE "_RETURN" AS ON SELECT TO app.old DO INSTEAD SELECT e.id FROM app.emp e
-- expect: app.audit.eid <- app.emp.id
-- expect: app.audit.was <- app.emp.sal
-- expect: app.audit.now_ <- app.emp.sal
-- expect: app.tot.s <- app.tot.s, app.emp.sal
-- expect: app.old.id <- app.emp.id
-- inputs: app.emp, app.tot

-- case: SEARCH and CYCLE columns read
-- dialect: postgres
WITH RECURSIVE g (id, link) AS (SELECT r.id, r.link FROM raw.g r UNION ALL SELECT r.id, r.link FROM raw.g r, g WHERE r.id = g.link) SEARCH DEPTH FIRST BY id SET ord CYCLE id SET is_c TO 'Y' DEFAULT 'N' USING path SELECT id, ord, is_c, path FROM g ORDER BY ord
-- expect: id <- raw.g.id, raw.g.id
-- expect: ord <- raw.g.id
-- expect: is_c <- raw.g.id
-- expect: path <- raw.g.id

-- case: MERGE RETURNING
-- dialect: postgres
WITH m AS (MERGE INTO mart.t t USING raw.s s ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v) WHEN NOT MATCHED BY SOURCE THEN DELETE RETURNING merge_action() AS act, t.id, s.w, old.v AS was, new.v AS now_) INSERT INTO mart.log (act, id, w, was, now_) SELECT act, id, w, was, now_ FROM m
-- expect: mart.t.v <- raw.s.v
-- expect: mart.t.id <- raw.s.id
-- expect: mart.log.act <- nothing
-- expect: mart.log.id <- mart.t.id
-- expect: mart.log.w <- raw.s.w
-- expect: mart.log.was <- mart.t.v
-- expect: mart.log.now_ <- mart.t.v
-- inputs: raw.s, mart.t

-- case: an attached partition
-- dialect: postgres
CREATE TABLE m.p (id int, d date) PARTITION BY RANGE (d);
CREATE TABLE m.p1 (LIKE m.p INCLUDING ALL);
ALTER TABLE m.p ATTACH PARTITION m.p1 FOR VALUES FROM ('2020-01-01') TO ('2021-01-01');
INSERT INTO m.x SELECT * FROM m.p;
ALTER TABLE m.p DETACH PARTITION m.p1 CONCURRENTLY
-- expect: m.x.id <- m.p.id
-- expect: m.x.d <- m.p.d
-- expect: m.p.id <- m.p1.id
-- expect: m.p.d <- m.p1.d
-- inputs: m.p, m.p1
-- outputs: m.p, m.p1, m.x

-- case: COPY of a query
-- dialect: postgres
COPY (SELECT o.id, o.amt * 2 AS dbl FROM shop.o o) TO '/tmp/o.csv' WITH (FORMAT csv, HEADER);
COPY (DELETE FROM shop.d RETURNING id) TO PROGRAM 'gzip > /tmp/d.gz';
COPY shop.t (a, b) TO STDOUT;
COPY shop.u (a, b) FROM PROGRAM 'curl x' WHERE a > 1
-- expect: "/tmp/o.csv".id <- shop.o.id
-- expect: "/tmp/o.csv".dbl <- shop.o.amt
-- expect: shop.u.a <- nothing
-- expect: shop.u.b <- nothing
-- inputs: shop.o, shop.t
-- outputs: /tmp/o.csv, shop.d, shop.u

-- case: updatable view with CHECK OPTION, options, security
-- dialect: postgres
CREATE VIEW a.v (x, y) WITH (security_barrier, check_option = local) AS SELECT t.a, t.b FROM a.t t WHERE t.a > 1 WITH CASCADED CHECK OPTION;
CREATE TEMP RECURSIVE VIEW nums (n) AS VALUES (1) UNION ALL SELECT n + 1 FROM nums WHERE n < 9;
INSERT INTO a.u SELECT x, y, n FROM a.v, nums
-- expect: a.v.x <- a.t.a
-- expect: a.v.y <- a.t.b
-- expect: a.u.x <- a.v.x
-- expect: a.u.y <- a.v.y
-- expect: a.u.n <- nothing

-- case: SQL/JSON constructors
-- dialect: postgres
-- table: s.t (id, nm, doc)
SELECT JSON_OBJECT('k' VALUE id, 'n': nm ABSENT ON NULL WITH UNIQUE KEYS RETURNING jsonb) AS o, JSON_ARRAY(id, nm NULL ON NULL RETURNING text) AS a, JSON_OBJECTAGG(id : nm) AS og, JSON_ARRAYAGG(nm ORDER BY id RETURNING jsonb) AS ag, JSON_VALUE(doc, '$.a' PASSING id AS p RETURNING int DEFAULT 0 ON EMPTY ERROR ON ERROR) AS v, JSON_QUERY(doc, '$.b' WITH WRAPPER OMIT QUOTES) AS q, JSON_EXISTS(doc, '$.c') AS e, JSON(nm WITH UNIQUE KEYS) AS j, JSON_SCALAR(id) AS sc, JSON_SERIALIZE(doc RETURNING bytea FORMAT JSON) AS se, JSON_ARRAY(SELECT x.z FROM s.x x) AS sub, nm IS JSON OBJECT AS isj FROM s.t GROUP BY 1, 2
-- expect: o <- s.t.id, s.t.nm
-- expect: a <- s.t.id, s.t.nm
-- expect: og <- s.t.id, s.t.nm
-- expect: ag <- s.t.nm, s.t.id
-- expect: v <- s.t.doc, s.t.id
-- expect: q <- s.t.doc
-- expect: e <- s.t.doc
-- expect: j <- s.t.nm
-- expect: sc <- s.t.id
-- expect: se <- s.t.doc
-- expect: sub <- s.x.z
-- expect: isj <- s.t.nm

-- case: triggers with NEW and OLD through functions
-- dialect: postgres
CREATE FUNCTION app.aud() RETURNS trigger AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN INSERT INTO app.log SELECT OLD.*; RETURN OLD; END IF;
  INSERT INTO app.log2 (id, was, now_) VALUES (NEW.id, OLD.sal, NEW.sal);
  NEW.full := NEW.first || NEW.last;
  RETURN NEW;
END $$ LANGUAGE plpgsql;
CREATE TRIGGER t BEFORE UPDATE OR DELETE ON app.emp FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION app.aud();
-- expect: app.log.* <- app.emp.*
-- expect: app.log2.id <- app.emp.id
-- expect: app.log2.was <- app.emp.sal
-- expect: app.log2.now_ <- app.emp.sal
-- expect: app.emp.full <- app.emp.first, app.emp.last

-- case: statement trigger with transition tables
-- dialect: postgres
CREATE FUNCTION app.st() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO app.d (id, v) SELECT n.id, o.v FROM newtab n JOIN oldtab o USING (id); RETURN NULL; END $$;
CREATE TRIGGER t2 AFTER UPDATE ON app.emp REFERENCING NEW TABLE AS newtab OLD TABLE AS oldtab FOR EACH STATEMENT EXECUTE PROCEDURE app.st();
-- expect: app.d.id <- app.emp.id
-- expect: app.d.v <- app.emp.v

-- case: INSTEAD OF trigger on a view
-- dialect: postgres
CREATE FUNCTION api.f() RETURNS trigger AS $$ BEGIN INSERT INTO base.t (a, b) VALUES (NEW.a, NEW.b + 1); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER iv INSTEAD OF INSERT ON api.v FOR EACH ROW EXECUTE FUNCTION api.f();
-- expect: base.t.a <- api.v.a
-- expect: base.t.b <- api.v.b
