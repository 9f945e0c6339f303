/**
 * What earlier runs read, so that only what is new is read again: by the unit's text, the rules of its names and the
 * engine's own version; and with the columns that it was read with, so that a changed table is noticed (`analyse.ts`).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, textAt, type JsonObject, type JsonValue } from '../model/json.ts'
import { othersTurn } from '../observe/turns.ts'
import type { ProjectFacts, ScriptLineage } from '../sql/types.ts'
import type { AnalysedUnit, ReadWith } from './analyse.ts'
import type { SqlUnit } from './sql-unit.ts'

/** Facts that outlive a run. */
export interface HarvestMemory {
  read(keys: readonly string[]): Promise<ReadonlyMap<string, JsonValue>>
  scan(prefix: string): AsyncIterable<readonly (readonly [key: string, value: JsonValue])[]>
  keys(prefix: string): AsyncIterable<readonly string[]>
  write(entries: ReadonlyMap<string, JsonValue | undefined>): Promise<void>
}

export interface Remembered {
  readonly lineage: ScriptLineage
  /** Absent where no columns were asked for. */
  readonly readWith: ReadWith | undefined
}

/** Longest lineage of a unit that is worth keeping, characters of its JSON; what is saved together. */
const MAX_KEPT = 4 * 1024 * 1024
const MAX_TOGETHER = 1024 * 1024

export class UnitMemory {
  readonly #memory: HarvestMemory
  readonly #prefix: string
  readonly #forgets: boolean
  /** What is kept of a unit as it was recalled, by its key: what is the same is not written again. */
  readonly #kept = new Map<string, string>()
  readonly #seen = new Set<string>()
  /** Units that were not read. */
  recalled = 0

  /** @param forgets true for a full run: everything is read again, and kept */
  constructor(memory: HarvestMemory, options: { readonly origin: string; readonly forgets: boolean }) {
    this.#memory = memory
    this.#prefix = `${options.origin}/unit/`
    this.#forgets = options.forgets
  }

  /** What is remembered of units, by their index. */
  async recall(units: readonly SqlUnit[]): Promise<ReadonlyMap<number, Remembered>> {
    const keys = units.map((unit) => this.#keyOf(unit))
    for (const key of keys) if (key !== undefined) this.#seen.add(key)
    const found = new Map<number, Remembered>()
    if (this.#forgets) return found
    const stored = await this.#memory.read([...new Set(keys.filter((key) => key !== undefined))])
    for (const [at, unit] of units.entries()) {
      await othersTurn()
      const key = keys[at]
      const value = key === undefined ? undefined : stored.get(key)
      if (key === undefined || !isJsonObject(value) || textAt(value, 'hash') !== unitHash(unit)) continue
      found.set(at, {
        // Our own run wrote it, for this very engine.
        lineage: value['lineage'] as unknown as ScriptLineage,
        readWith: value['with'] as unknown as ReadWith | undefined,
      })
      this.#kept.set(key, fingerprintOf(value))
    }
    this.recalled += found.size
    return found
  }

  /** Keeps what was read now. */
  async keep(results: ReadonlyMap<number, AnalysedUnit>, readWith: ReadonlyMap<number, ReadWith>): Promise<void> {
    let batch = new Map<string, JsonValue>()
    let size = 0
    for (const [at, { unit, lineage }] of results) {
      const key = this.#keyOf(unit)
      if (key === undefined) continue
      await othersTurn()
      const columns = readWith.get(at)
      const value = {
        hash: unitHash(unit),
        ...(columns === undefined ? {} : { with: columns }),
        lineage: lineage as unknown as JsonObject,
      }
      if (this.#kept.get(key) === fingerprintOf(value)) continue
      const length = JSON.stringify(value).length
      if (length > MAX_KEPT) continue
      batch.set(key, value)
      size += length
      if (size < MAX_TOGETHER) continue
      await this.#memory.write(batch)
      batch = new Map()
      size = 0
    }
    if (batch.size > 0) await this.#memory.write(batch)
  }

  /** Forgets units that the source no longer has. */
  async sweep(): Promise<void> {
    const gone = new Map<string, undefined>()
    for await (const page of this.#memory.keys(this.#prefix)) {
      for (const key of page) if (!this.#seen.has(key)) gone.set(key, undefined)
    }
    if (gone.size > 0) await this.#memory.write(gone)
  }

  #keyOf({ memoryKey }: SqlUnit): string | undefined {
    return memoryKey === undefined ? undefined : this.#prefix + memoryKey
  }
}

function fingerprintOf(value: JsonObject): string {
  return JSON.stringify([value['hash'], value['with'] ?? null])
}

const hashes = new WeakMap<SqlUnit, string>()

/** Changes with any text of the unit, the rules of its names, its project, and the engine. */
function unitHash(unit: SqlUnit): string {
  const known = hashes.get(unit)
  if (known !== undefined) return known
  const { texts, rules, project } = unit
  const hash = createHash('sha256')
    .update(engineVersion())
    .update(JSON.stringify(rules))
    .update(project === undefined ? '' : projectHash(project))
  for (const { sql, file, line, model } of texts) hash.update(JSON.stringify([sql, file, line, model ?? null]))
  const made = hash.digest('base64url')
  hashes.set(unit, made)
  return made
}

const projects = new WeakMap<ProjectFacts, string>()

/** What a project's templates may ask for is large, and the same for all of its models. */
function projectHash(project: ProjectFacts): string {
  const made = projects.get(project) ?? createHash('sha256').update(JSON.stringify(project)).digest('base64url')
  projects.set(project, made)
  return made
}

let engine: string | undefined

/** Hash of the engine's own code: lineage that another version read is not trusted. */
function engineVersion(): string {
  if (engine !== undefined) return engine
  const folder = join(import.meta.dirname, '../sql')
  const hash = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).toSorted())
    hash.update(readFileSync(path))
  engine = hash.digest('base64url')
  return engine
}
