import { INTERACTIVE } from '../../client/retry.ts'
import { CatalogClients } from '../../main/connections.ts'
import { readInstance } from '../../main/instance-file.ts'
import { ownCatalog } from '../../main/own-catalog.ts'
import { HeadwaterError } from '../../model/errors.ts'
import { fail, ok, warn, worstOf, type Check, type Finding, type Patient } from './check.ts'

/** Our own catalog, and each one that the configuration names. */
export const catalogCheck: Check = {
  name: 'catalog',
  async run(patient) {
    const { config, environment } = patient
    const clients = new CatalogClients(config, ownCatalog(config), environment, { retry: INTERACTIVE })
    try {
      const named = Object.keys(config.connections).map((name) => checkConnection(name, clients, patient))
      return worstOf(await Promise.all([checkOwn(clients, patient), ...named]))
    } finally {
      await clients.close()
    }
  },
}

async function checkOwn(clients: CatalogClients, { config, signal }: Patient): Promise<Finding> {
  const open = judgeExposure(config.catalog.host, config.token !== undefined)
  if (readInstance(config.dataFolder) === undefined) return worstOf([ok('our own does not run'), open])
  const client = clients.client()
  try {
    await client.health(signal)
    return worstOf([ok(`our own runs at ${client.address}`), open])
  } catch (error) {
    return fail(
      `our own says that it runs at ${client.address}, and does not answer: ${messageOf(error)}`,
      'stop it with SIGTERM and start it again: headwater up',
    )
  }
}

/** Beyond loopback the catalog does not start without a token (design: authentication). */
export function judgeExposure(host: string, hasToken: boolean): Finding {
  const isLoopback = /^(127\.|localhost$|::1$)/.test(host)
  if (isLoopback || hasToken) return ok(`listens on ${host}${hasToken ? ', with a token' : ''}`)
  return fail(`is to listen on ${host} without a token`, 'set HEADWATER_TOKEN, or catalog.host to 127.0.0.1')
}

async function checkConnection(name: string, clients: CatalogClients, { config, signal }: Patient): Promise<Finding> {
  try {
    const { version } = await clients.client(name).config(signal)
    const connection = config.connections[name]
    const answers = `${name} answers, version ${version ?? 'not told'}`
    if (connection !== undefined && connection.token === undefined) {
      return warn(`${answers}, without a token`, `set ${connection.tokenEnv} if that catalog asks for one`)
    }
    return ok(answers)
  } catch (error) {
    return fail(`${name}: ${messageOf(error)}`, remedyOf(error) ?? `try it: headwater connect --test --to ${name}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function remedyOf(error: unknown): string | undefined {
  return error instanceof HeadwaterError ? error.remedy : undefined
}
