import { withStartLock } from '../../../src/embedded/start-lock.ts'

/** Takes the start lock of the name it is given and keeps it until it is killed. */
await withStartLock(process.argv[2] ?? '', new AbortController().signal, async () => {
  process.stdout.write('holding\n')
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.on('end', resolve))
})
