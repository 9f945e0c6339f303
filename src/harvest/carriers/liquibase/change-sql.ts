/** What a change of a changelog does, as SQL. */
import type { Change } from './changelog.ts'

/** Changes that neither move data nor change names and columns. */
const WITHOUT_LINEAGE: ReadonlySet<string> = new Set(
  'addAutoIncrement,addCheckConstraint,addDefaultValue,addForeignKeyConstraint,addNotNullConstraint,addPrimaryKey,addUniqueConstraint,alterSequence,comment,createIndex,createSequence,disableCheckConstraint,disableTrigger,dropAllForeignKeyConstraints,dropCheckConstraint,dropDefaultValue,dropForeignKeyConstraint,dropIndex,dropNotNullConstraint,dropPrimaryKey,dropSequence,dropUniqueConstraint,empty,enableCheckConstraint,enableTrigger,markUnused,modifyDataType,modifySql,output,preConditions,property,renameSequence,renameTrigger,rollback,setColumnRemarks,setTableRemarks,stop,tagDatabase,validCheckSum,dropProcedure,dropTrigger,dropFunction,grant,revoke'.split(
    ',',
  ),
)

/** Written out: statements in the change's own lines stand in its `text`. */
export type ChangeSql =
  | { readonly kind: 'text'; readonly before: string }
  | { readonly kind: 'file'; readonly path: string; readonly before: string }
  | { readonly kind: 'made'; readonly sql: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unknown' }

export function sqlOfChange(change: Change): ChangeSql {
  const { name, attributes: a, children } = change
  const table = named(a['schemaName'], a['tableName'])
  const columns = children.filter((child) => child.name === 'column').map(({ attributes }) => attributes)
  const names = columns.flatMap((column) => column['name'] ?? [])
  switch (name) {
    case 'sql':
      return { kind: 'text', before: '' }
    case 'createProcedure':
    case 'createFunction':
    case 'createTrigger':
    case 'createPackage':
    case 'createPackageBody':
    case 'sqlFile':
      return a['path'] === undefined ? { kind: 'text', before: '' } : { kind: 'file', path: a['path'], before: '' }
    case 'createView': {
      const before = a['fullDefinition'] === 'true' ? '' : `create view ${named(a['schemaName'], a['viewName'])} as `
      return a['path'] === undefined ? { kind: 'text', before } : { kind: 'file', path: a['path'], before }
    }
    case 'createTable':
      return made(
        `create table ${table} (${columns.map((column) => `${column['name'] ?? ''} ${column['type'] ?? ''}`).join(', ')})`,
      )
    case 'addColumn':
      return made(
        columns
          .map((column) => `alter table ${table} add column ${column['name'] ?? ''} ${column['type'] ?? ''}`)
          .join('; '),
      )
    case 'dropColumn':
      return made(
        [...names, ...(a['columnName'] === undefined ? [] : [a['columnName']])]
          .map((column) => `alter table ${table} drop column ${column}`)
          .join('; '),
      )
    case 'renameColumn':
      return made(`alter table ${table} rename column ${a['oldColumnName'] ?? ''} to ${a['newColumnName'] ?? ''}`)
    case 'renameTable':
      return made(`alter table ${named(a['schemaName'], a['oldTableName'])} rename to ${a['newTableName'] ?? ''}`)
    case 'renameView':
      return made(`alter view ${named(a['schemaName'], a['oldViewName'])} rename to ${a['newViewName'] ?? ''}`)
    case 'dropTable':
      return made(`drop table ${table}`)
    case 'dropView':
      return made(`drop view ${named(a['schemaName'], a['viewName'])}`)
    case 'insert':
      return made(`insert into ${table} (${names.join(', ')}) values (${columns.map(valueOf).join(', ')})`)
    case 'update':
      return made(
        `update ${table} set ${columns.map((column) => `${column['name'] ?? ''} = ${valueOf(column)}`).join(', ')}${where(change)}`,
      )
    case 'delete':
      return made(`delete from ${table}${where(change)}`)
    case 'loadData':
    case 'loadUpdateData':
      return made(`copy ${table} from '${a['file'] ?? ''}'`)
    case 'addLookupTable': {
      const [from, to] = [
        named(a['existingTableSchemaName'], a['existingTableName']),
        named(a['newTableSchemaName'], a['newTableName']),
      ]
      return made(
        `create table ${to} as select distinct ${a['existingColumnName'] ?? ''} as ${a['newColumnName'] ?? ''} from ${from}`,
      )
    }
    case 'mergeColumns': {
      const [one = '', other = '', final = ''] = [a['column1Name'], a['column2Name'], a['finalColumnName']]
      return made(
        `alter table ${table} add column ${final} ${a['finalColumnType'] ?? ''}; update ${table} set ${final} = concat(${one}, ${other}); alter table ${table} drop column ${one}; alter table ${table} drop column ${other}`,
      )
    }
    default:
      return WITHOUT_LINEAGE.has(name) ? { kind: 'nothing' } : { kind: 'unknown' }
  }
}

function made(sql: string): ChangeSql {
  return { kind: 'made', sql }
}

function named(schema: string | undefined, name: string | undefined): string {
  return schema === undefined || schema === '' ? (name ?? '') : `${schema}.${name ?? ''}`
}

function valueOf(column: Readonly<Record<string, string>>): string {
  const computed = column['valueComputed'] ?? column['valueNumeric'] ?? column['valueBoolean'] ?? column['valueDate']
  if (computed !== undefined) return computed === '' ? 'null' : computed
  return column['value'] === undefined ? 'null' : `'${column['value'].replaceAll("'", "''")}'`
}

function where({ children, attributes }: Change): string {
  const given = children.find(({ name }) => name === 'where')?.text ?? attributes['where'] ?? ''
  return given.trim() === '' ? '' : ` where ${given.trim().replaceAll(/\s+/g, ' ')}`
}
