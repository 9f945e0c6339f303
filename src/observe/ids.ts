import { randomBytes } from 'node:crypto'

/** Where identifiers come from; tests hand in their own. */
export interface Ids {
  /** An id that sorts by time: `<prefix>-<UTC time>-<6 random characters>`, letters, digits and dashes only. */
  next(prefix: string, nowMs: number): string
}

export const randomIds: Ids = {
  next(prefix, nowMs) {
    const time = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)
    const random = randomBytes(4).toString('base64url').replaceAll(/[-_]/g, 'x').toLowerCase()
    return `${prefix}-${time}-${random}`
  },
}
