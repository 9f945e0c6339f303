/**
 * What the columns of a query log are called: the keys of the `sql-queries` source by themselves, those of an export by a
 * preset or a mapping.
 */
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../../model/json.ts'

/** What an entry of a log can say; by these names a mapping tells its columns. */
export const LOG_FIELDS = [
  'query',
  'timestamp',
  'user',
  'session_id',
  'downstream_tables',
  'upstream_tables',
  'operation_type',
  'platform',
  'instance',
  'env',
  'dialect',
  'database',
  'schema',
] as const
export type LogField = (typeof LOG_FIELDS)[number]

/** Names of columns by what they mean. */
export type LogColumns = { readonly [field in LogField]?: string }

/** How a row becomes an entry. */
export interface LogShape {
  readonly columns: LogColumns
  /** Names of the columns of a CSV that has no header. */
  readonly header?: readonly string[]
  /** Whether the row is a statement that took effect; all are where absent. */
  readonly isDone?: (row: JsonObject) => boolean
  /** The statement of a session of which the row says that it failed, although an earlier row told of it. */
  readonly failureOf?: (row: JsonObject) => { readonly session: string; readonly query: string } | undefined
  /** The statement, where it is only a part of its column. */
  readonly statementOf?: (text: string) => string | undefined
}

export const LOG_PRESETS = ['sql-queries', 'snowflake', 'bigquery', 'postgres-csvlog'] as const
export type LogPreset = (typeof LOG_PRESETS)[number]

/** `SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY`, and the table function of the same name. */
const SNOWFLAKE: LogShape = {
  columns: {
    query: 'QUERY_TEXT',
    timestamp: 'START_TIME',
    user: 'USER_NAME',
    session_id: 'SESSION_ID',
    operation_type: 'QUERY_TYPE',
    database: 'DATABASE_NAME',
    schema: 'SCHEMA_NAME',
  },
  isDone: (row) => ['SUCCESS', ''].includes((cell(row, 'EXECUTION_STATUS') ?? '').toUpperCase()),
}

/** `INFORMATION_SCHEMA.JOBS` and `JOBS_BY_*`: names without a project are of the job's project. */
const BIGQUERY: LogShape = {
  columns: {
    query: 'query',
    timestamp: 'creation_time',
    user: 'user_email',
    session_id: 'session_info.session_id',
    operation_type: 'statement_type',
    database: 'project_id',
  },
  isDone: (row) =>
    ['DONE', ''].includes((cell(row, 'state') ?? '').toUpperCase()) &&
    ['QUERY', ''].includes((cell(row, 'job_type') ?? '').toUpperCase()) &&
    (cell(row, 'error_result.reason') ?? '') === '' &&
    ['', 'null', '{}'].includes(cell(row, 'error_result') ?? ''),
}

/** The statement in a message of PostgreSQL: `duration: … ms  execute s1: insert …`. */
const MESSAGE = /^(?:duration: [\d.]+ ms {2})?(?:statement|execute [^:]*): ([^]*)$/

/** PostgreSQL's `log_destination = csvlog`: columns by their place; later versions add some at the end. */
const POSTGRES_CSVLOG: LogShape = {
  header: [
    'log_time',
    'user_name',
    'database_name',
    'process_id',
    'connection_from',
    'session_id',
    'session_line_num',
    'command_tag',
    'session_start_time',
    'virtual_transaction_id',
    'transaction_id',
    'error_severity',
    'sql_state_code',
    'message',
    'detail',
    'hint',
    'internal_query',
    'internal_query_pos',
    'context',
    'query',
    'query_pos',
    'location',
    'application_name',
    'backend_type',
    'leader_pid',
    'query_id',
  ],
  columns: {
    query: 'message',
    timestamp: 'log_time',
    user: 'user_name',
    session_id: 'session_id',
    database: 'database_name',
  },
  isDone: (row) => cell(row, 'error_severity') === 'LOG' && MESSAGE.test(cell(row, 'message') ?? ''),
  // With `log_statement` a statement is told before it runs; that it failed stands in the session's next line.
  failureOf: (row) => {
    const [session, query] = [cell(row, 'session_id'), cell(row, 'query')]
    const isError = ['ERROR', 'FATAL', 'PANIC'].includes(cell(row, 'error_severity') ?? '')
    return isError && session !== undefined && query !== undefined ? { session, query } : undefined
  },
  statementOf: (text) => MESSAGE.exec(text)?.[1],
}

const OWN: LogShape = { columns: Object.fromEntries(LOG_FIELDS.map((field) => [field, field])) }

const SHAPES: Readonly<Record<LogPreset, LogShape>> = {
  'sql-queries': OWN,
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  'postgres-csvlog': POSTGRES_CSVLOG,
}

/** The shape of a preset, with columns of a mapping in front. */
export function logShape(preset: LogPreset | undefined, columns: LogColumns | undefined): LogShape {
  const shape = SHAPES[preset ?? 'sql-queries']
  // A mapping alone says all: a column that merely has one of our names means nothing.
  if (preset === undefined && columns !== undefined) return { columns }
  return { ...shape, columns: { ...shape.columns, ...columns } }
}

/** A row's value by the name of its column; whatever the case, and below an object by a dotted name. */
export function valueAt(row: JsonObject, column: string): JsonValue | undefined {
  const found = row[column]
  if (found !== undefined) return found
  const folded = column.toLowerCase()
  const key = Object.keys(row).find((name) => name.toLowerCase() === folded)
  if (key !== undefined) return row[key]
  const dot = column.indexOf('.')
  const inner = dot < 0 ? undefined : valueAt(row, column.slice(0, dot))
  return isJsonObject(inner) ? valueAt(inner, column.slice(dot + 1)) : undefined
}

function cell(row: JsonObject, column: string): string | undefined {
  const value = valueAt(row, column)
  if (value === undefined || value === null) return undefined
  return textAt({ value }, 'value') ?? JSON.stringify(value)
}
