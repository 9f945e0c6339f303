-- case: MultiLoad import with layout and two labels
-- dialect: teradata
.LOGTABLE stg.lg;
.LOGON h/u,p;
.BEGIN IMPORT MLOAD TABLES stg.emp, stg.aud WORKTABLES stg.w1, stg.w2 ERRORTABLES stg.e1 stg.u1, stg.e2 stg.u2;
.LAYOUT lay;
  .FIELD in_id * INTEGER;
  .FIELD in_nm * VARCHAR(20) NULLIF in_nm = '';
  .FILLER junk * CHAR(3);
.DML LABEL ins;
  INSERT INTO stg.emp (id, nm) VALUES (:in_id, :in_nm);
.DML LABEL aud DO INSERT FOR MISSING UPDATE ROWS;
  UPDATE stg.aud SET nm = :in_nm WHERE id = :in_id;
  INSERT INTO stg.aud (id, nm) VALUES (:in_id, :in_nm);
.IMPORT INFILE /data/emp.txt FORMAT VARTEXT '|' LAYOUT lay APPLY ins APPLY aud WHERE in_id > 3;
.END MLOAD;
.LOGOFF;
-- expect: stg.emp.id <- "/data/emp.txt".in_id
-- expect: stg.emp.nm <- "/data/emp.txt".in_nm
-- expect: stg.aud.nm <- "/data/emp.txt".in_nm
-- expect: stg.aud.id <- "/data/emp.txt".in_id
-- inputs: /data/emp.txt, stg.aud

-- case: MultiLoad with quoted file, two imports, upsert by insert without list
-- dialect: teradata
.BEGIN MLOAD TABLES stg.a;
.LAYOUT l1 INDICATORS;
.FIELD f1 1 VARCHAR(5);
.FIELD f2 6 VARCHAR(5);
.FIELD both f1 || f2;
.LAYOUT l2;
.FIELD g1 * CHAR(1);
.FIELD g2 * CHAR(1);
.DML LABEL d1 IGNORE DUPLICATE INSERT ROWS;
INSERT INTO stg.a VALUES (:f1, :both);
.DML LABEL d2;
INSERT stg.a (x = :g1, y = :g2);
.IMPORT INFILE 'a file.txt' LAYOUT l1 APPLY d1;
.IMPORT INFILE b.txt FORMAT TEXT LAYOUT l2 APPLY d2;
.END MLOAD;
-- expect: stg.a.x <- "b.txt".g1
-- expect: stg.a.y <- "b.txt".g2
-- expect: stg.a.f1 <- "a file.txt".f1
-- expect: stg.a.both <- "a file.txt".f1, "a file.txt".f2
-- inputs: "a file.txt", "b.txt"
-- outputs: stg.a

-- case: MultiLoad delete task
-- dialect: teradata
.LOGTABLE a.l;
.BEGIN DELETE MLOAD TABLES a.t;
DELETE FROM a.t WHERE d < DATE '2020-01-01';
.END MLOAD;
-- inputs: nothing
-- outputs: a.t

-- case: TPump
-- dialect: teradata
.BEGIN LOAD SESSIONS 4 ERRORTABLE a.e;
.LAYOUT lay;
.FIELD k * VARCHAR(5);
.FIELD v * VARCHAR(5);
.DML LABEL lab;
INSERT INTO a.t (k, v) VALUES (:k, TRIM(:v));
.IMPORT INFILE in.dat LAYOUT lay APPLY lab;
.END LOAD;
-- expect: a.t.k <- "in.dat".k
-- expect: a.t.v <- "in.dat".v

-- case: FastExport writes a query to a file
-- dialect: teradata
.LOGTABLE a.l;
.BEGIN EXPORT SESSIONS 8;
.EXPORT OUTFILE /out/x.txt MODE RECORD FORMAT TEXT;
SELECT t.a, t.b FROM raw.t t;
.END EXPORT;
.LOGOFF;
-- expect: "/out/x.txt".a <- raw.t.a
-- expect: "/out/x.txt".b <- raw.t.b

-- case: TPT load of a file
-- dialect: teradata
DEFINE JOB load_emp
DESCRIPTION 'load'
(
  DEFINE SCHEMA emp_s
  (
    id VARCHAR(10),
    nm VARCHAR(20)
  );
  DEFINE OPERATOR rd
  TYPE DATACONNECTOR PRODUCER
  SCHEMA emp_s
  ATTRIBUTES
  (
    VARCHAR DirectoryPath = '/data/',
    VARCHAR FileName = 'emp.csv',
    VARCHAR Format = 'Delimited',
    VARCHAR OpenMode = 'Read'
  );
  DEFINE OPERATOR wr
  TYPE LOAD
  SCHEMA *
  ATTRIBUTES
  (
    VARCHAR TargetTable = 'stg.emp',
    VARCHAR LogTable = 'stg.emp_l'
  );
  APPLY
  ('INSERT INTO stg.emp (emp_id, emp_nm) VALUES (:id, :nm);')
  TO OPERATOR (wr[2])
  SELECT * FROM OPERATOR (rd[1]);
);
-- expect: stg.emp.emp_id <- "/data/emp.csv".id
-- expect: stg.emp.emp_nm <- "/data/emp.csv".nm

