-- case: alias in parentheses, named columns, CS
-- dialect: teradata
SEL t.nm (CASESPECIFIC) AS n1, t.nm (NOT CS) AS n2, t.nm (CS), t.x (UPPERCASE), CAST(t.y AS CHAR(3) CHARACTER SET LATIN CASESPECIFIC) AS y, t.a (INTEGER, FORMAT '9(5)', NAMED z) FROM raw.t t WHERE t.nm (CASESPECIFIC) = 'A' (CS)
-- expect: n1 <- raw.t.nm
-- expect: n2 <- raw.t.nm
-- expect: nm <- raw.t.nm
-- expect: x <- raw.t.x
-- expect: y <- raw.t.y
-- expect: z <- raw.t.a

-- case: MERGE LOGGING ERRORS
-- dialect: teradata
MERGE INTO mart.t AS t USING (SELECT a, b FROM raw.s) AS s (k, v) ON t.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v) LOGGING ALL ERRORS WITH NO LIMIT
-- expect: mart.t.k <- raw.s.a
-- expect: mart.t.v <- raw.s.b
-- inputs: raw.s

-- case: MERGE with VALUES source, LOGGING ERRORS
-- dialect: teradata
MERGE INTO mart.t USING VALUES (:a, :b) AS s (k, v) ON t.k = s.k WHEN MATCHED THEN UPD SET v = s.v WHEN NOT MATCHED THEN INS (s.k, s.v) LOGGING ERRORS
-- expect: mart.t.v <- nothing
-- expect: mart.t.? <- nothing
-- outputs: mart.t

-- case: NORMALIZE with EXPAND
-- dialect: teradata
INSERT INTO mart.n (id, p, d) SELECT NORMALIZE ON OVERLAPS s.id, s.dur, BEGIN(e) FROM raw.s s EXPAND ON s.dur AS e BY ANCHOR PERIOD MONTH_BEGIN FOR PERIOD (DATE '2020-01-01', DATE '2021-01-01')
-- expect: mart.n.id <- raw.s.id
-- expect: mart.n.p <- raw.s.dur
-- expect: mart.n.d <- raw.s.dur

-- case: PIVOT with aliases
-- dialect: teradata
-- table: raw.s (country, state, yr, qtr, sales, cogs)
SELECT * FROM raw.s PIVOT (SUM(sales) AS ss1, SUM(cogs) AS sc FOR qtr IN ('Q1' AS quarter1, 'Q2' AS quarter2)) tmp
-- expect: country <- raw.s.country
-- expect: state <- raw.s.state
-- expect: yr <- raw.s.yr
-- expect: quarter1_ss1 <- raw.s.sales
-- expect: quarter1_sc <- raw.s.cogs
-- expect: quarter2_ss1 <- raw.s.sales
-- expect: quarter2_sc <- raw.s.cogs

-- case: PIVOT WITH totals
-- dialect: teradata
-- table: raw.s (country, qtr, sales)
SELECT * FROM raw.s PIVOT (SUM(sales) FOR qtr IN ('Q1' AS q1, 'Q2' AS q2) WITH SUM(*) AS tot) tmp
-- expect: country <- raw.s.country
-- expect: q1 <- raw.s.sales
-- expect: q2 <- raw.s.sales
-- expect: tot <- raw.s.sales

-- case: UNPIVOT with include nulls
-- dialect: teradata
SELECT * FROM (SELECT id, a1, a2, b1, b2 FROM raw.s) s UNPIVOT INCLUDE NULLS ((va, vb) FOR q IN ((a1, b1) AS 'x', (a2, b2) AS 'y')) u
-- expect: id <- raw.s.id
-- expect: va <- raw.s.a1, raw.s.a2
-- expect: vb <- raw.s.b1, raw.s.b2
-- expect: q <- raw.s.a1, raw.s.a2, raw.s.b1, raw.s.b2

-- case: derived period columns
-- dialect: teradata
CREATE MULTISET TABLE mart.t (id INTEGER NOT NULL, s DATE NOT NULL, e DATE NOT NULL, PERIOD FOR valid (s, e) AS VALIDTIME) PRIMARY INDEX (id);
INSERT INTO mart.u (id, a, z) SELECT t.id, BEGIN(t.valid), END(t.valid) FROM mart.t t
-- expect: mart.u.id <- mart.t.id
-- expect: mart.t.valid <- mart.t.s, mart.t.e
-- expect: mart.u.a <- mart.t.valid
-- expect: mart.u.z <- mart.t.valid
-- inputs: mart.t
-- outputs: mart.t, mart.u

-- case: temporal qualifiers
-- dialect: teradata
CURRENT VALIDTIME SELECT t.a FROM mart.t t;
SEQUENCED VALIDTIME PERIOD '(2010-01-01, 2011-01-01)' INSERT INTO mart.u (a) SELECT t.b FROM mart.t t;
NONSEQUENCED VALIDTIME AND CURRENT TRANSACTIONTIME SELECT t.c FROM mart.t t;
SELECT t.a AS q FROM mart.t AS OF DATE '2020-01-01' t
-- expect: a <- mart.t.a
-- expect: mart.u.a <- mart.t.b
-- expect: c <- mart.t.c
-- expect: q <- mart.t.a

-- case: UPDATE FROM, multi-statement, QUALIFY, DEL ALL
-- dialect: teradata
UPD t FROM mart.t t, (SEL k, MAX(v) AS mv FROM raw.s GROUP BY 1) s SET v = s.mv WHERE t.k = s.k;
DEL mart.d ALL;
INS mart.w SEL a, b FROM raw.w QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) = 1
-- expect: mart.t.v <- raw.s.v
-- expect: mart.w.a <- raw.w.a
-- expect: mart.w.b <- raw.w.b
-- inputs: raw.s, raw.w, mart.t
-- outputs: mart.t, mart.d, mart.w
