import { access, constants, stat } from 'node:fs/promises'
import { fail, ok, warn, worstOf, type Check, type Finding, type Patient } from './check.ts'
import { nearestFolder } from './nearest-folder.ts'

export const rightsCheck: Check = {
  name: 'rights',
  async run(patient) {
    const findings = [await checkDataFolder(patient)]
    if (patient.config.databaseUrl === undefined) findings.push(await checkWritable('/tmp', 'for the database socket'))
    return worstOf(findings)
  },
}

async function checkDataFolder({ config }: Patient): Promise<Finding> {
  const nearest = await nearestFolder(config.dataFolder)
  const writable = await checkWritable(
    nearest,
    nearest === config.dataFolder ? 'for all state' : `for ${config.dataFolder}`,
  )
  if (nearest !== config.dataFolder) return writable
  const { mode } = await stat(nearest)
  return worstOf([writable, judgeMode(nearest, mode)])
}

/** @param mode as `stat` gives it */
export function judgeMode(folder: string, mode: number): Finding {
  if ((mode & 0o022) === 0) return ok(`only its owner writes into ${folder}`)
  return warn(`others may write into ${folder}`, `chmod go-w ${folder}`)
}

async function checkWritable(folder: string, purpose: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return ok(`${folder} can be written ${purpose}`)
  } catch {
    return fail(
      `${folder} cannot be written by uid ${process.getuid?.() ?? 'of this process'} ${purpose}`,
      `give this user the right to write there, or choose another folder with --data`,
    )
  }
}
