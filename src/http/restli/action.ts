/** An action of rest.li: `POST /<resource>?action=<name>` with named parameters (contract §4). */
import type { Scope } from '../../catalog/tokens/tokens.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Caller } from '../caller.ts'

/** What an action gives back: `{"value": …}`, or nothing and an empty body. */
export interface ActionResult {
  readonly value?: JsonValue
  readonly headers?: Readonly<Record<string, string>>
}

type Run = (body: unknown, caller: Caller) => Promise<ActionResult>

export interface Action {
  readonly needs: Scope
  readonly run: Run
}

/** The actions of one resource by their names. */
export type Actions = Readonly<Record<string, Action>>

export const reading = (run: Run): Action => ({ needs: 'read', run })
export const writing = (run: Run): Action => ({ needs: 'write', run })
export const operating = (run: Run): Action => ({ needs: 'operate', run })
