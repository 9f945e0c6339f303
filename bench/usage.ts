/** `--help` of a benchmark: what the comment says that it begins with. */
import { readFileSync } from 'node:fs'

/**
 * Prints the first comment of a benchmark's file and ends the process, where `--help` is asked for.
 * @param url `import.meta.url` of the benchmark
 */
export function answerHelp(url: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  const [, comment = ''] = /\/\*\*\n?([\s\S]*?)\*\//.exec(readFileSync(new URL(url), 'utf8')) ?? []
  const lines = comment.split('\n').map((line) => line.replace(/^ ?\* ?/, ''))
  process.stdout.write(`${lines.join('\n').trim()}\n`)
  process.exit(0)
}
