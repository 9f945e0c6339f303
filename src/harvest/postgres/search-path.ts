/**
 * Which table a bare name in a routine means: that of the first schema in its search path which has one. The path is the
 * routine's own (`set search_path = …`), else that of the role in this database, of the database, of the role, or
 * PostgreSQL's default.
 */
import type { Client } from 'pg'
import type { NameRules } from '../naming.ts'

/** Relations of the database, by schema. */
export interface Relations {
  readonly bySchema: ReadonlyMap<string, ReadonlySet<string>>
  /** The path of routines that have none of their own. */
  readonly path: readonly string[]
}

const DEFAULT_PATH = '"$user", public'

export async function readRelations(client: Client): Promise<Relations> {
  const bySchema = new Map<string, Set<string>>()
  const { rows } = await client.query<{ schema: string; name: string | null }>(
    `select n.nspname as schema, c.relname as name from pg_namespace n
      left join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'f', 'v', 'm')
      where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`,
  )
  for (const { schema, name } of rows) {
    const names = bySchema.get(schema) ?? new Set()
    bySchema.set(schema, name === null ? names : names.add(name))
  }
  const settings = await client.query<{ setting: string; user: string }>(
    `select coalesce((select regexp_replace(setting, '^search_path=', '') from pg_db_role_setting s
        left join pg_database d on d.oid = s.setdatabase left join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) setting
        where setting like 'search\\_path=%' and (d.datname = current_database() or s.setdatabase = 0)
          and (r.rolname = current_user or s.setrole = 0)
        order by (s.setdatabase <> 0 and s.setrole <> 0) desc, s.setrole <> 0 desc limit 1), '') as setting,
      current_user as user`,
  )
  const { setting = '', user = '' } = settings.rows[0] ?? {}
  return { bySchema, path: pathOf(setting === '' ? DEFAULT_PATH : setting, user, bySchema) }
}

/** Schemas of a setting as PostgreSQL prints it, without those that are not there. */
export function pathOf(setting: string, user: string, bySchema: ReadonlyMap<string, unknown>): readonly string[] {
  const names = [...setting.matchAll(/"((?:[^"]|"")*)"|([^\s,"]+)/g)].map(([, quoted, bare = '']) =>
    quoted === undefined ? bare.toLowerCase() : quoted.replaceAll('""', '"'),
  )
  return names.map((name) => (name === '$user' ? user : name)).filter((name) => bySchema.has(name))
}

/**
 * The rules of a routine's names: bare ones belong to the first schema of its path, or to the one that has them.
 * @param rules with the database, as full names begin
 */
export function routineRules(
  sql: string,
  path: readonly string[],
  { rules, bySchema }: { readonly rules: NameRules; readonly bySchema: Relations['bySchema'] },
): NameRules {
  const [first, ...others] = path
  if (first === undefined) return rules
  const seen = new Set(bySchema.get(first))
  const aliases: [string, string][] = []
  for (const schema of others) {
    for (const name of bySchema.get(schema) ?? []) {
      if (seen.has(name)) continue
      seen.add(name)
      const full = (of: string): string => [rules.database, of, name].filter((part) => part !== undefined).join('.')
      if (sql.includes(name)) aliases.push([full(first), full(schema)])
    }
  }
  return { ...rules, schema: first, ...(aliases.length === 0 ? {} : { aliases: Object.fromEntries(aliases) }) }
}
