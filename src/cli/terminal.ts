import { styleText } from 'node:util'

/** Where a command writes, and how: results on stdout, everything else on stderr. */
export interface Terminal {
  /** One JSON object as the only result (`--json`). */
  readonly json: boolean
  readonly quiet: boolean
  /** Colours and bars make sense. */
  readonly interactive: boolean
  /** Columns of the terminal, 100 elsewhere. */
  readonly width: number
  /** Columns that a table may take: as many as it wants where no terminal shows it, since a program reads it then. */
  readonly tableWidth: number
  /** A line of the result. */
  print(line?: string): void
  /** The result as JSON; only with `--json`. */
  printJson(value: unknown): void
  /** A line that is not part of the result; nothing under `--quiet`. */
  note(line: string): void
  /** A line about something wrong. */
  complain(line: string): void
  style(format: Style, text: string): string
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'

export interface TerminalOptions {
  readonly json?: boolean | undefined
  readonly quiet?: boolean | undefined
}

/** The process's own streams. NO_COLOR and dumb terminals get plain text. */
export function processTerminal(options: TerminalOptions = {}): Terminal {
  const { stdout, stderr, env } = process
  const colour = stdout.isTTY && stderr.isTTY && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb'
  const quiet = options.quiet ?? false
  // A pseudo-terminal that nobody gave a size, as in many CI systems, says 0.
  const columns = stdout.columns > 0 ? stdout.columns : undefined
  return {
    json: options.json ?? false,
    quiet,
    interactive: stderr.isTTY && env['TERM'] !== 'dumb',
    width: columns ?? 100,
    tableWidth: columns ?? Infinity,
    print: (line = '') => void stdout.write(`${line}\n`),
    printJson: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    note: (line) => {
      if (!quiet) stderr.write(`${line}\n`)
    },
    complain: (line) => void stderr.write(`${line}\n`),
    style: (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text),
  }
}
