import { validationError } from '../../core/errors.ts'

const SOONEST_MS = 5 * 60 * 1000

/**
 * The time that a status is scheduled for.
 * @returns undefined when it is absent or past: the status is then posted at once
 * @throws ApiError when it is too soon
 */
export function readScheduledAt(time: Date | undefined, nowMs: number): Date | undefined {
  if (time === undefined || time.getTime() <= nowMs) return undefined
  return requireLater(time, nowMs)
}

/** @throws ApiError unless it is more than five minutes ahead */
export function requireLater(at: Date, nowMs: number): Date {
  if (at.getTime() <= nowMs + SOONEST_MS) throw validationError('Scheduled at date must be in the future')
  return at
}
