-- case: COPY INTO a table from a stage
-- dialect: snowflake
COPY INTO raw.orders FROM @landing.stage/orders/ FILE_FORMAT = (TYPE = CSV)
-- inputs: "@landing.stage/orders/"
-- outputs: raw.orders
-- expect: raw.orders."*" <- "@landing.stage/orders/"."*"
-- statements: copy

-- case: COPY INTO a stage from a query
-- dialect: snowflake
COPY INTO @out.stage/daily FROM (SELECT o.id, o.amount FROM shop.orders o) FILE_FORMAT = (TYPE = PARQUET)
-- inputs: shop.orders
-- outputs: "@out.stage/daily"
-- expect: "@out.stage/daily".id <- shop.orders.id
-- expect: "@out.stage/daily".amount <- shop.orders.amount

-- case: COPY from a bucket
-- dialect: redshift
COPY raw.orders (id, amount) FROM 's3://lake/orders/' IAM_ROLE 'arn:aws:iam::1:role/x' FORMAT AS PARQUET
-- expect: raw.orders.id <- "s3://lake/orders/".id
-- expect: raw.orders.amount <- "s3://lake/orders/".amount
-- inputs: "s3://lake/orders/"
-- outputs: raw.orders

-- case: LOAD DATA with a list of fields, some of them variables
-- dialect: mysql, mariadb
LOAD DATA LOCAL INFILE '/tmp/in.csv' REPLACE INTO TABLE raw.imports CHARACTER SET utf8 FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' IGNORE 1 LINES (@a, name, @b, city) SET id = @a + 0, amt = NULLIF(@b, '')
-- expect: raw.imports.name <- "/tmp/in.csv".name
-- expect: raw.imports.city <- "/tmp/in.csv".city
-- expect: raw.imports.id <- "/tmp/in.csv".a
-- expect: raw.imports.amt <- "/tmp/in.csv".b

-- case: COPY of a query to a file
-- dialect: duckdb, postgres
COPY (SELECT o.id FROM shop.orders o) TO '/tmp/orders.csv' WITH (FORMAT CSV)
-- inputs: shop.orders
-- outputs: "/tmp/orders.csv"
-- expect: "/tmp/orders.csv".id <- shop.orders.id

-- case: UNLOAD of a query in quotes
-- dialect: redshift
UNLOAD ('SELECT id FROM shop.orders WHERE x = ''a''') TO 's3://lake/out/' IAM_ROLE 'r'
-- inputs: shop.orders
-- outputs: "s3://lake/out/"
-- expect: "s3://lake/out/".id <- shop.orders.id

-- case: UNLOAD of a query in parentheses
-- dialect: athena
UNLOAD (SELECT o.id FROM shop.orders o) TO 's3://lake/out/' WITH (format = 'PARQUET')
-- inputs: shop.orders
-- outputs: "s3://lake/out/"
-- expect: "s3://lake/out/".id <- shop.orders.id

-- case: EXPORT DATA
-- dialect: bigquery
EXPORT DATA OPTIONS (uri = 'gs://lake/out/*.csv', format = 'CSV') AS SELECT o.id FROM shop.orders o
-- inputs: shop.orders
-- outputs: "gs://lake/out/*.csv"
-- expect: "gs://lake/out/*.csv".id <- shop.orders.id

-- case: LOAD DATA INPATH
-- dialect: hive, spark, impala
LOAD DATA INPATH 's3://lake/orders' OVERWRITE INTO TABLE raw.orders
-- expect: raw.orders."*" <- "s3://lake/orders"."*"
-- inputs: "s3://lake/orders"
-- outputs: raw.orders

-- case: LOAD DATA INFILE
-- dialect: mysql, mariadb
LOAD DATA LOCAL INFILE '/tmp/orders.csv' INTO TABLE raw.orders FIELDS TERMINATED BY ','
-- expect: raw.orders."*" <- "/tmp/orders.csv"."*"
-- inputs: "/tmp/orders.csv"
-- outputs: raw.orders

