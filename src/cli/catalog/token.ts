/** `headwater catalog token create|list|revoke`: who may call the catalog. Works on the database, served or not. */
import { Command, InvalidArgumentError, Option } from 'commander'
import { createTokens, SCOPES, type AccessToken, type Scope, type Tokens } from '../../catalog/tokens/tokens.ts'
import { didYouMean } from '../../model/near.ts'
import { asUrn, type Urn } from '../../model/urn.ts'
import { systemClock } from '../../observe/clock.ts'
import { randomIds } from '../../observe/ids.ts'
import { addCommonFlags, endWith, withExamples, type CommandContext, type CommonFlags } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { utcMinute } from '../ledger/format.ts'
import { lookAt } from '../ledger/open.ts'
import { textTable } from '../show/text-table.ts'
import type { Terminal } from '../terminal.ts'
import { userName } from '../user-name.ts'

interface CreateFlags extends CommonFlags {
  readonly actor: Urn
  readonly scope: readonly string[]
  readonly expires: number | 'never'
  readonly description?: string
}

const DAY_MS = 86_400_000
const DEFAULT_EXPIRY_DAYS = 90
const MAX_LISTED = 1000

export function tokenCommand(): Command {
  return new Command('token')
    .enablePositionalOptions()
    .description('access tokens of the catalog: create, list, revoke')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand())
}

function createCommand(): Command {
  const create = addCommonFlags(new Command('create'))
    .description('create an access token; it is shown this once')
    .argument('<name>', 'what it is for')
    .option('--actor <user>', 'the user it stands for, by name or URN', actorOf, actorOf(userName()))
    .option('--scope <scope...>', `what it allows: ${SCOPES.join(', ')}`, ['read', 'write'])
    .addOption(
      new Option('--expires <time>', 'how long it holds: 12h, 90d, never')
        .argParser(expiryOf)
        .default(DEFAULT_EXPIRY_DAYS * DAY_MS, `${DEFAULT_EXPIRY_DAYS}d`),
    )
    .option('--description <text>', 'a sentence about it')
    .action((name: string, flags: CreateFlags) =>
      endWith(flags, async (context) => {
        const scopes = flags.scope.map(scopeOf)
        const { text, token } = await withTokens(flags, context, (tokens) =>
          tokens.create({
            name,
            description: flags.description,
            actor: flags.actor,
            owner: actorOf(userName()),
            scopes,
            holdsMs: flags.expires === 'never' ? undefined : flags.expires,
          }),
        )
        const { terminal } = context
        if (terminal.json) return terminal.printJson({ accessToken: text, ...shown(token) })
        terminal.print(text)
        terminal.note(
          `${token.id} for ${token.actor}: ${token.scopes.join(', ')}; holds ${until(token)}. It is not shown again.`,
        )
        if (process.env['HEADWATER_TOKEN'] === undefined) {
          terminal.note(
            'HEADWATER_TOKEN is not set: a catalog that is served so is open on loopback and asks for no token',
          )
        }
      }),
    )
  return withExamples(
    create,
    ['headwater catalog token create nightly --actor etl', 'reads and writes as urn:li:corpuser:etl for 90 days'],
    ['headwater catalog token create dashboard --scope read --expires never', 'reads for ever'],
    ['headwater catalog token create retention --scope read operate', 'may truncate timeseries'],
  )
}

function listCommand(): Command {
  const list = addCommonFlags(new Command('list'))
    .description('list access tokens, the newest first')
    .option('--actor <user>', 'only those of this user', actorOf)
    .action((flags: CommonFlags & { readonly actor?: Urn }) =>
      endWith(flags, async (context) => {
        const { tokens } = await withTokens(flags, context, (all) =>
          all.list({ actor: flags.actor }, { start: 0, count: MAX_LISTED }),
        )
        if (context.terminal.json) return context.terminal.printJson({ tokens: tokens.map(shown) })
        printTokens(tokens, context.terminal)
      }),
    )
  return withExamples(list, ['headwater catalog token list', 'with their users, scopes, ends and last uses'])
}

function revokeCommand(): Command {
  const revoke = addCommonFlags(new Command('revoke'))
    .description('revoke an access token; it holds for one more second at most')
    .argument('<id>', 'its id, as `headwater catalog token list` shows it')
    .action((id: string, flags: CommonFlags) =>
      endWith(flags, async (context) => {
        const revoked = await withTokens(flags, context, (tokens) => tokens.revoke(id))
        if (!revoked) {
          throw new UsageError(`there is no access token ${JSON.stringify(id)}`, {
            remedy: 'headwater catalog token list shows the ids',
          })
        }
        if (context.terminal.json) return context.terminal.printJson({ revoked: id })
        context.terminal.print(`${id} revoked`)
      }),
    )
  return withExamples(revoke, ['headwater catalog token revoke token-20261121T020000-a1b2c3', 'by its id'])
}

function withTokens<T>(flags: CommonFlags, context: CommandContext, work: (tokens: Tokens) => Promise<T>): Promise<T> {
  return lookAt(flags, context, (database) => work(createTokens({ database, clock: systemClock, ids: randomIds })))
}

function printTokens(tokens: readonly AccessToken[], terminal: Terminal): void {
  if (tokens.length === 0) return terminal.print('no access tokens')
  const columns = [
    { title: 'id' },
    { title: 'name', shorten: 'end' },
    { title: 'actor', shorten: 'start' },
    { title: 'scopes' },
    { title: 'holds (UTC)' },
    { title: 'last used (UTC)' },
  ] as const
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    token.actor,
    token.scopes.join(', '),
    until(token),
    token.lastUsedMs === null ? 'never' : utcMinute(token.lastUsedMs),
  ])
  const [head = '', ...lines] = textTable(columns, rows, terminal.width)
  terminal.print(terminal.style('bold', head))
  for (const line of lines) terminal.print(line)
}

function until({ expiresMs }: AccessToken): string {
  if (expiresMs === null) return 'for ever'
  return `${expiresMs <= systemClock.now() ? 'expired' : 'until'} ${utcMinute(expiresMs)}`
}

function shown({ createdMs, expiresMs, lastUsedMs, ...token }: AccessToken): object {
  return { ...token, createdAt: isoTime(createdMs), expiresAt: isoTime(expiresMs), lastUsedAt: isoTime(lastUsedMs) }
}

const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

function actorOf(text: string): Urn {
  try {
    return asUrn(text.startsWith('urn:') ? text : `urn:li:corpuser:${text}`)
  } catch {
    throw new InvalidArgumentError('It is the name of a user, or urn:li:corpuser:<name>.')
  }
}

/** @throws UsageError */
function scopeOf(text: string): Scope {
  const scope = SCOPES.find((one) => one === text)
  if (scope !== undefined) return scope
  throw new UsageError(`there is no scope ${JSON.stringify(text)}${didYouMean(text, SCOPES)}`, {
    remedy: `the scopes are ${SCOPES.join(', ')}`,
  })
}

function expiryOf(text: string): number | 'never' {
  if (text === 'never') return 'never'
  const [, count, unit] = /^([1-9]\d{0,4})(h|d)$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('It is hours, days or never: 12h, 90d, never.')
  return Number(count) * (unit === 'h' ? DAY_MS / 24 : DAY_MS)
}
