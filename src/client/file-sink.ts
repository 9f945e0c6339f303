/** A sink that keeps proposals instead of sending them: a file that a catalog can be fed with. */
import { createWriteStream, type WriteStream } from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { asciiJson, type JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Closable } from '../observe/resources.ts'
import type { Sink, StoredAspect } from './sink.ts'

/**
 * One MCP a line, the aspect as JSON (`{"json": …}`), alone or as the items of one list, which is what the neighbours'
 * file source reads. There is nothing to read back, so everything is written as if the catalog were empty.
 */
export class FileSink implements Sink, Closable {
  readonly #path: string
  readonly #isList: boolean
  #out: WriteStream | undefined

  /** @param path is overwritten with the first write; a plan writes nothing and leaves it alone */
  constructor(path: string, options: { readonly layout?: 'lines' | 'list' } = {}) {
    this.#path = path
    this.#isList = options.layout === 'list'
  }

  read(): Promise<ReadonlyMap<string, StoredAspect>> {
    return Promise.resolve(new Map())
  }

  /** A catalog that is a file has no datasets. */
  async *scrollDatasets(): AsyncGenerator<never> {}

  async write(proposals: readonly Proposal[]): Promise<void> {
    const lines = proposals.map(mcpLine)
    if (lines.length === 0) return
    const isFirst = this.#out === undefined
    this.#out ??= createWriteStream(this.#path, { mode: 0o600 })
    const text = this.#isList ? `${isFirst ? '[' : ','}\n${lines.join(',\n')}` : `${lines.join('\n')}\n`
    if (!this.#out.write(text)) await once(this.#out, 'drain')
  }

  async close(): Promise<void> {
    if (this.#out === undefined) return
    this.#out.end(this.#isList ? '\n]\n' : '')
    await finished(this.#out)
  }
}

function mcpLine({ aspect, ...envelope }: Proposal): string {
  return asciiJson({
    ...envelope,
    ...(aspect === undefined ? {} : { aspect: { json: aspect } }),
  } as unknown as JsonObject)
}
