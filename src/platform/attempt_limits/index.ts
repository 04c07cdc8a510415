/** Limits on failed passwords and codes within an hour, across all processes. */
export { limitAttempts, type AttemptLimit, type LimitedAttempt } from './limit_attempts.ts'
