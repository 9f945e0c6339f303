import { describe, expect, test } from 'vitest'
import { carriedSql, mayCarrySql } from '../../../../src/harvest/carriers/read-carriers.ts'
import { createSession, type DialectName } from '../../../../src/sql/index.ts'

/** What a folder's files say, statement by statement, with the line of each. */
function lineage(files: Readonly<Record<string, string>>, dialect: DialectName = 'postgres'): readonly string[] {
  const { texts } = carriedSql(Object.keys(files), { paths: Object.keys(files), textOf: (path) => files[path] })
  const session = createSession({ dialect })
  for (const { sql, file, model } of texts) session.add(sql, { file, ...(model ? { model } : {}) })
  const { statements, diagnostics } = session.lineage()
  return [
    ...statements.flatMap(({ kind, outputs, columns, inputs, file, span }) => [
      `${kind} ${[...outputs].join(',')} <- ${[...inputs].join(',')} ${file}:${span.line}`,
      ...columns.map(
        ({ downstream, upstreams }) =>
          `  ${downstream.column} <- ${upstreams.map((up) => `${up.table}.${up.column}`).join(', ')}`,
      ),
    ]),
    ...diagnostics.filter(({ severity }) => severity !== 'info').map(({ code, line }) => `${code} ${line}`),
  ]
}

test('files carry SQL by their names; tests and what is installed do not', () => {
  const carrying = [
    'dags/a.py',
    'a.ipynb',
    'OrderMapper.xml',
    'run.sh',
    'tests/x.py',
    'test_a.py',
    'venv/a.py',
    'a.sql',
    'a.js',
  ]
  expect(carrying.filter(mayCarrySql)).toEqual(['dags/a.py', 'a.ipynb', 'OrderMapper.xml', 'run.sh'])
})

describe('Python', () => {
  test('strings that are a statement are read where they stand, with constants of the file', () => {
    const text = [
      '"""Loads: select all from the list."""',
      'TARGET = "mart.daily"',
      'def build(schema):',
      '    """select nothing from here"""',
      '    logger.info("select rows from nowhere")',
      '    return f"""',
      '      INSERT INTO {TARGET} (day)',
      "      SELECT o.day FROM {schema}.orders o WHERE o.day = '{{{{ ds }}}}'",
      '    """',
      'spark.sql("select t.a "',
      '          "from raw.t t")',
      "for q in ['delete from x.y', 'insert into x.y select z.k from x.z z']: run(q)",
      'title = "Select a file from the list"',
    ].join('\n')
    expect(lineage({ 'a.py': text })).toEqual([
      'insert mart.daily <- schema.orders a.py:7',
      '  day <- schema.orders.day',
      'query  <- raw.t a.py:10',
      '  a <- raw.t.a',
      'delete x.y <-  a.py:12',
      'insert x.y <- x.z a.py:12',
      '  k <- x.z.k',
    ])
  })

  test('cells of SQL in a notebook that Databricks exported', () => {
    const text = [
      '# Databricks notebook source',
      '# MAGIC %md',
      '# MAGIC select a from b',
      '# COMMAND ----------',
      '# MAGIC %sql',
      '# MAGIC CREATE TABLE gold.t AS',
      '# MAGIC SELECT s.id FROM silver.t s',
      '# COMMAND ----------',
      'df = spark.sql("SELECT g.id FROM gold.t g -- all")',
    ].join('\n')
    expect(lineage({ 'a.py': text }, 'databricks')).toEqual([
      'ctas gold.t <- silver.t a.py:6',
      '  id <- silver.t.id',
      'query  <- gold.t a.py:9',
      '  id <- gold.t.id',
    ])
  })
})

const cell = (...source: string[]) => ({ cell_type: 'code', source })

