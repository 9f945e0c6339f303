import { constants } from 'node:os'
import { CommanderError } from 'commander'
import { HeadwaterError } from '../model/errors.ts'

/** What a command's end means to the shell (README, "Exit codes"). */
export const EXIT = {
  /** Done. */
  done: 0,
  /** Failed. */
  failed: 1,
  /** Done in part: some of the input was rejected. */
  partial: 2,
  /** Waiting for an approval, or stopped by the gate. */
  gated: 3,
  /** The configuration, the options or the input are wrong: nothing was begun. */
  badInput: 4,
} as const

/** An error that a command ends with, although it has another class, as bad input. */
export class UsageError extends HeadwaterError {
  readonly code = 'USAGE'
  override readonly badInput = true
}

/** The exit code that an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.badInput
  return error instanceof HeadwaterError && error.badInput ? EXIT.badInput : EXIT.failed
}

/** 128 + the signal's number, as shells report it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + (constants.signals[signal] ?? 0)
}
