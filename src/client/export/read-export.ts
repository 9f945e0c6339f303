/**
 * A file of MCPs into a catalog, in their order as far as it matters: batches that share an entity wait for one another.
 * Sending a line again has no further effect (aspects that are as they should be are not written, events replace
 * themselves, earlier versions are sent only while they are the next one), so an import that was broken off may begin
 * anew; where it stood is kept only to save time.
 */
import { HeadwaterError } from '../../model/errors.ts'
import { linesOf } from '../../model/lines.ts'
import type { Proposal } from '../../model/proposal.ts'
import { decodeUtf8 } from '../../model/utf8.ts'
import { noProgress, type Progress } from '../../observe/progress.ts'
import type { CatalogClient } from '../catalog-client.ts'
import { PayloadTooLargeError, RefusedError, VersionConflictError } from '../errors.ts'
import { PATIENT, retrying } from '../retry.ts'
import { aspectId } from '../sink.ts'
import { openSource } from '../source-file.ts'
import { decodeMcpLine } from './mcp-line.ts'

export interface Rejected {
  readonly line: number
  readonly reason: string
}

export interface ImportReport {
  /** Lines that hold something, those of an earlier, broken off import included. */
  readonly read: number
  readonly sent: number
  /** Earlier versions that the catalog has already. */
  readonly present: number
  readonly rejected: number
  /** The first of them. */
  readonly samples: readonly Rejected[]
  readonly resumedAfter: number
}

export interface ImportOptions {
  readonly signal: AbortSignal
  readonly progress?: Progress
  /** Lines that an earlier import is done with. */
  readonly skipLines?: number
  /** Told of lines up to which everything is done. */
  readonly onDone?: (lines: number) => Promise<void>
}

const BATCH = 200
const BATCH_CHARACTERS = 2_000_000
const AT_ONCE = 4
const MAX_SAMPLES = 100

interface Line {
  readonly number: number
  readonly proposal: Proposal
}

/** @throws SourceUnreadableError, WrongEncodingError; what makes going on pointless */
export async function readExport(client: CatalogClient, file: string, options: ImportOptions): Promise<ImportReport> {
  const { abilities } = await client.config(options.signal)
  // Restoring is not refused for rules that came after the value.
  return new Import(client, abilities.has('restate'), options).run(file)
}

class Import {
  readonly #client: CatalogClient
  readonly #restate: boolean
  readonly #options: ImportOptions
  readonly #underWay = new Map<Promise<void>, ReadonlySet<string>>()
  readonly #doneUpTo: { readonly upTo: number; done: boolean }[] = []
  #failure: unknown
  #read = 0
  #sent = 0
  #present = 0
  #rejected = 0
  readonly #samples: Rejected[] = []

  constructor(client: CatalogClient, restate: boolean, options: ImportOptions) {
    this.#client = client
    this.#restate = restate
    this.#options = options
  }

