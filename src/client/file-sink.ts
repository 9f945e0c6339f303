/** A sink that keeps proposals instead of sending them: a file that a catalog can be fed with. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { asciiJson, type JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Closable } from '../observe/resources.ts'
import type { Sink, StoredAspect } from './sink.ts'

/**
 * One MCP a line, the aspect as JSON (`{"json": …}`), as the neighbours' file source reads it. There is nothing to read
 * back, so everything is written as if the catalog were empty.
 */
export class FileSink implements Sink, Closable {
  readonly #out: WriteStream

  /** @param path is overwritten */
  constructor(path: string) {
    this.#out = createWriteStream(path, { mode: 0o600 })
  }

  read(): Promise<ReadonlyMap<string, StoredAspect>> {
    return Promise.resolve(new Map())
  }

  /** A catalog that is a file has no datasets. */
  async *scrollDatasets(): AsyncGenerator<never> {}

  async write(proposals: readonly Proposal[]): Promise<void> {
    if (!this.#out.write(proposals.map((proposal) => `${mcpLine(proposal)}\n`).join(''))) await once(this.#out, 'drain')
  }

  async close(): Promise<void> {
    this.#out.end()
    await finished(this.#out)
  }
}

function mcpLine({ aspect, ...envelope }: Proposal): string {
  return asciiJson({
    ...envelope,
    ...(aspect === undefined ? {} : { aspect: { json: aspect } }),
  } as unknown as JsonObject)
}
