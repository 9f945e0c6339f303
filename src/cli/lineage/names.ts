/** Words that a user may choose from, with help for the one who mistypes. */
import { didYouMean } from '../../model/near.ts'
import { DIALECTS, type DialectName, type Profile } from '../../sql/index.ts'
import { UsageError } from '../exit-codes.ts'

export const PROFILES: readonly Profile[] = ['datahub', 'openlineage', 'sqllineage']

/** Names that people use for a dialect beside its own. */
const ALIASES: Readonly<Record<string, DialectName>> = {
  postgresql: 'postgres',
  mssql: 'tsql',
  sqlserver: 'tsql',
  'spark-sql': 'spark',
  sparksql: 'spark',
  generic: 'ansi',
}

export function readDialect(name: string): DialectName {
  const word = name.toLowerCase()
  const dialect = ALIASES[word] ?? DIALECTS.find((known) => known === word)
  if (dialect !== undefined) return dialect
  throw new UsageError(`unknown dialect ${JSON.stringify(name)}${didYouMean(word, DIALECTS)}`, {
    remedy: `use one of ${DIALECTS.join(', ')}; ansi reads what is no particular dialect`,
  })
}

/** The dialect in which a platform of the catalog speaks; `ansi` where we know none. */
export function dialectOfPlatform(platform: string): DialectName {
  return ALIASES[platform] ?? DIALECTS.find((known) => known === platform) ?? 'ansi'
}

export function readProfile(name: string): Profile {
  const profile = PROFILES.find((known) => known === name)
  if (profile !== undefined) return profile
  throw new UsageError(`unknown profile ${JSON.stringify(name)}${didYouMean(name, PROFILES)}`, {
    remedy: `use one of ${PROFILES.join(', ')} (docs/lineage.md, "Profiles")`,
  })
}

/** One of a fixed set of words. @throws UsageError */
export function readChoice<T extends string>(flag: string, word: string, choices: readonly T[]): T {
  const choice = choices.find((known) => known === word)
  if (choice !== undefined) return choice
  throw new UsageError(`${flag}: unknown value ${JSON.stringify(word)}${didYouMean(word, choices)}`, {
    remedy: `use one of ${choices.join(', ')}`,
  })
}
