/** What changed on an entity and when: tags, terms and owners that came and went, from the history of its aspects. */
import { stringsAt, type JsonObject } from '../../model/json.ts'
import type { Urn } from '../../model/urn.ts'
import type { Ports } from '../ports.ts'

/** Categories of changes, as clients name them: where the members stand, and how one is called in a sentence. */
const CATEGORIES = {
  TAG: { aspect: 'globalTags', path: ['tags', 'tag'], word: 'Tag', parameter: 'tagUrn' },
  GLOSSARY_TERM: { aspect: 'glossaryTerms', path: ['terms', 'urn'], word: 'Term', parameter: 'termUrn' },
  OWNER: { aspect: 'ownership', path: ['owners', 'owner'], word: 'Owner', parameter: 'ownerUrn' },
} as const
export type TimelineCategory = keyof typeof CATEGORIES

export const TIMELINE_CATEGORIES = Object.keys(CATEGORIES) as readonly TimelineCategory[]

export interface TimelineChange {
  readonly category: TimelineCategory
  readonly operation: 'ADD' | 'REMOVE'
  readonly member: string
  readonly sentence: string
  readonly parameter: string
}

export interface TimelineEntry {
  readonly timestamp: number
  readonly actor: string
  readonly aspect: string
  readonly version: number
  readonly changes: readonly TimelineChange[]
}

export interface Timeline {
  /** Changes between two times (both included), oldest first. */
  of(
    urn: Urn,
    categories: readonly TimelineCategory[],
    range: { readonly fromMs: number; readonly toMs: number },
  ): Promise<readonly TimelineEntry[]>
}

interface VersionRow {
  readonly version: number
  readonly body: string
  readonly writtenMs: number
  readonly writtenBy: string
}

export function createTimeline({ database, urnIds }: Ports): Timeline {
  return {
    async of(urn, categories, range) {
      const urnId = (await urnIds.find([urn])).get(urn)
      if (urnId === undefined) return []
      const entries: TimelineEntry[] = []
      for (const category of categories) {
        const rows = await database.rows<VersionRow>(
          `select version, body, written_ms as "writtenMs", written_by as "writtenBy" from catalog.aspect_history
           where urn_id = $1 and name = $2
           union all
           select version, body, written_ms, written_by from catalog.aspect where urn_id = $1 and name = $2
           order by version`,
          [urnId, CATEGORIES[category].aspect],
        )
        entries.push(...entriesOf(category, rows))
      }
      return entries
        .filter((entry) => entry.timestamp >= range.fromMs && entry.timestamp <= range.toMs)
        .toSorted((a, b) => a.timestamp - b.timestamp)
    },
  }
}

function entriesOf(category: TimelineCategory, rows: readonly VersionRow[]): readonly TimelineEntry[] {
  let before: readonly string[] = []
  return rows.flatMap((row) => {
    const { aspect, path } = CATEGORIES[category]
    const after = stringsAt(JSON.parse(row.body) as JsonObject, ...path)
    const changes = [
      ...after.filter((member) => !before.includes(member)).map((member) => changeOf(category, 'ADD', member)),
      ...before.filter((member) => !after.includes(member)).map((member) => changeOf(category, 'REMOVE', member)),
    ]
    before = after
    if (changes.length === 0) return []
    return [{ timestamp: row.writtenMs, actor: row.writtenBy, aspect, version: row.version, changes }]
  })
}

function changeOf(category: TimelineCategory, operation: 'ADD' | 'REMOVE', member: string): TimelineChange {
  const { word, parameter } = CATEGORIES[category]
  const sentence = `${word} '${member}' ${operation === 'ADD' ? 'added' : 'removed'}`
  return { category, operation, member, sentence, parameter }
}
