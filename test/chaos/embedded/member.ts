import { createInterface } from 'node:readline'

import { Client } from 'pg'

import { openEmbeddedPostgres } from '../../../src/embedded/embedded-postgres.ts'
import { HeadwaterError } from '../../../src/model/errors.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { createLogger } from '../../../src/observe/logger.ts'

/**
 * A process that uses the embedded server, to be killed: `node member.ts '{"dataDir": …}'`. Says what happens in JSON
 * lines, and obeys the lines `write` (insert rows one by one, telling each that was acknowledged), `close`, and `hold`
 * (keep a backend busy).
 */
const options = JSON.parse(process.argv[2] ?? '{}')

function tell(event: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

try {
  const server = await openEmbeddedPostgres({
    ...options,
    logger: createLogger({ level: 'info', destination: process.stdout }),
    clock: systemClock,
  })
  const { address } = server
  if (address.kind !== 'socket') throw new TypeError('the embedded server listens on a socket')

  const connect = async (): Promise<Client> => {
    const { folder, port, user, database } = address
    const client = new Client({ host: folder, port, user, database, password: 'none', ssl: false })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  const client = await connect()
  const { rows } = await client.query('select pg_postmaster_start_time()::text as since')
  await client.end()
  tell({ event: 'joined', state: server.state, address, since: rows[0].since })

  const commands: Record<string, () => Promise<void>> = {
    async write() {
      const writer = await connect()
      await writer.query('create table if not exists written (n bigint)')
      for (let n = 0; ; n++) {
        await writer.query('insert into written values ($1)', [n])
        tell({ event: 'written', n })
      }
    },
    async hold() {
      const busy = await connect()
      const backend = await busy.query('select pg_backend_pid() as pid')
      tell({ event: 'holding', pid: backend.rows[0].pid })
      // Busy in the processor: such a backend does not notice that its postmaster is gone.
      await busy.query("do $$ begin while clock_timestamp() < now() + interval '120 s' loop end loop; end $$")
    },
    async close() {
      await server.close()
      tell({ event: 'closed' })
      process.exit(0)
    },
  }
  createInterface({ input: process.stdin }).on('line', (line) => {
    commands[line]?.().catch((error: Error) => tell({ event: 'failed', command: line, message: error.message }))
  })
} catch (error) {
  if (!(error instanceof HeadwaterError)) throw error
  tell({ event: 'refused', code: error.code, message: error.message, remedy: error.remedy })
  process.exitCode = 1
}
