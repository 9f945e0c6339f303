/** A lineage in the format that was asked for, as text. */
import { randomUUID } from 'node:crypto'
import { assertNever } from '../../model/errors.ts'
import { asUrn, datasetUrn } from '../../model/urn.ts'
import { systemClock } from '../../observe/clock.ts'
import { encodeDataHub } from '../../sql/encode/datahub.ts'
import { encodeDot } from '../../sql/encode/dot.ts'
import { encodeDetails, encodeResult } from '../../sql/encode/json.ts'
import { encodeMermaid } from '../../sql/encode/mermaid.ts'
import { encodeOpenLineage } from '../../sql/encode/openlineage.ts'
import { encodeTree } from '../../sql/encode/tree.ts'
import type { ScriptLineage } from '../../sql/index.ts'
import { packageVersion } from '../package-info.ts'
import type { Terminal } from '../terminal.ts'

export const FORMATS = ['tree', 'json', 'ndjson', 'mermaid', 'dot', 'openlineage', 'datahub'] as const
export type Format = (typeof FORMATS)[number]

export interface Rendering {
  readonly format: Format
  /** Name of what was read: a file, or `statement`. */
  readonly name: string
  readonly sql: string
  readonly dialect: string
  readonly namespace: string
  readonly platform: string
  readonly env: string
}

export function render(lineage: ScriptLineage, rendering: Rendering, terminal: Terminal): string {
  switch (rendering.format) {
    case 'tree':
      return encodeTree(lineage, { style: (style, text) => terminal.style(style, text) })
    case 'json':
      return `${JSON.stringify(encodeDetails(rendering.name, lineage), null, 2)}\n`
    case 'ndjson':
      return `${JSON.stringify(encodeResult(rendering.name, lineage))}\n`
    case 'mermaid':
      return encodeMermaid(lineage)
    case 'dot':
      return encodeDot(lineage)
    case 'openlineage':
      return `${JSON.stringify(openLineage(lineage, rendering), null, 2)}\n`
    case 'datahub':
      return `${JSON.stringify(dataHub(lineage, rendering), null, 2)}\n`
    default:
      return assertNever(rendering.format)
  }
}

function openLineage(lineage: ScriptLineage, { name, sql, dialect, namespace }: Rendering): unknown {
  return encodeOpenLineage(lineage, {
    namespace,
    job: { namespace: 'headwater', name },
    runId: randomUUID(),
    eventTime: new Date(systemClock.now()).toISOString(),
    producer: `https://www.npmjs.com/package/headwater/v/${packageVersion()}`,
    sql,
    dialect,
  })
}

function dataHub(lineage: ScriptLineage, { platform, env }: Rendering): unknown {
  return encodeDataHub(lineage, {
    urnOf: (table) => datasetUrn({ platform, name: table, env }),
    actor: asUrn('urn:li:corpuser:headwater'),
    timeMillis: systemClock.now(),
  })
}
