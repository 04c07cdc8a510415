/** How often passwords and codes may be tried within the hour, in all processes. */
export { limitAttempts, type AttemptLimit, type LimitedAttempt } from './limit_attempts.ts'
