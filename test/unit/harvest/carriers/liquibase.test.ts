import { expect, test } from 'vitest'
import { carriedSql } from '../../../../src/harvest/carriers/read-carriers.ts'
import { createSession } from '../../../../src/sql/index.ts'

function lineage(files: Readonly<Record<string, string>>): readonly string[] {
  const paths = Object.keys(files)
  const carrying = paths.filter((path) => !path.endsWith('.sql'))
  const { texts, problems, claimed } = carriedSql(carrying, { paths, textOf: (path) => files[path] })
  const session = createSession({ dialect: 'postgres' })
  for (const { sql, file } of texts) session.add(sql, { file })
  const { statements, diagnostics } = session.lineage()
  return [
    ...statements.map(({ kind, outputs, inputs, file, span }) => {
      return `${kind} ${outputs.join(',')} <- ${inputs.join(',')} ${file}:${span.line}`
    }),
    ...diagnostics.filter(({ severity }) => severity !== 'info').map(({ code, line }) => `${code} ${line}`),
    ...problems.map(({ file, line, message }) => `${file}:${line} ${message}`),
    ...[...claimed].filter((path) => path.endsWith('.sql')).map((path) => `claimed ${path}`),
  ]
}

const xml = (...lines: readonly string[]) =>
  [
    '<?xml version="1.0"?>',
    '<databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog">',
    ...lines,
    '</databaseChangeLog>',
  ].join('\n')

test('changes run in the order of the includes, each as what it says', () => {
  const files = {
    'db/master.xml': xml(
      '<property name="schema" value="mart"/>',
      '<include file="db/tables.xml"/>',
      '<changeSet id="1" author="a"><sql>',
      '  INSERT INTO ${schema}.sales SELECT o.id, o.amount FROM raw.orders o WHERE o.amount &gt; 0',
      '</sql><rollback>DELETE FROM mart.sales</rollback></changeSet>',
      '<includeAll path="later/" relativeToChangelogFile="true"/>',
      '<changeSet id="9" author="a"><customChange class="x.Y"/></changeSet>',
    ),
    'db/tables.xml': xml(
      '<changeSet id="2" author="a">',
      '  <preConditions><sqlCheck expectedResult="0">select count(*) from nowhere</sqlCheck></preConditions>',
      '  <createTable schemaName="${schema}" tableName="old"><column name="id" type="int"><constraints primaryKey="true"/></column><column name="amount" type="int"/></createTable>',
      '  <renameTable schemaName="mart" oldTableName="old" newTableName="sales"/>',
      '  <addColumn schemaName="mart" tableName="sales"><column name="at" type="date"/></addColumn>',
      '</changeSet>',
      '<changeSet id="3" author="a" dbms="h2"><sql>select a from test_only</sql></changeSet>',
    ),
    'db/later/a.sql': '--liquibase formatted sql\n--changeset a:1\nCREATE VIEW v AS SELECT * FROM mart.sales;',
    'db/later/b.yaml': [
      'databaseChangeLog:',
      '  - changeSet:',
      '      id: 4',
      '      author: a',
      '      changes:',
      '        - createView:',
      '            viewName: w',
      '            selectQuery: |-',
      '              SELECT x.id',
      '              FROM v x',
      '        - sqlFile: { path: proc.sql, relativeToChangelogFile: true }',
    ].join('\n'),
    'db/later/proc.sql': 'TRUNCATE TABLE mart.sales;',
    'k8s.yaml': 'kind: Job\nargs: { sql: select a from b }',
    'broken.xml': '<databaseChangeLog><changeSet>',
  }
  expect(lineage(files)).toEqual([
    'table mart.sales <-  db/tables.xml:5',
    'rename  <-  db/tables.xml:6',
    'alter mart.sales <-  db/tables.xml:7',
    'insert mart.sales <- raw.orders db/master.xml:6',
    'view v <- mart.sales db/later/a.sql:3',
    'view w <- v db/later/b.yaml:9',
    'truncate mart.sales <-  db/later/proc.sql:1',
    "db/master.xml:9 a changelog's <customChange> is no SQL",
    'claimed db/later/a.sql',
    'claimed db/later/proc.sql',
  ])
})

test('changelogs in JSON; a file that is not there is told', () => {
  const log = {
    databaseChangeLog: [
      { include: { file: 'missing.xml' } },
      { changeSet: { id: '1', author: 'a', changes: [{ sql: { sql: 'INSERT INTO b SELECT x.id FROM a x' } }] } },
    ],
  }
  expect(lineage({ 'log.json': JSON.stringify(log, null, 1) })).toEqual([
    'insert b <- a log.json:15',
    'log.json:4 missing.xml is not in the folder',
  ])
})