-- case: an external table has its location as input
-- dialect: hive, spark, athena
CREATE EXTERNAL TABLE raw.orders (id INT) STORED AS PARQUET LOCATION 's3://lake/orders'
-- inputs: "s3://lake/orders"
-- outputs: raw.orders

-- case: INSERT OVERWRITE DIRECTORY
-- dialect: hive, spark
INSERT OVERWRITE DIRECTORY 's3://lake/out' SELECT o.id FROM shop.orders o
-- inputs: shop.orders
-- outputs: "s3://lake/out"
-- expect: "s3://lake/out".id <- shop.orders.id

-- case: a file as a table
-- dialect: duckdb
SELECT o.id FROM 'lake/orders.parquet' o
-- expect: id <- "lake/orders.parquet".id

-- case: a reader function's path is the table
-- dialect: duckdb
CREATE TABLE raw.orders AS SELECT o.id FROM read_csv('lake/orders.csv') o
-- expect: raw.orders.id <- "lake/orders.csv".id

-- case: a path behind a format name
-- dialect: spark, databricks
SELECT o.id FROM parquet.`s3://lake/orders` o
-- expect: id <- "s3://lake/orders".id

-- case: COPY INTO from a path
-- dialect: databricks
COPY INTO raw.orders FROM 's3://lake/orders' FILEFORMAT = PARQUET
-- expect: raw.orders."*" <- "s3://lake/orders"."*"
-- inputs: "s3://lake/orders"
-- outputs: raw.orders

-- case: a query over a stage reads positions
-- dialect: snowflake
INSERT INTO raw.orders (id, amount) SELECT t.$1, t.$2 FROM @landing.stage/orders.csv t
-- expect: raw.orders.id <- "@landing.stage/orders.csv".$1
-- expect: raw.orders.amount <- "@landing.stage/orders.csv".$2

-- case: BULK INSERT
-- dialect: tsql
BULK INSERT raw.orders FROM 'C:\data\orders.csv' WITH (FIELDTERMINATOR = ',')
-- expect: raw.orders."*" <- "C:\data\orders.csv"."*"
-- inputs: "C:\data\orders.csv"
-- outputs: raw.orders

-- case: exported through a connection, the query in parentheses
-- dialect: bigquery
EXPORT DATA WITH CONNECTION us.c OPTIONS (uri = 'gs://bucket/f/*.csv', format = 'CSV') AS (SELECT t.a, t.b FROM mart.t t ORDER BY a)
-- expect: "gs://bucket/f/*.csv".a <- mart.t.a
-- expect: "gs://bucket/f/*.csv".b <- mart.t.b

-- case: fields of a file that only the assignments read
-- dialect: mysql, mariadb
LOAD DATA LOCAL INFILE '/in/orders.csv' INTO TABLE mart.orders FIELDS TERMINATED BY ',' IGNORE 1 LINES (id, @day, amount, @time, @unused) SET at = STR_TO_DATE(CONCAT(@day, ' ', @time), '%Y-%m-%d %T'), loaded_at = NOW()
-- expect: mart.orders.id <- /in/orders.csv.id IDENTITY
-- expect: mart.orders.amount <- /in/orders.csv.amount
-- expect: mart.orders.at <- /in/orders.csv.day, /in/orders.csv.time
-- expect: mart.orders.loaded_at <- nothing

-- case: files by their options, columns with types
-- dialect: bigquery
LOAD DATA OVERWRITE mart.orders (id INT64, day DATE) PARTITION BY DATE_TRUNC(day, MONTH) OPTIONS (description = 'x') FROM FILES (format = 'CSV', uris = ['gs://in/orders.csv'], skip_leading_rows = 1)
-- expect: mart.orders.id <- "gs://in/orders.csv".id
-- expect: mart.orders.day <- "gs://in/orders.csv".day

-- case: a table of Hive's from an exported folder
-- dialect: hive
IMPORT EXTERNAL TABLE mart.orders PARTITION (day = '2024-01-01') FROM '/out/orders' LOCATION '/lake/orders'
-- expect: mart.orders.* <- "/out/orders".*
