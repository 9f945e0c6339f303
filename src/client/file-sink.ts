/** A sink that keeps proposals instead of sending them: a file that a catalog can be fed with. */
import { asciiJson, type JsonObject } from '../model/json.ts'
import type { Proposal } from '../model/proposal.ts'
import type { Closable } from '../observe/resources.ts'
import type { Sink, StoredAspect } from './sink.ts'
import { TextFile } from './text-file.ts'

/**
 * One MCP a line, the aspect as JSON (`{"json": …}`), alone or as the items of one list, which is what the neighbours'
 * file source reads. There is nothing to read back, so everything is written as if the catalog were empty.
 */
export class FileSink implements Sink, Closable {
  readonly #path: string
  readonly #isList: boolean
  #out: TextFile | undefined

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
    this.#out ??= new TextFile(this.#path)
    const text = this.#isList ? `${isFirst ? '[' : ','}\n${lines.join(',\n')}` : `${lines.join('\n')}\n`
    await this.#out.write(text)
  }

  async close(): Promise<void> {
    if (this.#out === undefined) return
    if (this.#isList) await this.#out.write('\n]\n')
    await this.#out.close()
  }
}

function mcpLine({ aspect, ...envelope }: Proposal): string {
  return asciiJson({
    ...envelope,
    ...(aspect === undefined ? {} : { aspect: { json: aspect } }),
  } as unknown as JsonObject)
}
