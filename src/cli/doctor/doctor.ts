import { Command } from 'commander'
import { systemClock } from '../../observe/clock.ts'
import { silentLogger } from '../../observe/logger.ts'
import { addCommonFlags, endWith, withExamples, type CommonFlags } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Style, Terminal } from '../terminal.ts'
import type { CheckResult } from './check.ts'
import { examine } from './examine.ts'

const STYLES: Readonly<Record<CheckResult['status'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' }

/** `headwater doctor`: is everything there that we need, and if not, how is it mended? */
export function doctorCommand(): Command {
  const doctor = addCommonFlags(new Command('doctor'))
    .description('check Node, versions, rights, disk, database, clock, queue and catalogs, and say how to mend each')
    .action((flags: CommonFlags) =>
      endWith(flags, async ({ terminal, loadConfig }) => {
        const config = loadConfig()
        const environment = process.env
        const results = await examine({ config, clock: systemClock, logger: silentLogger(), environment })
        if (terminal.json) terminal.printJson({ checks: results })
        else for (const result of results) printResult(terminal, result)
        return results.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.done
      }),
    )
  return withExamples(
    doctor,
    ['headwater doctor', 'exit code 1 where something must be mended'],
    ['headwater doctor --json', 'for machines'],
  )
}

function printResult(terminal: Terminal, { name, status, found, remedy }: CheckResult): void {
  terminal.print(`${terminal.style(STYLES[status], status.padEnd(4))}  ${name.padEnd(9)} ${found}`)
  if (remedy !== undefined) terminal.print(`${' '.repeat(16)} → ${remedy}`)
}
