/** Which source a harvest reads, and everything beside it: its naming, declared lineage, and where an earlier run came to. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { readSourceText } from '../client/source-file.ts'
import { assertNever } from '../model/errors.ts'
import { readLineageFile } from './declared/lineage-file.ts'
import { dbtSource } from './dbt/dbt-source.ts'
import type { HarvestState } from './harvest-state.ts'
import { isQueryLog, queryLog, type QueryLogOptions } from './log/query-log.ts'
import type { CarriedSession } from './log/sessions.ts'
import { logShape } from './log/shape.ts'
import { readNaming, RuleBook, type Naming } from './naming.ts'
import { livePostgres } from './postgres/live-postgres.ts'
import { isPostgresUrl } from './postgres/address.ts'
import type { HarvestSettings } from './settings.ts'
import { sqlFiles } from './sql-files.ts'
import type { DeclaredLineage, SourcePortion } from './sql-unit.ts'
import { temporaryTables } from './temporary-tables.ts'

export interface HarvestSource {
  readonly naming: Naming | undefined
  /** Platforms that the source may speak of, by what is said about it. */
  readonly platforms: readonly string[]
  /** Lineage that stands beside the SQL. */
  readonly declared: readonly DeclaredLineage[]
  portions(): AsyncIterable<SourcePortion>
  /** Sessions of a log that go on; complete once the portions are consumed. */
  carriedSessions(): readonly CarriedSession[]
}

export interface SourceContext {
  readonly signal: AbortSignal
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly state: HarvestState
  /** Told of statements of a log that were met before, where each time counts (`log/query-log.ts`). */
  readonly onRepeated?: QueryLogOptions['onRepeated']
}

type SourceKind = Exclude<HarvestSettings['format'], 'auto'>

const NAMING_FILE = 'headwater.yaml'

/** @throws DecodeError (of naming and lineage files), SourceUnreadableError */
export async function openHarvestSource(settings: HarvestSettings, context: SourceContext): Promise<HarvestSource> {
  const loaded = await loadNaming(settings)
  const naming = loaded?.naming
  const kind = sourceKind(settings)
  const rules = new RuleBook(
    naming,
    kind === 'postgres' ? { ...settings, platform: settings.platform ?? 'postgres' } : settings,
  )
  const declared = settings.declared === undefined ? [] : await declaredIn(settings.declared, rules, context.signal)
  const carried = kind === 'log' ? await context.state.sessions() : []
  let sessions: readonly CarriedSession[] = carried
  const platforms = [settings.platform, ...(naming?.sources ?? []).map((source) => source.platform)]
  return {
    naming,
    platforms: platforms.filter((platform) => platform !== undefined),
    declared,
    portions: () =>
      portionsOf(kind, settings, { ...context, naming, rules, folder: loaded?.folder, carried }, (next) => {
        sessions = next
      }),
    carriedSessions: () => sessions,
  }
}

/** What a source is; by its address, the name of its file, or what lies in its folder, where nobody says it. */
export function sourceKind({ source, format }: Pick<HarvestSettings, 'source' | 'format'>): SourceKind {
  if (format !== 'auto') return format
  if (isPostgresUrl(source)) return 'postgres'
  if (/(^|\/)manifest\.json$/i.test(source) || existsSync(join(source, 'dbt_project.yml'))) return 'dbt'
  if (/\.ya?ml$/i.test(source)) return 'lineage'
  return isQueryLog(source) ? 'log' : 'sql'
}

interface OpenSource extends SourceContext {
  readonly naming: Naming | undefined
  readonly rules: RuleBook
  readonly folder: string | undefined
  readonly carried: readonly CarriedSession[]
}

function portionsOf(
  kind: SourceKind,
  settings: HarvestSettings,
  open: OpenSource,
  onCarried: (carried: readonly CarriedSession[]) => void,
): AsyncIterable<SourcePortion> {
  const { source } = settings
  const { rules, folder, signal, state, naming, environment } = open
  const isTemporary = temporaryTables(settings.temporary)
  switch (kind) {
    case 'sql':
      return sqlFiles({ ...settings, rules, folder, signal })
    case 'dbt':
      return dbtSource({ source, naming, defaults: settings })
    case 'lineage':
      return lineagePortions(source, rules, signal)
    case 'postgres':
      return livePostgres({ ...settings, rules, environment, signal })
    case 'log':
      return queryLog({
        source,
        shape: logShape(settings.preset, settings.columns),
        rules,
        pathOf: (file) => (folder === undefined ? basename(file) : relative(folder, file)),
        include: settings.include,
        exclude: settings.exclude,
        pauseMs: settings.sessionGapMinutes * 60_000,
        isTemporary,
        // Where edges go that the source no longer yields, all of it must be looked at.
        positions: settings.full || !settings.adds ? new Map() : state.positions,
        carried: settings.full || !settings.adds ? [] : open.carried,
        onCarried,
        onRepeated: open.onRepeated,
        signal,
      })
    default:
      return assertNever(kind)
  }
}

async function* lineagePortions(source: string, rules: RuleBook, signal: AbortSignal): AsyncGenerator<SourcePortion> {
  const { declared, rejected } = await readLineageFile(source, rules, signal)
  yield { units: [], declared, rejected }
}

async function declaredIn(file: string, rules: RuleBook, signal: AbortSignal): Promise<readonly DeclaredLineage[]> {
  return (await readLineageFile(file, rules, signal)).declared
}

async function loadNaming({
  source,
  naming,
}: HarvestSettings): Promise<{ readonly naming: Naming; readonly folder: string } | undefined> {
  const isFile = !/^[a-z][a-z0-9+.-]+:\/\//i.test(source) && source !== '-'
  const beside = isFile ? [join(source, NAMING_FILE), join(dirname(source), NAMING_FILE)] : []
  for (const place of naming === undefined ? beside : [naming]) {
    const text = naming === undefined && !existsSync(place) ? undefined : await readSourceText(place)
    if (text !== undefined) return { naming: readNaming(text, place), folder: dirname(place) }
  }
  return undefined
}
