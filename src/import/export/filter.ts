/** Which entities an export is about: `--filter platform=hive`, several of one key meaning any of them. */
import { HeadwaterError } from '../../model/errors.ts'
import { didYouMean } from '../../model/near.ts'
import { asDatasetUrn, datasetParts, entityTypeOf, type Urn } from '../../model/urn.ts'

const KEYS = ['type', 'platform', 'env', 'name', 'urn'] as const
type Key = (typeof KEYS)[number]

/** Values by key; a key that is absent does not narrow. Columns count as their dataset. */
export type EntityFilter = ReadonlyMap<Key, readonly RegExp[]>

/** A filter that is not of the form `key=value`, or with a key that does not exist. */
export class ExportFilterError extends HeadwaterError {
  readonly code = 'EXPORT_FILTER'
  override readonly badInput = true

  constructor(filter: string, hint: string) {
    super(`not a filter: ${JSON.stringify(filter)}${hint}`, {
      remedy: `write key=value, where key is one of ${KEYS.join(', ')} and * in the value stands for any text`,
    })
  }
}

/** Reads filters as they stand on the command line. @throws ExportFilterError */
export function readFilters(texts: readonly string[]): EntityFilter {
  const filter = new Map<Key, RegExp[]>()
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? []
    const key = KEYS.find((each) => each === name.trim())
    if (key === undefined) throw new ExportFilterError(text, didYouMean(name.trim(), KEYS))
    filter.set(key, [...(filter.get(key) ?? []), pattern(value.trim())])
  }
  return filter
}

/** Whether an entity, or the dataset of a column, is meant. */
export function matches(filter: EntityFilter, urn: Urn): boolean {
  for (const [key, patterns] of filter) {
    const value = valueOf(key, urn)
    if (value === undefined || !patterns.some((one) => one.test(value))) return false
  }
  return true
}

function valueOf(key: Key, urn: Urn): string | undefined {
  if (key === 'urn') return urn
  const type = entityTypeOf(urn)
  if (key === 'type') return type
  if (type !== 'dataset') return undefined
  const { platform, name, env } = datasetParts(asDatasetUrn(urn))
  return { platform, name, env }[key]
}

/** The whole text, upper and lower case alike. */
function pattern(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'is')
}