test('cells of a notebook: magics of cells and lines, strings in Python', () => {
  const cells = [
    { cell_type: 'markdown', source: ['select a from b'] },
    cell('%%sql\n', 'create table mart.a as\n', 'select r.id from raw.a r'),
    cell('q = """\n', 'select r.y from raw.b r\n', '"""\n', 'df = %sql select r.k from raw.c r\n', 'x = 1'),
  ]
  const text = JSON.stringify({ cells, metadata: { kernelspec: { language: 'python' } } }, null, 1)
  const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length
  expect(lineage({ 'n.ipynb': text })).toEqual([
    `ctas mart.a <- raw.a n.ipynb:${lineOf('create table')}`,
    '  id <- raw.a.id',
    `query  <- raw.b n.ipynb:${lineOf('select r.y')}`,
    '  y <- raw.b.y',
    `query  <- raw.c n.ipynb:${lineOf('select r.k')}`,
    '  k <- raw.c.k',
  ])
  expect(lineage({ 'n.ipynb': 'no JSON' })).toEqual([])
})

test('shell: documents for a client, and its arguments', () => {
  const text = [
    'psql -v ON_ERROR_STOP=1 <<SQL',
    "insert into mart.x select r.a from raw.x r where r.d = '$DAY';",
    'SQL',
    "hive -e 'insert into w.t select s.c from w.s s'",
    'bq query --use_legacy_sql=false "',
    'SELECT s.id FROM \\`p.d.s\\` s',
    '"',
    'echo "select nothing from here"',
    '# psql -c "select a from b"',
  ].join('\n')
  expect(lineage({ 'run.sh': text }, 'bigquery')).toEqual([
    'insert mart.x <- raw.x run.sh:2',
    '  a <- raw.x.a',
    'insert w.t <- w.s run.sh:4',
    '  c <- w.s.c',
    'query  <- p.d.s run.sh:6',
    '  id <- p.d.s.id',
  ])
})

const mapper = (body: string) => `<?xml version="1.0"?>\n<mapper namespace="shop.Orders">\n${body}\n</mapper>`

describe('MyBatis', () => {
  test('fragments of the same and of other mappers, and conditions that are there or not', () => {
    const files = {
      'Orders.xml': mapper(
        [
          '<sql id="cols">o.id, <include refid="shop.Common.audit"/></sql>',
          '<select id="find">',
          '  SELECT <include refid="cols"/> FROM orders o',
          '  <where>',
          '    <if test="id != null">o.id = #{id,jdbcType=BIGINT}</if>',
          "    <choose><when test='s == 1'>AND o.state = 1</when><otherwise>AND o.old &lt;&gt; 2</otherwise></choose>",
          '    AND o.kind IN <foreach collection="k" item="i" open="(" separator="," close=")">#{i}</foreach>',
          '  </where>',
          '</select>',
        ].join('\n'),
      ),
      'Common.xml': '<mapper namespace="shop.Common"><sql id="audit">o.by -- who\n</sql></mapper>',
      'pom.xml': '<project><select>select a from b</select></project>',
      'broken.xml': '<mapper><select>select a from b',
    }
    expect(lineage(files, 'mysql')).toEqual(['query  <- orders Orders.xml:5', '  id <- orders.id', '  by <- orders.by'])
  })

  test('lists that end with a comma, and statements apart', () => {
    const files = {
      'Orders.xml': mapper(
        [
          '<insert id="copy">',
          '  <selectKey>SELECT LAST_INSERT_ID()</selectKey>',
          '  INSERT INTO archive <trim prefix="(" suffix=")" suffixOverrides=",">id, <if test="a">amount,</if></trim>',
          '  SELECT <trim suffixOverrides=",">o.id, <if test="a">o.amount,</if></trim> FROM orders o',
          '</insert>',
          '<update id="u">UPDATE orders <set><if test="a">amount = #{a},</if> total = net + tax,</set> WHERE id = #{id}</update>',
        ].join('\n'),
      ),
    }
    expect(lineage(files, 'mysql')).toEqual([
      'insert archive <- orders Orders.xml:5',
      '  id <- orders.id',
      '  amount <- orders.amount',
      'update orders <- orders Orders.xml:8',
      '  amount <- ',
      '  total <- orders.net, orders.tax',
    ])
  })
})
