/**
 * Lineage on its way from a worker: the values of one lineage in a row, as a JSON array without keys. Written and read it
 * costs a third of JSON with keys (`npm run bench:lineage`), which counts, for reading a statement costs little more than
 * that. A column of the script that is also one of a statement goes once, and is one object again on the other side.
 */
import { DIAGNOSTIC_RULES } from '../diagnostics.ts'
import type {
  ColumnLineage,
  Diagnostic,
  EdgeKind,
  IndirectKind,
  IndirectUse,
  LearntSchema,
  MergeBranch,
  ScriptLineage,
  Span,
  StatementKind,
  StatementLineage,
  Upstream,
} from '../types.ts'

/** One place of the row. Lists of objects that are seldom filled travel whole; a number before a list counts it. */
type Value = string | number | null | readonly object[]

/** Stands where a list or a value is absent. */
const ABSENT = -1

/** Reasons are meanings of diagnostics: long, and few, so they go as numbers. */
const REASONS: readonly string[] = Object.values(DIAGNOSTIC_RULES).map((rule) => rule.meaning)
const NUMBER_OF_REASON: ReadonlyMap<string, number> = new Map(REASONS.map((reason, number) => [reason, number]))

/** Between the parts of a long lineage; JSON writes it as an escape only. */
const NEXT_PART = '\u001e'
/** Values after which a new part begins: what is read in one go. */
const VALUES_A_PART = 10_000

/** Text for `unpack`: one line. */
export function pack(lineage: ScriptLineage): string {
  const parts: string[] = []
  let row: Value[] = []
  const { tables, statements } = lineage
  packNames(row, tables.inputs)
  packNames(row, tables.outputs)
  packNames(row, tables.intermediates)
  row.push(lineage.confidence, lineage.diagnostics, statements.length)
  for (const statement of statements) {
    if (row.length >= VALUES_A_PART) {
      parts.push(JSON.stringify(row))
      row = []
    }
    packStatement(row, statement)
  }
  packScriptColumns(row, lineage.columns, columnsOf(statements))
  return [...parts, JSON.stringify(row)].join(NEXT_PART)
}

/** The lineage that `pack` was given. */
export function unpack(text: string): ScriptLineage {
  for (const steps = unpacking(text); ;) {
    const { done, value } = steps.next()
    if (done === true) return value.lineage
  }
}

/** `unpack` with a halt after each part, for those who must not hold their thread. Each step tells the characters read. */
export function* unpacking(
  text: string,
): Generator<{ readonly chars: number }, { readonly chars: number; readonly lineage: ScriptLineage }> {
  const parts = text.split(NEXT_PART)
  const row = new Row(parts)
  const tables = { inputs: row.names(), outputs: row.names(), intermediates: row.names() }
  const confidence = row.number()
  const diagnostics = row.objects() as readonly Diagnostic[]
  const statements: StatementLineage[] = []
  for (let left = row.number(); left > 0; left--) {
    if (row.isAtPartsEnd) {
      yield { chars: row.partLength }
      row.nextPart()
    }
    statements.push(unpackStatement(row))
  }
  const columns = unpackScriptColumns(row, columnsOf(statements))
  return { chars: row.partLength, lineage: { tables, columns, statements, confidence, diagnostics } }
}

/** The columns of a script's statements, in order. */
function columnsOf(statements: readonly StatementLineage[]): readonly ColumnLineage[] {
  return statements.length === 1 ? (statements[0]?.columns ?? []) : statements.flatMap(({ columns }) => columns)
}

/** Absent where they are just the columns of the statements; else each is the number of one of these, or itself. */
function packScriptColumns(row: Value[], columns: readonly ColumnLineage[], shared: readonly ColumnLineage[]): void {
  if (columns.length === shared.length && columns.every((column, at) => column === shared[at])) {
    row.push(ABSENT)
    return
  }
  const places = new Map(shared.map((column, at) => [column, at]))
  row.push(columns.length)
  for (const column of columns) {
    const place = places.get(column)
    row.push(place ?? ABSENT)
    if (place === undefined) packColumn(row, column)
  }
}

function unpackScriptColumns(row: Row, shared: readonly ColumnLineage[]): readonly ColumnLineage[] {
  if (row.skipAbsent()) return shared
  return unpackList(row, () => {
    const place = row.number()
    return shared[place] ?? unpackColumn(row)
  })
}

function packNames(row: Value[], names: readonly string[]): void {
  row.push(names.length)
  for (const name of names) row.push(name)
}

function packSpan(row: Value[], { start, end, line, column }: Span): void {
  row.push(start, end, line, column)
}

function unpackSpan(row: Row): Span {
  return { start: row.number(), end: row.number(), line: row.number(), column: row.number() }
}

function packStatement(row: Value[], statement: StatementLineage): void {
  const { columns, indirect, body } = statement
  row.push(statement.kind, statement.index)
  packSpan(row, statement.span)
  row.push(statement.file ?? ABSENT, statement.fingerprint)
  packNames(row, statement.inputs)
  packNames(row, statement.outputs)
  row.push(columns.length)
  for (const column of columns) packColumn(row, column)
  row.push(indirect.length)
  for (const use of indirect) row.push(use.table, use.column, use.kind)
  row.push(statement.skipped, statement.confidence, statement.diagnostics, statement.schemas)
  row.push(statement.routine ?? ABSENT, body === undefined ? ABSENT : body.length)
  for (const inner of body ?? []) packStatement(row, inner)
}

