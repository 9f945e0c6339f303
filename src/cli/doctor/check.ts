/**
 * A check looks at one thing that Headwater needs, and says what it found and how to mend it. Each file of this folder
 * has one: a pure judgement of facts, and the few lines that get the facts.
 */
import type { Config } from '../../config/config.ts'
import { HeadwaterError } from '../../model/errors.ts'
import type { Clock } from '../../observe/clock.ts'
import type { Database } from '../../store/database.ts'

export type Finding =
  | { readonly status: 'ok'; readonly found: string }
  | { readonly status: 'warn' | 'fail'; readonly found: string; readonly remedy: string }

export interface Check {
  readonly name: string
  readonly run: (patient: Patient) => Promise<Finding> | Finding
}

/** What is looked at. */
export interface Patient {
  readonly config: Config
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The database, opened when first asked for; undefined while the embedded one has not been made. */
  readonly database: () => Promise<Database | undefined>
  /** Ends what takes too long. */
  readonly signal: AbortSignal
}

export interface CheckResult {
  readonly name: string
  readonly status: Finding['status']
  readonly found: string
  readonly remedy?: string
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warn = (found: string, remedy: string): Finding => ({ status: 'warn', found, remedy })
export const fail = (found: string, remedy: string): Finding => ({ status: 'fail', found, remedy })

/** Runs one check; an error is a finding, too, with the error's own remedy. */
export async function runCheck({ name, run }: Check, patient: Patient): Promise<CheckResult> {
  try {
    return { name, ...(await withinTime(Promise.resolve(run(patient)), patient.signal)) }
  } catch (error) {
    return { name, ...failure(error) }
  }
}

function failure(error: unknown): Finding {
  const said = error instanceof Error ? error.message : String(error)
  if (error instanceof HeadwaterError) return fail(said, error.remedy ?? 'mend what the message names')
  return fail(said, 'mend what the message names')
}

function withinTime(finding: Promise<Finding>, signal: AbortSignal): Promise<Finding> {
  const late = fail('no answer in time', 'see whether what it asks is overloaded, or blocked by a firewall')
  return new Promise((done, failed) => {
    signal.addEventListener('abort', () => done(late), { once: true })
    finding.then(done, failed)
  })
}

/** The worst of several findings, with what all of them found. */
export function worstOf(findings: readonly Finding[]): Finding {
  const found = findings.map((finding) => finding.found).join('; ')
  const bad = findings.filter((finding) => finding.status !== 'ok')
  if (bad.length === 0) return ok(found)
  const status = bad.some((finding) => finding.status === 'fail') ? 'fail' : 'warn'
  return { status, found, remedy: bad.map((finding) => finding.remedy).join('; ') }
}