-- case: TPT export to a file
-- dialect: teradata
DEFINE JOB exp
(
  DEFINE SCHEMA s FROM TABLE 'raw.t';
  DEFINE OPERATOR ex TYPE EXPORT SCHEMA s2 ATTRIBUTES (VARCHAR SelectStmt = 'SELECT a, b FROM raw.t;', VARCHAR UserName = @u);
  DEFINE OPERATOR fw TYPE DATACONNECTOR CONSUMER SCHEMA * ATTRIBUTES (VARCHAR FileName = 'out.txt', VARCHAR OpenMode = 'Write');
  DEFINE SCHEMA s2 (a VARCHAR(5), b VARCHAR(5));
  APPLY TO OPERATOR (fw) SELECT a, b FROM OPERATOR (ex[1]);
);
-- expect: "out.txt".a <- raw.t.a
-- expect: "out.txt".b <- raw.t.b

-- case: TPT with a step, a derived select and DDL
-- dialect: teradata
DEFINE JOB j
(
  DEFINE OPERATOR ddl TYPE DDL ATTRIBUTES (VARCHAR UserName = 'x');
  DEFINE SCHEMA s (k VARCHAR(5), v VARCHAR(5));
  DEFINE OPERATOR rd TYPE DATACONNECTOR PRODUCER SCHEMA s ATTRIBUTES (VARCHAR FileName = 'in.txt');
  DEFINE OPERATOR up TYPE UPDATE SCHEMA * ATTRIBUTES (VARCHAR ARRAY TargetTable = ['stg.t']);
  STEP clean ( APPLY ('DELETE FROM stg.t;') TO OPERATOR (ddl); );
  STEP load (
    APPLY CASE WHEN (k = 'a') THEN ('INSERT INTO stg.t (k, v, w) VALUES (:k, :v2, :c);') END
    TO OPERATOR (up[1])
    SELECT k, v || 'x' AS v2, 'c' AS c FROM OPERATOR (rd[2]) WHERE k <> '';
  );
);
-- expect: stg.t.k <- in.txt.k
-- expect: stg.t.v <- in.txt.v
-- expect: stg.t.w <- nothing

-- case: TPT with job variables in texts and operators that templates give
-- dialect: teradata
USING CHARACTER SET UTF8
DEFINE JOB load_orders
(
  SET TgtDb = 'stg';
  SET SourceFile = '/in/orders.csv';
  DEFINE SCHEMA orders_s ( "id" VARCHAR(10), amt DECIMAL(10,2) DELIMITED BY ',', day CHAR(8) );
  STEP setup ( APPLY ('DROP TABLE ' || @TgtDb || '.orders_e1;'), ('CREATE TABLE ' || @TgtDb || '.o2 (a INT);') TO OPERATOR ($DDL ATTR (TdpId = @T)); );
  STEP load
  (
    APPLY ('INSERT INTO ' || @TgtDb || '.orders (id, amt, day) VALUES (:id, :amt * 2, CAST(:day AS DATE FORMAT ''YYYYMMDD''));')
    TO OPERATOR ($LOAD [1] ATTR (TargetTable = @TgtDb || '.orders'))
    SELECT * FROM OPERATOR ($FILE_READER (orders_s) [2] ATTR (FileName = @SourceFile, Format = 'Delimited'));
  );
);
-- expect: stg.orders.id <- "/in/orders.csv".id
-- expect: stg.orders.amt <- "/in/orders.csv".amt
-- expect: stg.orders.day <- "/in/orders.csv".day
-- outputs: stg.orders_e1, stg.o2, stg.orders

-- case: TPT, two readers in one stream, an upsert
-- dialect: teradata
DEFINE JOB u (
  DEFINE SCHEMA s (k INTEGER, v VARCHAR(9));
  DEFINE OPERATOR a TYPE DATACONNECTOR PRODUCER SCHEMA s ATTRIBUTES (VARCHAR FileName = 'a.txt');
  DEFINE OPERATOR b TYPE ODBC SCHEMA s ATTRIBUTES (VARCHAR SelectStmt = 'SELECT x.id, x.nm FROM crm.x x;');
  DEFINE OPERATOR up TYPE STREAM SCHEMA * ATTRIBUTES (VARCHAR PrivateLogName = 'l');
  APPLY ('UPDATE mart.t SET v = :v WHERE k = :k;', 'INSERT INTO mart.t (k, v) VALUES (:k, :v);') INSERT FOR MISSING UPDATE ROWS
  TO OPERATOR (up[1])
  SELECT k, v FROM OPERATOR (a[1]) UNION ALL SELECT k, v FROM OPERATOR (b[1]);
);
-- expect: mart.t.v <- "a.txt".v, crm.x.nm
-- expect: mart.t.k <- "a.txt".k, crm.x.id
-- inputs: "a.txt", crm.x, mart.t

-- case: TPT inserts every column as it comes
-- dialect: teradata
DEFINE JOB c (
  DEFINE SCHEMA s (k INTEGER, v VARCHAR(9));
  DEFINE OPERATOR ex TYPE EXPORT SCHEMA s ATTRIBUTES (VARCHAR SelectStmt = 'SEL a, b FROM src.t;');
  DEFINE OPERATOR ld TYPE LOAD SCHEMA * ATTRIBUTES (VARCHAR TargetTable = 'tgt.t');
  APPLY $INSERT TO OPERATOR (ld) SELECT * FROM OPERATOR (ex);
);
-- expect: tgt.t.k <- src.t.a
-- expect: tgt.t.v <- src.t.b
