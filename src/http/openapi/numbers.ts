import { DecodeError } from '../../model/errors.ts'

/** A number of a query string, such as start and count. @throws DecodeError */
export function wholeNumber(value: unknown): number {
  if (typeof value === 'string' && /^\d{1,9}$/.test(value)) return Number(value)
  throw new DecodeError('start and count are numbers from 0', { path: '?start' })
}
