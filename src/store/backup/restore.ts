/**
 * Puts a backup into an empty database, all of it or nothing. Columns that the backup does not know (it was taken of an
 * earlier schema) get their defaults; one of a later schema is refused.
 */
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { transaction, type Database, type Queryable } from '../database.ts'
import { BackupTargetError, BackupUnreadableError } from './errors.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { BACKUP_FORMAT, BACKUP_TABLE_NAMES, type BackupTable } from './tables.ts'

/** Rows, and characters of them, that go into one statement. */
const MOST_ROWS = 500
const MOST_CHARACTERS = 4 * 1024 * 1024

export type RestoredRows = Readonly<Partial<Record<BackupTable, number>>>

/**
 * @param lines without their newlines
 * @throws BackupUnreadableError, BackupTargetError
 */
export function restoreBackup(database: Database, lines: AsyncIterable<string>): Promise<RestoredRows> {
  return transaction(database, async (tx) => {
    await requireEmpty(tx)
    // The nightly upkeep's, which every scheduler writes; the backup has it, too.
    await tx.execute('delete from ledger.schedule')
    await tx.execute('create temporary table restored_run (id text, plan_id text) on commit drop')
    const rows = await new Restoring(tx).run(lines)
    await tx.execute(`update ledger.run r set plan_id = t.plan_id from restored_run t where r.id = t.id`)
    await tx.execute(`select setval(pg_get_serial_sequence('ledger.dead_letter', 'id'),
      (select coalesce(max(id), 0) + 1 from ledger.dead_letter), false)`)
    return rows
  })
}

async function requireEmpty(tx: Queryable): Promise<void> {
  await tx.execute('lock table ledger.run, ledger.schedule, catalog.access_token in exclusive mode')
  for (const table of ['ledger.run', 'catalog.access_token']) {
    const [row] = await tx.rows(`select 1 from ${table} limit 1`)
    if (row !== undefined) throw new BackupTargetError(table)
  }
}

class Restoring {
  readonly #tx: Queryable
  readonly #digest = createHash('sha256')
  readonly #counts: Partial<Record<BackupTable, number>> = {}
  #table: BackupTable | undefined
  /** As JSON, all of one table and with the same columns. */
  #batch: string[] = []
  #columns = ''
  #characters = 0

  constructor(tx: Queryable) {
    this.#tx = tx
  }

  async run(lines: AsyncIterable<string>): Promise<RestoredRows> {
    let number = 0
    for await (const line of lines) {
      number++
      const value = parsed(line, number)
      if (number === 1) requireFormat(value)
      else if (isJsonObject(value['end'])) return this.#end(value['end'], number)
      else await this.#add(value, line, number)
      this.#digest.update(`${line}\n`)
    }
    throw new BackupUnreadableError('it breaks off before its end', number)
  }

  async #add(value: JsonObject, line: string, number: number): Promise<void> {
    const table = BACKUP_TABLE_NAMES.find((name) => name === value['table'])
    const { row } = value
    if (table === undefined || !isJsonObject(row)) throw new BackupUnreadableError('this is no row of a backup', number)
    const columns = Object.keys(row).join(',')
    const full = this.#batch.length >= MOST_ROWS || this.#characters > MOST_CHARACTERS
    if (full || table !== this.#table || columns !== this.#columns) await this.#flush()
    this.#table = table
    this.#columns = columns
    this.#batch.push(textOf(table, line) ?? JSON.stringify(row))
    this.#characters += line.length
    this.#counts[table] = (this.#counts[table] ?? 0) + 1
  }

  async #flush(): Promise<void> {
    const table = this.#table
    if (table === undefined || this.#batch.length === 0) return
    const rows = `[${this.#batch.join(',')}]`
    const known = await columnsOf(this.#tx, table)
    const columns = this.#columns.split(',').filter((column) => known.has(column))
    const listed = columns.map((column) => `"${column}"`).join(', ')
    const taken = columns.map((column) => (table === 'ledger.run' && column === 'plan_id' ? 'null' : `"${column}"`))
    await this.#tx.execute(
      `insert into ${table} (${listed}) overriding system value
        select ${taken.join(', ')} from json_populate_recordset(null::${table}, $1::json)`,
      [rows],
    )
    if (table === 'ledger.run') {
      await this.#tx.execute(
        `insert into restored_run select id, plan_id from json_populate_recordset(null::ledger.run, $1::json)
          where plan_id is not null`,
        [rows],
      )
    }
    this.#batch = []
    this.#characters = 0
  }

  async #end(end: JsonObject, number: number): Promise<RestoredRows> {
    await this.#flush()
    if (end['sha256'] !== this.#digest.digest('hex')) {
      throw new BackupUnreadableError('its checksum does not fit: it was changed or damaged', number)
    }
    return this.#counts
  }
}

/** The row as it stands in the line: JSON columns keep their text to the letter. */
function textOf(table: BackupTable, line: string): string | undefined {
  const head = `{"table":"${table}","row":`
  return line.startsWith(head) ? line.slice(head.length, -1) : undefined
}

/** Names of columns come from the file and go into a statement: only those that there are. */
async function columnsOf(tx: Queryable, table: BackupTable): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ name: string }>(
    {
      name: 'backup-columns',
      text: `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    },
    [table],
  )
  return new Set(rows.map(({ name }) => name))
}

function parsed(line: string, number: number): JsonObject {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // Said below.
  }
  throw new BackupUnreadableError('this is no line of a backup', number)
}

function requireFormat({ format, version, schema }: JsonObject): void {
  if (format !== BACKUP_FORMAT || version !== 1 || typeof schema !== 'number') {
    throw new BackupUnreadableError('it is no backup that headwater backup made', 1)
  }
  if (schema > MIGRATIONS.length) {
    throw new BackupUnreadableError(
      `it is of a newer Headwater (schema version ${schema}; here ${MIGRATIONS.length})`,
      1,
    )
  }
}
