import type { Profile } from '../types.ts'

/** Sources whose answers follow another tool's summing rules than DataHub's. */
const PROFILE_BY_SOURCE: Readonly<Record<string, Profile>> = { openlineage: 'openlineage', sqllineage: 'sqllineage' }

/** The profile by which the cases of a source are read. */
export function profileOfSource(source: string | undefined): Profile {
  return PROFILE_BY_SOURCE[source ?? ''] ?? 'datahub'
}
