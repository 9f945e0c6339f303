import { Command } from 'commander'
import { maskUrl } from '../observe/logger.ts'
import { Secret } from '../model/secret.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from './command.ts'

/** `headwater config show`: the values that hold, where each comes from, secrets masked. */
export function configCommand(): Command {
  const show = addCommonFlags(new Command('show'))
    .description('print the values that hold and where each comes from; secrets are masked')
    .action((flags: CommonFlags) =>
      endWith(flags, ({ terminal, loadConfig }) => {
        const { origins, ...config } = loadConfig()
        const rows = flatten(masked(config))
        if (terminal.json) {
          const known = Object.fromEntries(rows.map(([key]) => [key, originOf(key, origins)]))
          return terminal.printJson({ config: masked(config), origins: known })
        }
        const width = Math.max(...rows.map(([key]) => key.length))
        const valueWidth = Math.min(50, Math.max(...rows.map(([, value]) => value.length)))
        for (const [key, value] of rows) {
          const origin = terminal.style('dim', originOf(key, origins))
          terminal.print(`${key.padEnd(width)}  ${value.padEnd(valueWidth)}  ${origin}`)
        }
      }),
    )
  withExamples(
    show,
    ['headwater config show', 'what holds in this folder'],
    ['HEADWATER_HOME=/srv/headwater headwater config show --json', 'for a program'],
  )
  return new Command('config').description('the configuration').addCommand(show)
}

/** The same value with secrets as stars and URLs without passwords. */
function masked(value: unknown): unknown {
  if (value instanceof Secret) return '***'
  if (typeof value === 'string') return value.includes('://') ? maskUrl(value) : value
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, masked(member)]))
}

function flatten(value: unknown, prefix = ''): readonly (readonly [string, string])[] {
  const nested = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!nested) return [[prefix, value === undefined ? '(not set)' : JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, member]) => flatten(member, prefix === '' ? key : `${prefix}.${key}`))
}

function originOf(key: string, origins: Readonly<Record<string, string>>): string {
  const path = key === 'dataFolder' ? 'data' : key
  const known = origins[path] ?? Object.entries(origins).find(([name]) => name.startsWith(`${path}.`))?.[1]
  return known ?? 'default'
}
