import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import { decode } from '../model/decode.ts'

/** The folder that holds package.json: two levels up in a clone, three in the package, where we run from dist. */
export function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

/** The version that package.json says. */
export function packageVersion(): string {
  const content: unknown = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'))
  return decode(Type.Object({ version: Type.String() }), content).version
}
