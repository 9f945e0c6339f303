import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from './command.ts'
import { packageFolder } from './package-info.ts'

/** `headwater init`: writes the commented configuration; never overwrites. */
export function initCommand(): Command {
  const init = addCommonFlags(new Command('init'))
    .description('write a commented configuration into ./config; files that exist stay as they are')
    .action((flags: CommonFlags) =>
      endWith(flags, ({ terminal }) => {
        const target = resolve(flags.config ?? 'config')
        const written: string[] = []
        const kept: string[] = []
        const shipped = join(packageFolder(), 'config')
        for (const name of readdirSync(shipped).toSorted()) {
          const to = join(target, name)
          if (existsSync(to)) kept.push(relative('.', to))
          else {
            cpSync(join(shipped, name), to, { recursive: true })
            written.push(relative('.', to))
          }
        }
        if (terminal.json) return terminal.printJson({ written, kept })
        for (const path of written) terminal.print(`wrote ${path}`)
        for (const path of kept) terminal.print(`kept  ${path}`)
        terminal.note('Next: `headwater up` starts everything here; `headwater doctor` checks this machine.')
      }),
    )
  return withExamples(init, ['headwater init', 'writes config/headwater.yaml, schedules.yaml, retention.yaml'])
}
