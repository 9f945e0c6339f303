-- case: JSON_TABLE gives columns from its document
-- dialect: mysql, oracle, postgres, db2
SELECT o.id, j.sku FROM shop.orders o, JSON_TABLE(o.doc, '$[*]' COLUMNS (sku VARCHAR(10) PATH '$.sku')) j
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.doc

-- case: FOR ORDINALITY and NESTED PATH
-- dialect: mysql, oracle, postgres
SELECT j.n, j.name FROM shop.orders o, JSON_TABLE(o.doc, '$[*]' COLUMNS (n FOR ORDINALITY, NESTED PATH '$.c[*]' COLUMNS (name VARCHAR(10) PATH '$.n'))) j
-- expect: n <- nothing
-- expect: name <- shop.orders.doc

-- case: OPENJSON with a schema
-- dialect: tsql
SELECT o.id, j.sku FROM shop.orders o CROSS APPLY OPENJSON(o.doc, '$.items') WITH (sku NVARCHAR(10) '$.sku', qty INT) AS j
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.doc

-- case: OPENJSON without a schema has key, value and type
-- dialect: tsql
SELECT j.[key] AS k, j.value AS v FROM shop.orders o CROSS APPLY OPENJSON(o.doc) AS j
-- expect: k <- shop.orders.doc
-- expect: v <- shop.orders.doc

-- case: XMLTABLE
-- dialect: postgres, oracle, db2
SELECT o.id, x.sku FROM shop.orders o, XMLTABLE('/a/b' PASSING o.doc COLUMNS sku VARCHAR(10) PATH 'sku') x
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.doc

-- case: nodes() of an XML column
-- dialect: tsql
SELECT o.id, n.x.value('(sku)[1]', 'nvarchar(10)') AS sku FROM shop.orders o CROSS APPLY o.doc.nodes('/a/b') AS n(x)
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.doc

-- case: STRING_SPLIT
-- dialect: tsql
SELECT o.id, s.value FROM shop.orders o CROSS APPLY STRING_SPLIT(o.tags, ',') s
-- expect: id <- shop.orders.id
-- expect: value <- shop.orders.tags

-- case: SPLIT_TO_TABLE
-- dialect: snowflake
SELECT o.id, s.value FROM shop.orders o, LATERAL SPLIT_TO_TABLE(o.tags, ',') s
-- expect: id <- shop.orders.id
-- expect: value <- shop.orders.tags

-- case: json_tuple
-- dialect: hive, spark
SELECT j.a, j.b FROM raw.docs d LATERAL VIEW json_tuple(d.body, 'a', 'b') j AS a, b
-- expect: a <- raw.docs.body
-- expect: b <- raw.docs.body

-- case: json_each with its two columns
-- dialect: sqlite, postgres
SELECT d.id, e.key, e.value FROM raw.docs d, json_each(d.body) e
-- expect: id <- raw.docs.id
-- expect: key <- raw.docs.body
-- expect: value <- raw.docs.body

-- case: arrows and paths into JSON
-- dialect: postgres, mysql, sqlite, duckdb
SELECT d.body -> 'a' ->> 'b' AS v FROM raw.docs d
-- expect: v <- raw.docs.body

-- case: colons, brackets and casts into a variant
-- dialect: snowflake, databricks
SELECT d.body:a.b[0]::int AS v FROM raw.docs d
-- expect: v <- raw.docs.body

-- case: JSON_VALUE with RETURNING and error clauses
-- dialect: oracle, mysql
SELECT JSON_VALUE(d.body, '$.a' RETURNING DECIMAL NULL ON EMPTY ERROR ON ERROR) AS v FROM raw.docs d
-- expect: v <- raw.docs.body

-- case: KEY and VALUE inside JSON_OBJECT are words
-- dialect: oracle, postgres, trino
SELECT JSON_OBJECT(KEY 'a' VALUE d.x, 'b' VALUE d.y ABSENT ON NULL) AS j FROM raw.docs d
-- expect: j <- raw.docs.x, raw.docs.y

-- case: errors on the whole before the columns
-- dialect: oracle
SELECT jt.sku, jt.nm FROM raw.o o, JSON_TABLE(o.items, '$.lines[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (sku VARCHAR2(20) PATH '$.sku', NESTED PATH '$.o[*]' COLUMNS (nm VARCHAR2(30) PATH '$.n'))) jt
-- expect: sku <- raw.o.items
-- expect: nm <- raw.o.items
