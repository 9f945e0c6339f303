/** Variables in a recipe's texts: `${NAME}`, `${NAME:-default}`, `${NAME-default}`, and `$NAME` where it is set. */
import { DecodeError } from '../model/errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Variables {
  /** @throws DecodeError where a variable in braces is not set and has no default */
  readonly fillIn: (text: string) => string
  /** What was filled in may be secret: puts the variable's name in its place, for messages. */
  readonly mask: (message: string) => string
}

const VARIABLE = /\$\{([A-Za-z_]\w*)(?:(:?-)([^}]*))?\}|\$([A-Za-z_]\w*)/g

/** Shorter values would be found everywhere, and hide what a message says. */
const SHORTEST_MASKED = 4

/** @param file for messages */
export function variablesOf(environment: Environment, file: string): Variables {
  const used = new Map<string, string>()
  return {
    fillIn: (text) =>
      text.replaceAll(VARIABLE, (whole, braced?: string, sign?: string, fallback?: string, bare?: string) => {
        const name = braced ?? bare ?? ''
        const held = environment[name]
        const value = held === '' && sign === ':-' ? fallback : (held ?? fallback)
        if (value !== undefined) {
          if (held !== undefined && value === held) used.set(name, value)
          return value
        }
        if (bare !== undefined) return whole
        throw new DecodeError(`the variable ${name} is not set`, { file }, { remedy: `export ${name}=…` })
      }),
    mask: (message) =>
      [...used]
        .filter(([, value]) => value.length >= SHORTEST_MASKED)
        .reduce((masked, [name, value]) => masked.replaceAll(value, `\${${name}}`), message),
  }
}
