import { fail, ok, type Check, type Finding } from './check.ts'

const LEAST_MAJOR = 24

export const nodeCheck: Check = { name: 'node', run: () => judgeNode(process.versions.node) }

export function judgeNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= LEAST_MAJOR) return ok(`Node ${version}`)
  return fail(
    `Node ${version}`,
    `use Node ${LEAST_MAJOR} or newer; on Linux "npm ci" brings one, elsewhere install it and put it first on PATH`,
  )
}
