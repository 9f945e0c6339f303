import { expect, test } from 'vitest'
import { createSession, parseLineage, parseScript } from '../../../src/sql/index.ts'
import type { LineageOptions, ScriptLineage } from '../../../src/sql/index.ts'

function edges(lineage: ScriptLineage): string[] {
  return lineage.columns.map(({ downstream, upstreams }) => {
    const sources = upstreams.map((one) => `${one.table}.${one.column}`).toSorted()
    return `${downstream.table ?? '-'}.${downstream.column} <- ${sources.join(', ')}`
  })
}

function read(sql: string, options: LineageOptions): ScriptLineage {
  return parseLineage(sql, options)
}

test('a T-SQL trigger reads its own table as inserted', () => {
  const sql = 'CREATE TRIGGER t ON shop.orders AFTER INSERT AS INSERT INTO shop.log (id) SELECT i.id FROM inserted i'
  const lineage = read(sql, { dialect: 'tsql' })
  expect(lineage.tables).toMatchObject({ inputs: ['shop.orders'], outputs: ['shop.log'] })
  expect(edges(lineage)).toEqual(['shop.log.id <- shop.orders.id'])
})

test('a T-SQL procedure without semicolons is read statement by statement', () => {
  const sql = `CREATE PROCEDURE dbo.load @day date WITH EXECUTE AS OWNER AS
BEGIN
  SET NOCOUNT ON
  IF OBJECT_ID('tempdb..#s') IS NOT NULL DROP TABLE #s
  SELECT o.id, o.amount INTO #s FROM shop.orders o WHERE o.day = @day
  UPDATE m SET m.total = s.amount FROM mart.sales m JOIN #s s ON s.id = m.id
  EXEC dbo.done @day
END`
  const lineage = read(sql, { dialect: 'tsql' })
  expect(lineage.statements[0]?.body?.map(({ kind }) => kind)).toEqual(['command', 'drop', 'ctas', 'update', 'call'])
  expect(lineage.tables.inputs).toEqual(['shop.orders', 'mart.sales'])
  expect(edges(lineage)).toContain('mart.sales.total <- shop.orders.amount')
  expect(lineage.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
})

test('a loop over a query carries the row that it names', () => {
  const sql = `BEGIN
  FOR r IN (SELECT o.id, o.amount FROM shop.orders o) LOOP
    INSERT INTO mart.sales (k, v) VALUES (r.id, r.amount);
  END LOOP;
END;
/`
  expect(edges(read(sql, { dialect: 'oracle' }))).toEqual([
    'mart.sales.k <- shop.orders.id',
    'mart.sales.v <- shop.orders.amount',
  ])
})

test('dynamic SQL put together from literals is read, any other is reported', () => {
  const literal = read("BEGIN EXECUTE IMMEDIATE 'INSERT INTO mart.a (x) ' || 'SELECT y FROM b'; END;", {
    dialect: 'oracle',
  })
  expect(edges(literal)).toEqual(['mart.a.x <- b.y'])
  const other = read("BEGIN EXECUTE IMMEDIATE 'DROP TABLE ' || v_name; END;", { dialect: 'oracle' })
  expect(other.diagnostics.map(({ code }) => code)).toContain('DYNAMIC_SQL')
})

test('data rows of a dump are no statements', () => {
  const sql = "COPY shop.users (id, name) FROM stdin;\n1\to'neil\n\\.\nSELECT u.id FROM shop.users u;"
  const lineage = read(sql, { dialect: 'postgres' })
  expect(lineage.statements.map(({ kind }) => kind)).toEqual(['copy', 'query'])
})

test('partition columns of a Hive table are columns of it', () => {
  const sql = 'CREATE TABLE db.t (a string) PARTITIONED BY (ds string); INSERT INTO o SELECT * FROM db.t'
  expect(edges(read(sql, { dialect: 'hive' }))).toEqual(['o.a <- db.t.a', 'o.ds <- db.t.ds'])
})

test('nesting beyond the limit is a diagnostic and the next statement is read', () => {
  const deep = `SELECT ${'('.repeat(2000)}1${')'.repeat(2000)}; SELECT a FROM t`
  const lineage = read(deep, {})
  expect(lineage.diagnostics.map(({ code }) => code)).toEqual(['TOO_DEEP'])
  expect(edges(lineage)).toEqual(['-.a <- t.a'])
})

test('a session gives each text its own statements and sums them all', () => {
  const session = createSession({ dialect: 'snowflake' })
  session.add('CREATE TEMP TABLE t AS SELECT id FROM shop.orders')
  const second = session.add('INSERT INTO mart.sales (k) SELECT id FROM t')
  expect(second.map(({ kind }) => kind)).toEqual(['insert'])
  expect(session.lineage().tables).toMatchObject({ inputs: ['shop.orders'], outputs: ['mart.sales'] })
})

test('statements that differ in literals, layout and comments share a fingerprint', () => {
  const one = parseScript('SELECT a FROM t WHERE b IN (1, 2) -- x').statements[0]?.fingerprint
  const other = parseScript('select a\nfrom T where b in (3)').statements[0]?.fingerprint
  expect(other).toBe(one)
  expect(parseScript('SELECT a FROM u WHERE b IN (1)').statements[0]?.fingerprint).not.toBe(one)
})

test('a value that came through a variable was read from its table', () => {
  const sql = `DECLARE @last int
SELECT @last = MAX(o.id) FROM shop.orders o
INSERT INTO mart.state (last_id) VALUES (@last)`
  const [, , insert] = read(sql, { dialect: 'tsql' }).statements
  expect(insert).toMatchObject({ kind: 'insert', inputs: ['shop.orders'], outputs: ['mart.state'] })
})

test('what one branch assigns adds to what the other did; what is assigned afterwards takes its place', () => {
  const branches = `IF @x = 1 SELECT @v = a.k FROM s.a a ELSE SELECT @v = b.k FROM s.b b
INSERT INTO m.t (v) VALUES (@v)`
  expect(edges(read(branches, { dialect: 'tsql' }))).toEqual(['m.t.v <- s.a.k, s.b.k'])
  const after = `SELECT @v = a.k FROM s.a a\nSELECT @v = b.k FROM s.b b\nINSERT INTO m.t (v) VALUES (@v)`
  expect(edges(read(after, { dialect: 'tsql' }))).toEqual(['m.t.v <- s.b.k'])
})

test('a body in another language is named', () => {
  const sql = 'CREATE FUNCTION f(x STRING) RETURNS STRING LANGUAGE JAVASCRIPT AS $$ return x $$'
  expect(read(sql, { dialect: 'snowflake' }).diagnostics.map(({ code }) => code)).toEqual(['FOREIGN_BODY'])
})

test('a statement that no rule reads in a block ends', () => {
  expect(read('begin\nwhen id < stg.emp;', { dialect: 'oracle' }).statements.length).toBeGreaterThan(0)
})

test('columns of tables and views that a later file defines are known before', () => {
  const texts = {
    'procs.sql':
      'CREATE VIEW mart.v AS SELECT * FROM dbo.orders; INSERT INTO mart.t SELECT amount, nm FROM dbo.orders o JOIN c ON c.id = o.id',
    'tables.sql':
      'CREATE TABLE dbo.orders (id int, amount int); ALTER TABLE dbo.orders ADD note text; CREATE TABLE mart.t (a int, b text)',
    'views.sql': 'CREATE VIEW dbo.c AS SELECT x.id, x.name AS nm FROM raw.x',
  }
  const session = createSession({ dialect: 'tsql', defaultSchema: 'dbo' })
  for (const [file, sql] of Object.entries(texts)) session.foresee(sql, { file })
  for (const [file, sql] of Object.entries(texts)) session.add(sql, { file })
  const lineage = session.lineage()
  expect(edges(lineage)).toEqual([
    'mart.v.id <- dbo.orders.id',
    'mart.v.amount <- dbo.orders.amount',
    'mart.v.note <- dbo.orders.note',
    'mart.t.a <- dbo.orders.amount',
    'mart.t.b <- dbo.c.nm',
    'dbo.c.id <- raw.x.id',
    'dbo.c.nm <- raw.x.name',
  ])
})

test('definitions that disagree, or stand in the text itself, are not foreseen', () => {
  const session = createSession({ dialect: 'tsql' })
  const texts = [
    'INSERT INTO z.t SELECT * FROM a.b; DROP TABLE a.b; CREATE TABLE a.b (k int)',
    'CREATE TABLE s.u (x int)',
    'CREATE TABLE s.u (y int)',
    'INSERT INTO z.w SELECT * FROM s.u',
  ]
  texts.forEach((sql, at) => session.foresee(sql, { file: `${at}` }))
  session.add(texts[0]!, { file: '0' })
  session.add(texts[3]!, { file: '3' })
  expect(edges(session.lineage())).toEqual(['z.t.* <- a.b.*', 'z.w.* <- s.u.*'])
})

test('a text that connects anew starts from the default names, and a routine keeps those of its file', () => {
  const session = createSession({ dialect: 'tsql' })
  const loads = 'CREATE PROC dbo.load AS INSERT INTO mart.t (a) SELECT x.a FROM raw.x x'
  session.foresee(loads, { file: 'proc.sql' })
  session.add('USE jobs; EXEC dbo.load; INSERT INTO mart.log (n) SELECT l.n FROM raw.l l', { file: 'job.sql' })
  session.add('INSERT INTO mart.u (b) SELECT y.b FROM raw.y y', { file: 'more.sql' })
  session.add('INSERT INTO mart.v (c) SELECT z.c FROM raw.z z', { file: 'own.sql', connects: true })
  expect(edges(session.lineage())).toEqual([
    'mart.t.a <- raw.x.a',
    'jobs.mart.log.n <- jobs.raw.l.n',
    'jobs.mart.u.b <- jobs.raw.y.b',
    'mart.v.c <- raw.z.c',
  ])
})
