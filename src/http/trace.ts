import { randomBytes } from 'node:crypto'

/**
 * The response header with which clients follow an asynchronous write: the first 16 hex digits of the trace are the
 * time in microseconds (contract §5.1).
 */
export function traceparent(nowMs: number): string {
  const time = BigInt(nowMs) * 1000n
  const trace = time.toString(16).padStart(16, '0') + randomBytes(8).toString('hex')
  return `00-${trace}-${randomBytes(8).toString('hex')}-01`
}
