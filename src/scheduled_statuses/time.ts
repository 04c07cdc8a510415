import { Failure, invalid } from '../failure.ts'

const SOONEST_MS = 5 * 60 * 1000

/**
 * The time that a status is scheduled for.
 * @returns undefined when none was given, or one that is past: then it is posted at once
 * @throws Failure when it cannot be understood, or is too soon
 */
export function readScheduledAt(given: string | undefined, nowMs: number): Date | undefined {
  const at = readTime(given)
  if (at === undefined || at.getTime() <= nowMs) return undefined
  return requireLater(at, nowMs)
}

/** @throws Failure when it cannot be understood */
export function readTime(given: string | undefined): Date | undefined {
  if (given === undefined || given.trim() === '') return undefined
  const at = new Date(given)
  if (Number.isNaN(at.getTime())) throw new Failure('validation', { message: 'Record invalid' })
  return at
}

/** @throws Failure unless it is more than five minutes ahead */
export function requireLater(at: Date, nowMs: number): Date {
  if (at.getTime() <= nowMs + SOONEST_MS) throw invalid('Scheduled at date must be in the future')
  return at
}
