/** Traces: ids by which clients ask what became of a write (contract §5.1). */
import { randomBytes } from 'node:crypto'

/** 32 hex digits; the first 16 are the time in microseconds. */
export function newTrace(nowMs: number): string {
  const time = BigInt(nowMs) * 1000n
  return time.toString(16).padStart(16, '0') + randomBytes(8).toString('hex')
}

/** The response header that carries a trace. */
export function traceparent(trace: string): string {
  return `00-${trace}-${randomBytes(8).toString('hex')}-01`
}
