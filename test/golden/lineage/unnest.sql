-- case: the element derives from the array column
-- dialect: postgres, trino, presto, duckdb, athena
SELECT o.id, u.tag FROM shop.orders o CROSS JOIN UNNEST(o.tags) AS u (tag)
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: the alias is the element
-- dialect: bigquery
SELECT o.id, tag FROM shop.orders o, UNNEST(o.tags) AS tag
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: WITH OFFSET has no source
-- dialect: bigquery
SELECT tag, pos FROM shop.orders o CROSS JOIN UNNEST(o.tags) AS tag WITH OFFSET AS pos
-- expect: tag <- shop.orders.tags
-- expect: pos <- nothing

-- case: WITH ORDINALITY has no source
-- dialect: postgres, trino
SELECT u.tag, u.n FROM shop.orders o CROSS JOIN UNNEST(o.tags) WITH ORDINALITY AS u (tag, n)
-- expect: tag <- shop.orders.tags
-- expect: n <- nothing

-- case: two arrays side by side
-- dialect: trino, presto
SELECT u.k, u.v FROM shop.orders o CROSS JOIN UNNEST(o.keys, o.vals) AS u (k, v)
-- expect: k <- shop.orders.keys
-- expect: v <- shop.orders.vals

-- case: an array of structs is read by field
-- dialect: bigquery
SELECT o.id, item.sku, item.qty * item.price AS total FROM shop.orders o, UNNEST(o.items) AS item
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items
-- expect: total <- shop.orders.items

-- case: a path in FROM is an implicit UNNEST
-- dialect: bigquery
SELECT o.id, tag FROM shop.orders o, o.tags AS tag
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: a subquery unnests the outer row's array
-- dialect: bigquery
SELECT o.id, (SELECT MAX(i.qty) FROM UNNEST(o.items) AS i) AS most FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: most <- shop.orders.items

-- case: FLATTEN gives VALUE from its input, INDEX and SEQ from nowhere
-- dialect: snowflake
SELECT o.id, f.value:sku::string AS sku, f.index AS pos FROM shop.orders o, LATERAL FLATTEN(input => o.items) f
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items
-- expect: pos <- nothing

-- case: FLATTEN of FLATTEN
-- dialect: snowflake
SELECT g.value AS leaf FROM raw.docs d, LATERAL FLATTEN(d.body:a) f, LATERAL FLATTEN(f.value:b) g
-- expect: leaf <- raw.docs.body

-- case: TABLE(FLATTEN())
-- dialect: snowflake
SELECT f.value AS v FROM raw.docs d, TABLE(FLATTEN(INPUT => PARSE_JSON(d.body), PATH => 'a.b')) f
-- expect: v <- raw.docs.body

-- case: LATERAL VIEW explode
-- dialect: hive, spark, databricks, doris
SELECT o.id, t.tag FROM shop.orders o LATERAL VIEW explode(o.tags) t AS tag
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: LATERAL VIEW OUTER posexplode of a map split
-- dialect: hive, spark, databricks
SELECT t.pos, t.tag FROM shop.orders o LATERAL VIEW OUTER posexplode(split(o.tags, ',')) t AS pos, tag
-- expect: pos <- nothing
-- expect: tag <- shop.orders.tags

-- case: two lateral views, the second over the first
-- dialect: hive, spark, databricks
SELECT b.y FROM raw.docs d LATERAL VIEW explode(d.xs) a AS x LATERAL VIEW explode(a.x.ys) b AS y
-- expect: y <- raw.docs.xs

-- case: explode of a map gives key and value
-- dialect: hive, spark, databricks
SELECT m.k, m.v FROM raw.docs d LATERAL VIEW explode(d.props) m AS k, v
-- expect: k <- raw.docs.props
-- expect: v <- raw.docs.props

-- case: explode in the SELECT list
-- dialect: spark, databricks
SELECT o.id, explode(o.tags) AS tag FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: ARRAY JOIN
-- dialect: clickhouse
SELECT o.id, tag FROM shop.orders o ARRAY JOIN o.tags AS tag
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: LEFT ARRAY JOIN of two arrays
-- dialect: clickhouse
SELECT k, v FROM shop.orders o LEFT ARRAY JOIN o.keys AS k, o.vals AS v
-- expect: k <- shop.orders.keys
-- expect: v <- shop.orders.vals

-- case: a set-returning function in FROM
-- dialect: postgres, greenplum
SELECT o.id, e.value FROM shop.orders o, jsonb_array_elements(o.doc) AS e (value)
-- expect: id <- shop.orders.id
-- expect: value <- shop.orders.doc

-- case: a set-returning function in the SELECT list
-- dialect: postgres, duckdb
SELECT o.id, unnest(o.tags) AS tag FROM shop.orders o
-- expect: id <- shop.orders.id
-- expect: tag <- shop.orders.tags

-- case: unnesting a super array by navigation
-- dialect: redshift
SELECT o.id, i.sku FROM shop.orders o, o.items i
-- expect: id <- shop.orders.id
-- expect: sku <- shop.orders.items

-- case: the rows of an array literal have no tables
-- dialect: bigquery
SELECT x FROM UNNEST([1, 2, 3]) AS x
-- expect: x <- nothing
-- inputs: nothing

-- case: a series joined to a table
-- dialect: postgres, duckdb, redshift
SELECT g.n, o.id FROM generate_series(1, 10) AS g (n) LEFT JOIN shop.orders o ON o.day = g.n
-- expect: n <- nothing
-- expect: id <- shop.orders.id

-- case: a series over the columns of its left neighbour
-- dialect: postgres
SELECT g.d FROM shop.stays s CROSS JOIN LATERAL generate_series(s.arrival, s.departure, '1 day') AS g (d)
-- expect: d <- shop.stays.arrival, shop.stays.departure

-- case: a map behind an array spreads over the names that are left
-- dialect: trino, athena
SELECT u.a, u.k, u.v FROM raw.o o CROSS JOIN UNNEST(o.arr, o.props) AS u (a, k, v)
-- expect: a <- raw.o.arr
-- expect: k <- raw.o.props
-- expect: v <- raw.o.props

-- case: a field of a table that has no alias
-- dialect: bigquery
SELECT i.qty FROM d.o, d.o.items AS i
-- expect: qty <- d.o.items
