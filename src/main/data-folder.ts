import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DataFolderRightsError } from '../embedded/errors.ts'

/** Makes the data folder where there is none, and those above it. @throws DataFolderRightsError */
export function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const isTaken = code === 'EEXIST' || code === 'ENOTDIR'
    const what = isTaken ? `${folder} is no folder` : `the data folder ${folder} cannot be made (${code})`
    throw new DataFolderRightsError(what, {
      remedy: 'run the command as the owner of the folder above, choose another folder with --data',
      cause: error,
    })
  }
}

/** Not by Node's `recursive`, which never ends where a file system takes no folders, such as /proc. */
function makeFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) return
  if (found === undefined && dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