  async run(file: string): Promise<ImportReport> {
    const { signal, skipLines = 0 } = this.#options
    let batch: Line[] = []
    let characters = 0
    let number = 0
    for await (const text of linesOf(decodeUtf8(openSource(file, signal), file))) {
      number++
      if (text.trim() === '') continue
      this.#read++
      if (number <= skipLines) continue
      const proposal = this.#decode(text, file, number)
      if (proposal === undefined) continue
      if (batch.length >= BATCH || characters + text.length > BATCH_CHARACTERS) {
        await this.#begin(batch)
        if (this.#isOver()) break
        batch = []
        characters = 0
      }
      batch.push({ number, proposal })
      characters += text.length
    }
    if (!this.#isOver()) await this.#begin(batch)
    await Promise.all(this.#underWay.keys())
    if (this.#failure !== undefined) throw this.#failure
    signal.throwIfAborted()
    return {
      read: this.#read,
      sent: this.#sent,
      present: this.#present,
      rejected: this.#rejected,
      samples: this.#samples,
      resumedAfter: skipLines,
    }
  }

  #isOver(): boolean {
    return this.#failure !== undefined || this.#options.signal.aborted
  }

  #decode(text: string, file: string, line: number): Proposal | undefined {
    try {
      const proposal = decodeMcpLine(text, { file, line })
      return this.#restate && proposal.changeType === 'UPSERT' ? { ...proposal, changeType: 'RESTATE' } : proposal
    } catch (error) {
      this.#reject(line, error)
      return undefined
    }
  }

  #reject(line: number, error: unknown): void {
    this.#rejected++
    if (this.#samples.length >= MAX_SAMPLES) return
    this.#samples.push({ line, reason: error instanceof Error ? error.message : String(error) })
  }

  async #begin(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return
    const urns = lines.map((line) => line.proposal.entityUrn)
    for (;;) {
      const shared = [...this.#underWay]
        .filter(([, others]) => urns.some((urn) => others.has(urn)))
        .map(([work]) => work)
      if (shared.length > 0) await Promise.all(shared)
      else if (this.#underWay.size >= AT_ONCE) await Promise.race(this.#underWay.keys())
      else break
    }
    if (this.#isOver()) return
    const mark = { upTo: lines.at(-1)?.number ?? 0, done: false }
    this.#doneUpTo.push(mark)
    const work = this.#carryOut(lines)
      .then(() => this.#finish(mark))
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#underWay.delete(work))
    this.#underWay.set(work, new Set(urns))
  }

  async #finish(mark: { readonly upTo: number; done: boolean }): Promise<void> {
    mark.done = true
    let upTo: number | undefined
    while (this.#doneUpTo[0]?.done === true) upTo = this.#doneUpTo.shift()?.upTo
    const { progress = noProgress, onDone } = this.#options
    progress.report({ phase: 'import', done: this.#read, unit: 'proposals', counts: { rejected: this.#rejected } })
    if (upTo !== undefined) await onDone?.(upTo)
  }

  async #carryOut(lines: readonly Line[]): Promise<void> {
    await this.#send(await this.#missing(lines))
  }

  /** Without the earlier versions that the catalog has. */
  async #missing(lines: readonly Line[]): Promise<readonly Line[]> {
    const conditional = lines.filter(({ proposal }) => versionOf(proposal) !== undefined)
    if (conditional.length === 0) return lines
    const keys = conditional.map(({ proposal }) => ({ urn: proposal.entityUrn, aspectName: proposal.aspectName }))
    const stored = await this.#client.read(keys, this.#options.signal)
    const missing = lines.filter(({ proposal }) => {
      const version = versionOf(proposal)
      const there = stored.get(aspectId({ urn: proposal.entityUrn, aspectName: proposal.aspectName }))
      return version === undefined || there === undefined || version > Number(there.version ?? 0)
    })
    this.#present += lines.length - missing.length
    return missing
  }

  /** All, or by halves down to the one line that is to blame. */
  async #send(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return
    try {
      const proposals = lines.map((line) => line.proposal)
      const { signal } = this.#options
      await retrying(() => this.#client.write(proposals), { policy: PATIENT, signal })
      this.#sent += lines.length
    } catch (error) {
      if (!isBlame(error)) throw error
      const [only] = lines
      if (lines.length === 1 && only !== undefined) return this.#reject(only.number, error)
      const middle = Math.ceil(lines.length / 2)
      await this.#send(lines.slice(0, middle))
      await this.#send(lines.slice(middle))
    }
  }
}

/** The version that a line would be, where it is sent only as the next one. */
function versionOf({ headers }: Proposal): number | undefined {
  const before = headers?.['If-Version-Match']
  return before === undefined ? undefined : Math.max(0, Number(before)) + 1
}

function isBlame(error: unknown): boolean {
  return (
    error instanceof HeadwaterError &&
    (error instanceof RefusedError || error instanceof PayloadTooLargeError || error instanceof VersionConflictError)
  )
}
