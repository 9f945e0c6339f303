import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A piece to try the kit on: greets, repeats as JSON what it hears, ends on `exit`, or after a while by itself. */
const [greeting = '', wish] = process.argv.slice(2)
process.stdout.write(`${greeting} ${process.pid}\n`)

if (wish === 'finish') {
  await sleep(200)
  process.stdout.write('finished\n')
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'exit') process.exit(0)
    process.stdout.write(`${JSON.stringify({ heard: line })}\n`)
  }
}