function unpackStatement(row: Row): StatementLineage {
  const kind = row.text() as StatementKind
  const index = row.number()
  const span = unpackSpan(row)
  const file = row.optional()
  const fingerprint = row.text()
  const inputs = row.names()
  const outputs = row.names()
  const columns = unpackList(row, unpackColumn)
  const indirect = unpackList(row, unpackIndirect)
  const skipped = row.number()
  const confidence = row.number()
  const diagnostics = row.objects() as readonly Diagnostic[]
  const schemas = row.objects() as readonly LearntSchema[]
  const routine = row.optional()
  const body = row.skipAbsent() ? undefined : unpackList(row, unpackStatement)
  // Whole literals where they do: spreading costs as much as all the rest.
  if (file === undefined && routine === undefined && body === undefined) {
    return {
      kind,
      index,
      span,
      fingerprint,
      inputs,
      outputs,
      columns,
      indirect,
      skipped,
      confidence,
      diagnostics,
      schemas,
    }
  }
  const sums = { inputs, outputs, columns, indirect, skipped, confidence, diagnostics, schemas }
  return {
    kind,
    index,
    span,
    ...(file === undefined ? {} : { file }),
    fingerprint,
    ...sums,
    ...(routine === undefined ? {} : { routine }),
    ...(body === undefined ? {} : { body }),
  }
}

function packColumn(row: Value[], line: ColumnLineage): void {
  const { downstream, upstreams, span, reasons } = line
  row.push(downstream.table, downstream.column, upstreams.length)
  for (const upstream of upstreams) row.push(upstream.table, upstream.column, upstream.kind)
  row.push(line.transformation ?? ABSENT, line.branch ?? ABSENT, line.confidence)
  row.push(reasons.length)
  for (const reason of reasons) row.push(NUMBER_OF_REASON.get(reason) ?? reason)
  if (span === undefined) row.push(ABSENT)
  else packSpan(row, span)
}

function unpackColumn(row: Row): ColumnLineage {
  const downstream = { table: row.name(), column: row.text() }
  const upstreams = unpackList(row, unpackUpstream)
  const transformation = row.optional()
  const branch = row.optional() as MergeBranch | undefined
  const confidence = row.number()
  const reasons = unpackList(row, unpackReason)
  const span = row.skipAbsent() ? undefined : unpackSpan(row)
  // Whole literals where they do, as above: most columns have a place and no branch.
  if (span !== undefined && branch === undefined) {
    return transformation === undefined
      ? { downstream, upstreams, confidence, reasons, span }
      : { downstream, upstreams, confidence, reasons, span, transformation }
  }
  return {
    downstream,
    upstreams,
    confidence,
    reasons,
    ...(transformation === undefined ? {} : { transformation }),
    ...(span === undefined ? {} : { span }),
    ...(branch === undefined ? {} : { branch }),
  }
}

function unpackReason(row: Row): string {
  const reason = row.textOrNumber()
  return typeof reason === 'number' ? (REASONS[reason] ?? '') : reason
}

function unpackIndirect(row: Row): IndirectUse {
  return { table: row.name(), column: row.text(), kind: row.text() as IndirectKind }
}

function unpackUpstream(row: Row): Upstream {
  return { table: row.name(), column: row.text(), kind: row.text() as EdgeKind }
}

function unpackList<Item>(row: Row, item: (row: Row) => Item): Item[] {
  const list: Item[] = []
  for (let left = row.number(); left > 0; left--) list.push(item(row))
  return list
}

/** Reads a row from its begin to its end, part by part; what stands where is known to both sides. */
class Row {
  readonly #parts: readonly string[]
  #part = -1
  #values: readonly Value[] = []
  #at = 0

  constructor(parts: readonly string[]) {
    this.#parts = parts
    this.nextPart()
  }

  get isAtPartsEnd(): boolean {
    return this.#at === this.#values.length
  }

  get partLength(): number {
    return this.#parts[this.#part]?.length ?? 0
  }

  nextPart(): void {
    this.#part++
    // `pack` of our own worker wrote it: no decoding needed.
    this.#values = JSON.parse(this.#parts[this.#part] ?? '[]') as Value[]
    this.#at = 0
  }

  number(): number {
    return this.#values[this.#at++] as number
  }

  text(): string {
    return this.#values[this.#at++] as string
  }

  textOrNumber(): string | number {
    return this.#values[this.#at++] as string | number
  }

  name(): string | null {
    return this.#values[this.#at++] as string | null
  }

  objects(): readonly object[] {
    return this.#values[this.#at++] as readonly object[]
  }

  optional(): string | undefined {
    const value = this.#values[this.#at++]
    return typeof value === 'string' ? value : undefined
  }

  /** Whether the next value says that something is absent; then it is behind us. */
  skipAbsent(): boolean {
    const absent = this.#values[this.#at] === ABSENT
    if (absent) this.#at++
    return absent
  }

  names(): string[] {
    const names: string[] = []
    for (let left = this.number(); left > 0; left--) names.push(this.text())
    return names
  }
}
