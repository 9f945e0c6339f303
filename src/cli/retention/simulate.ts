/** `headwater simulate --keep 14d,30d`: what would go, per index, from counts only. */
import { Command, InvalidArgumentError } from 'commander'
import type { IndexSize } from '../../client/operations.ts'
import { withCatalog } from '../../main/catalog-access.ts'
import { systemClock } from '../../observe/clock.ts'
import { createLogger } from '../../observe/logger.ts'
import { DAY_MS, daysOf } from '../../retention/duration.ts'
import { nearNames } from '../../retention/plan.ts'
import { catalogKind, isSelected, rowCounter } from '../../retention/survey.ts'
import { addCommonFlags, endWith, levelForResults, withExamples, type CommandContext } from '../command.ts'
import { textTable } from '../show/text-table.ts'
import type { Terminal } from '../terminal.ts'
import { addIndexFlags, type IndexFlags } from './target.ts'

interface Keep {
  readonly text: string
  readonly days: number
}

interface SimulateFlags extends IndexFlags {
  readonly keep: readonly Keep[]
}

interface Answer {
  readonly keep: string
  readonly cutoff: string
  readonly matching: number
  readonly total: number
  /** After a rebuild. */
  readonly sizeMbAfter: number
}

export function simulateCommand(): Command {
  const simulate = addIndexFlags(addCommonFlags(new Command('simulate')))
    .description('what a truncation would delete, from counts only; no policy, no plan, nothing is changed')
    .requiredOption('--keep <spans>', 'how much is kept: 14d, 36h, 8w; several with commas', keepsOf)
    .action((flags: SimulateFlags) => endWith(flags, (context) => simulateAction(flags, context)))
  return withExamples(
    simulate,
    ['headwater simulate --keep 14d', 'what would go of each index'],
    ['headwater simulate --keep 7d,30d,90d --aspect operation', 'compare'],
    ['headwater simulate --keep 30d --to production --json', 'a DataHub, for a program'],
  )
}

async function simulateAction(flags: SimulateFlags, { terminal, loadConfig }: CommandContext): Promise<void> {
  const config = loadConfig()
  const logger = createLogger({ level: levelForResults(config) })
  const nowMs = systemClock.now()
  const signal = new AbortController().signal
  await withCatalog({ config, environment: process.env, logger }, flags.catalog ?? flags.to, async (client) => {
    const all = await client.timeseries.indexSizes(signal)
    const sizes = all.filter((index) => isSelected(index, flags))
    if (sizes.length === 0) {
      terminal.complain(`warning: no index fits ${flags.aspect}${nearNames(flags.aspect, all)}`)
    }
    const counter = rowCounter({ client, signal }, await catalogKind(client, signal))
    const answers = await Promise.all(
      sizes.map(async (index) => ({ index, answers: await answersFor(index, flags.keep, nowMs, counter.rows) })),
    )
    if (terminal.json) {
      const indexes = answers.map(({ index, answers: keeps }) => ({ ...index, keeps }))
      return terminal.printJson({ catalog: client.address, indexes })
    }
    if (sizes.length > 0) print(answers, terminal)
  })
}

async function answersFor(
  index: IndexSize,
  keeps: readonly Keep[],
  nowMs: number,
  count: ReturnType<typeof rowCounter>['rows'],
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const { text, days } of keeps) {
    const cutoffMs = Math.round(nowMs - days * DAY_MS)
    const { matching, total } = await count(index, cutoffMs)
    const sizeMbAfter = total === 0 ? index.sizeMb : (index.sizeMb * (total - matching)) / total
    answers.push({ keep: text, cutoff: new Date(cutoffMs).toISOString(), matching, total, sizeMbAfter })
  }
  return answers
}

function print(
  found: readonly { readonly index: IndexSize; readonly answers: readonly Answer[] }[],
  terminal: Terminal,
): void {
  const right = 'right' as const
  const columns = [
    { title: 'index', shorten: 'end' as const },
    { title: 'keep', align: right },
    { title: 'rows', align: right },
    { title: 'would go', align: right },
    { title: 'share', align: right },
    { title: 'size', align: right },
    { title: 'rebuilt', align: right },
  ]
  const rows = found.flatMap(({ index, answers }) =>
    answers.map(({ keep, matching, total, sizeMbAfter }, at) => [
      at === 0 ? `${index.entityType}.${index.aspectName}` : '',
      keep,
      total.toLocaleString('en'),
      matching.toLocaleString('en'),
      total === 0 ? '' : `${((100 * matching) / total).toFixed(1)} %`,
      `${index.sizeMb.toFixed(1)} MB`,
      `${sizeMbAfter.toFixed(1)} MB`,
    ]),
  )
  const [head = '', ...lines] = textTable(columns, rows, terminal.width)
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
}

function keepsOf(text: string): readonly Keep[] {
  return text.split(',').map((part) => {
    const days = daysOf(part)
    if (days === undefined)
      throw new InvalidArgumentError('It is days, hours or weeks: 14d, 36h, 8w; several with commas.')
    return { text: part.trim(), days }
  })
}
