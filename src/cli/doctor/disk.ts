import { statfs } from 'node:fs/promises'
import { fail, ok, warn, type Check, type Finding } from './check.ts'
import { nearestFolder } from './nearest-folder.ts'

const MB = 1024 * 1024
const FAIL_BYTES = 200 * MB
const WARN_BYTES = 2048 * MB

export const diskCheck: Check = {
  name: 'disk',
  async run({ config }) {
    const { bavail, bsize, files, ffree } = await statfs(await nearestFolder(config.dataFolder))
    return judgeSpace(config.dataFolder, bavail * bsize, files === 0 ? 1 : ffree / files)
  },
}

/** @param freeFiles share of the file system's file entries that are free, from 0 to 1 */
export function judgeSpace(folder: string, freeBytes: number, freeFiles: number): Finding {
  const found = `${formatBytes(freeBytes)} free for ${folder}`
  const remedy = 'free space there, or move the data to a larger disk and name it with --data'
  if (freeBytes < FAIL_BYTES) return fail(found, remedy)
  if (freeFiles < 0.01) return warn(`${found}, but hardly a file entry (inode)`, 'remove small files there')
  return freeBytes < WARN_BYTES ? warn(found, remedy) : ok(found)
}

function formatBytes(bytes: number): string {
  return bytes < 1024 * MB ? `${Math.floor(bytes / MB)} MB` : `${(bytes / 1024 / MB).toFixed(1)} GB`
}
